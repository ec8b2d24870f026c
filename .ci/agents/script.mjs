// What the scripted model says: for each script, one step per time it is asked. A prompt names its script as [[name]].
// Calls name what they do; each agent knows by which of its tools.

const list = { run: 'ls' };
const read = { read: 'notes.txt' };
const missing = { run: 'cat missing.txt' };
const again = { run: 'echo the second turn' };

// How long a call stays pending: long enough for a look, and for the daemon's look at processes every few seconds.
export const pause = { run: 'sleep 7; echo rested' };
// Long enough for two chips to be seen, and twice side by side.
export const rest = { run: 'sleep 3; echo done' };
// What a human is asked about.
export const ask = { run: 'touch asked.txt' };
// Not a bare sleep: an agent may refuse a long one.
export const stall = { run: 'timeout 60 tail -f /dev/null' };

export const scripts = {
  tour: [
    { text: 'I will look around first.', calls: [list, read] },
    { text: 'Now the other file.', calls: [missing] },
    { text: 'Once more.', calls: [missing] },
    { text: 'I need a rest.', calls: [pause] },
    { text: 'There are notes, and `missing.txt` is not there.' },
  ],
  again: [{ calls: [again] }, { text: 'That was the second turn.' }],
  rest: [{ text: 'I need two rests.', calls: [rest, rest] }, { text: 'Now I am awake.' }],
  ask: [{ text: 'May I?', calls: [ask] }, { text: 'Thank you.' }],
  stall: [
    { text: 'I will look around first.', calls: [list, read] },
    { text: 'Now the other file.', calls: [missing] },
    { text: 'Once more.', calls: [missing] },
    { text: 'This takes a while.', calls: [stall] },
    { text: 'Nobody reads this.' },
  ],
};

// scriptOf finds the script that a text asks for.
export function scriptOf(text) {
  const name = /\[\[(\w+)\]\]/.exec(text)?.[1];
  return name in scripts ? name : undefined;
}

// usageOf makes up what the n-th answer consumed; every answer's numbers differ, so that one counted twice or left out shows.
export function usageOf(n) {
  return { input: 1000 + 11 * n, cacheRead: 500 + 7 * n, cacheWrite5m: 200 + n, cacheWrite1h: 30 + n, output: 60 + 3 * n, reasoning: 5 + n };
}
