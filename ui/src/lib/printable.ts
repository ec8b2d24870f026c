// What only a terminal understands: ESC [ … letter, and what sets its title or clipboard.
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\))/g
// Control characters, and what is invisible or turns the order of characters around. Joiners stay: scripts and emoji need them.
const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** The text of a log as it can be read: colours of terminals are taken off, and what would hide or reorder characters is spelled out. */
export function printable(text: string): string {
  const plain = text.includes('\u001b') ? text.replace(sequences, '') : text
  return plain.replace(hidden, (c) => `⟨U+${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
}
