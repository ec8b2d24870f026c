package screen

// Style is a way to write a text.
type Style string

// The styles, by what they mean. Each stands beside a word or a sign that says the same without colour.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Good   Style = "32"
	Bad    Style = "31"
	Care   Style = "33" // something to look at
	Name   Style = "36" // what one can type
	Accent Style = "35"
)

// In writes text in a style, where there is colour.
func (s *Screen) In(style Style, text string) string {
	if !s.Color || style == Plain || text == "" {
		return text
	}
	return "\033[" + string(style) + "m" + text + "\033[0m"
}
