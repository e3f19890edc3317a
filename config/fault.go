package config

import (
	"fmt"
	"strings"
)

// Fault is what is wrong with one setting: "SHOP_SECRET is shorter than 32 bytes".
// It never holds the setting's value, but for a word in the place of a provider's name.
type Fault struct {
	Setting string // SHOP_…
	Problem string // a predicate: "is not set"
}

func (f Fault) String() string { return f.Setting + " " + f.Problem }

// Faults are all that is wrong with a configuration, in the order of Settings.
type Faults []Fault

// Error names one fault a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

// Of returns what is wrong with one setting, or "".
func (f Faults) Of(setting string) string {
	for _, fault := range f {
		if fault.Setting == setting {
			return fault.Problem
		}
	}
	return ""
}

// orNil keeps an empty list from looking like an error.
func (f Faults) orNil() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

func (f *Faults) add(name, format string, args ...any) { f.addTo(Prefix+name, format, args...) }

func (f *Faults) addTo(setting, format string, args ...any) {
	*f = append(*f, Fault{setting, fmt.Sprintf(format, args...)})
}
