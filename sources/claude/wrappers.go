package claude

import "bytes"

// textKind is what a text in the user's name really is.
type textKind uint8

const (
	textPlain        textKind = iota
	textHarness               // for the model's eyes; nobody typed it
	textInterrupt             // the mark that an interrupt leaves
	textNotification          // a background task ended
	textCommand               // a slash command
	textShell                 // a shell command typed after "!"
	textOutput                // what a local command printed
)

// wrappers are how texts begin that nobody typed as a prompt, as versions 1.0 to 2.1.332 write them.
var wrappers = []struct {
	prefix string
	kind   textKind
}{
	{"<task-notification>", textNotification},
	{"<command-name>", textCommand},
	{"<command-message>", textCommand},
	{"<bash-input>", textShell},
	{"<local-command-stdout>", textOutput},
	{"[Request interrupted", textInterrupt},
	{"<local-command-caveat>", textHarness},
	{"<local-command-stderr>", textHarness},
	{"<bash-stdout>", textHarness},
	{"<bash-stderr>", textHarness},
	{"<user-memory-input>", textHarness},
	{"This session is being continued", textHarness},
	{"Stop hook feedback:", textHarness},
	{"Caveat: The messages below", textHarness},
}

func kindOfText(t []byte) textKind {
	if len(t) == 0 || t[0] != '<' && t[0] != '[' && t[0] != 'T' && t[0] != 'S' && t[0] != 'C' {
		return textPlain
	}
	for _, w := range wrappers {
		if bytes.HasPrefix(t, []byte(w.prefix)) {
			return w.kind
		}
	}
	return textPlain
}

// additions are what the harness puts before a prompt, or instead of one.
var additions = [][2][]byte{
	{[]byte("<system-reminder>"), []byte("</system-reminder>")},
	{[]byte("<ide_opened_file>"), []byte("</ide_opened_file>")},
	{[]byte("<ide_selection>"), []byte("</ide_selection>")},
	{[]byte("<ide_diagnostics>"), []byte("</ide_diagnostics>")},
}

// stripped returns the text without additions before it; nothing is left of one that is all addition.
func stripped(t []byte) []byte {
	t = bytes.TrimSpace(t)
again:
	for _, a := range additions {
		if bytes.HasPrefix(t, a[0]) {
			_, after, found := bytes.Cut(t, a[1])
			if !found {
				return nil
			}
			t = bytes.TrimSpace(after)
			goto again
		}
	}
	return t
}
