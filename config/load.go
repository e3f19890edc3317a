package config

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Load reads the settings from an environment as os.Environ gives it. What is
// wrong in form is returned as Faults, all of it, beside what could be read: doctor
// looks at that as well. Whether the settings are enough for a shop is Check's question.
func Load(environ []string) (*Config, error) {
	given, faults := collect(env.ToMap(environ))
	c := new(Config)
	err := env.ParseWithOptions(c, env.Options{Prefix: Prefix, Environment: given})
	var all env.AggregateError
	switch {
	case errors.As(err, &all):
		for _, one := range all.Errors {
			fault, err := describe(one)
			if err != nil {
				return nil, err
			}
			faults = append(faults, fault)
		}
	case err != nil:
		return nil, err
	}
	if len(faults) == 0 {
		return c, nil
	}
	if faults.Of(Prefix+"PROVIDERS") != "" {
		c.Providers = nil // and not the default, which isn't what was written
	}
	c.explainEmpty(faults)
	return c, faults.inOrder()
}

// explainEmpty tells of empty secrets what they are wanted for, if they are.
func (c *Config) explainEmpty(faults Faults) {
	var lacking Faults
	errors.As(c.Check(), &lacking)
	for i, f := range faults {
		if why, wanted := strings.CutPrefix(lacking.Of(f.Setting), notSet); wanted && f.Problem == isEmpty {
			faults[i].Problem = "is empty" + why
		}
	}
}

// collect returns the settings by name, with those read from files in place. An
// empty secret is a fault even where none is needed: whoever wrote it down meant
// something else than "no verification". So is an empty list of providers, which is
// neither the default nor a shop that anybody could pay.
func collect(environ map[string]string) (map[string]string, Faults) {
	given := map[string]string{}
	var faults Faults
	for _, s := range Settings() {
		value, direct := environ[s.Name]
		path, byFile := environ[s.Name+fileSuffix]
		switch {
		case direct && byFile && value != "" && path != "":
			faults = append(faults, Fault{s.Name, "is given twice, by " + s.Name + fileSuffix + " as well"})
			continue
		case byFile && path != "":
			text, err := readFile(path)
			if err != nil {
				faults = append(faults, Fault{s.Name + fileSuffix, "names a file that can't be read: " + cause(err)})
				continue
			}
			value, direct = text, true
		}
		if !direct {
			continue
		}
		if s.Secret && value == "" {
			faults = append(faults, Fault{s.Name, isEmpty})
		}
		if s.Name == Prefix+"PROVIDERS" && value == "" {
			faults = append(faults, Fault{s.Name, "lists no provider, so that nobody could pay; left out, it is " + s.Default})
		}
		given[s.Name] = value
	}
	return given, faults
}

// isEmpty is said of a secret that nothing wants.
const isEmpty = "is empty; leave it out if it isn't wanted"

// fileSuffix makes a setting's name that of the path of a file that holds it.
const fileSuffix = "_FILE"

// maxFile is far more than a key in PEM needs.
const maxFile = 64 << 10

// readFile reads a setting; the newline that editors put at the end isn't part of it.
func readFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	text = bytes.TrimSuffix(text, []byte("\n"))
	return string(bytes.TrimSuffix(text, []byte("\r"))), err
}

// cause is a file error without the path: somebody may have put the secret itself
// where its path belongs.
func cause(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return "unknown reason"
}

// describe turns an error of the env package into a fault. Its own text repeats
// the value and is dropped.
func describe(err error) (Fault, error) {
	var parse env.ParseError
	if !errors.As(err, &parse) {
		return Fault{}, err
	}
	// It tells the field's name and not its struct, which is enough: fields of two
	// structs that share a name hold texts, and a text is never misunderstood.
	all := leaves(reflect.TypeFor[Config](), Prefix)
	at := slices.IndexFunc(all, func(l leaf) bool { return l.field.Name == parse.Name && l.field.Type == parse.Type })
	if at < 0 {
		return Fault{}, err
	}
	want := "is not understood"
	switch parse.Type.String() {
	case "bool":
		want = "is neither true nor false"
	case "time.Duration":
		want = "is not a duration such as 90s, 30m or 1h"
	case "float64":
		want = "is not a number"
	case "slog.Level":
		want = "is none of debug, info, warn and error"
	}
	return Fault{all[at].name, want}, nil
}

// inOrder sorts the faults as Settings lists their settings.
func (f Faults) inOrder() Faults {
	var names []string
	for _, s := range Settings() {
		names = append(names, s.Name, s.Name+fileSuffix)
	}
	slices.SortStableFunc(f, func(a, b Fault) int {
		return slices.Index(names, a.Setting) - slices.Index(names, b.Setting)
	})
	return f
}

// Unknown lists what begins like a setting and is none: most often a typing
// mistake. Platforms set such variables too, so it is worth a remark, not a refusal.
func Unknown(environ []string) []string {
	known := map[string]bool{}
	for _, s := range Settings() {
		known[s.Name], known[s.Name+fileSuffix] = true, true
	}
	var unknown []string
	for name := range env.ToMap(environ) {
		if strings.HasPrefix(name, Prefix) && !known[name] {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return unknown
}
