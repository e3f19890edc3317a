package sandbox

import (
	"fmt"
	"slices"
	"strings"
)

// SettingError says what is wrong with one of the settings of a stand-in.
type SettingError struct {
	Setting string // as it ends in the environment: API_KEY
	Problem string // a predicate, and what to do: "is not set; make one up"
}

func (e *SettingError) Error() string { return "sandbox: " + e.Setting + " " + e.Problem }

// CheckKey refuses what can't be a key of a provider's API to practise with, which
// begins with one of the prefixes if there are any. A key to real money mostly can't.
func CheckKey(setting, key string, prefixes ...string) error {
	begins := len(prefixes) == 0 || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) })
	if begins && len(key) >= minSecret && !strings.ContainsAny(key, " \t\r\n") {
		return nil
	}
	problem := "is no key to practise with"
	if key == "" {
		problem = "is not set"
	}
	problem += fmt.Sprintf("; make one up of at least %d characters without blanks", minSecret)
	if len(prefixes) > 0 {
		problem += " that begins with " + strings.Join(prefixes, " or ")
	}
	return &SettingError{setting, problem}
}
