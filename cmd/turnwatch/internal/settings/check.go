package settings

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// ValidateEnvironment refuses variables whose values are none of their setting's, whatever command is run: the parser
// only looks at those of the command's own flags.
func ValidateEnvironment(app *kong.Application) error {
	for _, s := range All(app) {
		value, ok := os.LookupEnv(s.Env)
		if !ok {
			continue
		}
		if err := check(s.flag, value); err != nil {
			return fmt.Errorf("%s%w", s.Env, err)
		}
	}
	return nil
}

// check says what is wrong with a value of a flag, as it goes on behind the setting's name.
func check(flag *kong.Flag, value string) error {
	scratch := reflect.New(flag.Target.Type()).Elem()
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	if err := flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, scratch); err != nil {
		return fmt.Errorf(": %w", err)
	}
	if flag.Enum != "" && !slices.Contains(flag.EnumSlice(), value) {
		return fmt.Errorf(" %s", NoneOf(value, flag.EnumSlice()))
	}
	return nil
}

// NoneOf says that a word is none of those that there are; an empty one, which stands for none, is not named.
func NoneOf(word string, all []string) string {
	all = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == "" })
	n := len(all) - 1
	return fmt.Sprintf("%q: want %s or %s", word, strings.Join(all[:n], ", "), all[n])
}
