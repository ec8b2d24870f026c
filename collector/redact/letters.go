package redact

// class says in which parts of a secret a byte of a lowered text can stand.
type class uint8

const (
	letter class = 1 << iota // also _ . and -, of which names consist
	word                     // \w
	value                    // of a value
	token                    // of a token; URLs with secrets included
)

var classes = func() (table [256]class) {
	for c := range table {
		b := byte(c)
		switch {
		case '0' <= b && b <= '9':
			table[c] = word | value | token
		case 'a' <= b && b <= 'z' || b == '_':
			table[c] = letter | word | value | token
		case b == '.' || b == '-':
			table[c] = letter | value | token
		case b == '=' || b == '+' || b == '/':
			table[c] = value | token
		case b == '~' || b == ':' || b == '%' || b == '|' || b == '@':
			table[c] = token
		}
	}
	return table
}()

func is(c byte, k class) bool { return classes[c]&k != 0 }

// lowerASCII lowers ASCII letters only, so that offsets stay.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
