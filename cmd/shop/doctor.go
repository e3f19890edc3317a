package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"onceshop/config"
)

type doctorCommand struct {
	format
}

// finding is one line: what was looked at, how it is, and what to do about it.
type finding struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok, note, fault
	Found  string `json:"found"`
	Advice string `json:"advice"`
}

// The states of a finding. A note is worth a look and no reason to fail.
const (
	stateOK    = "ok"
	stateNote  = "note"
	stateFault = "fault"
)

func ok(check, found string, args ...any) finding {
	return finding{Check: check, State: stateOK, Found: fmt.Sprintf(found, args...)}
}

func fault(check, found, advice string) finding {
	return finding{check, stateFault, found, advice}
}

// Run checks everything, also behind a first fault, and exits 1 if there is one.
func (cmd *doctorCommand) Run(s *session) error {
	findings := s.examine()
	done, err := cmd.json(s, findings)
	if !done {
		err = s.printFindings(findings)
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(findings, func(f finding) bool { return f.State == stateFault }) {
		return errSaid
	}
	return nil
}

func (s *session) printFindings(findings []finding) error {
	faults := 0
	for _, f := range findings {
		mark := f.State
		if f.State == stateFault {
			mark = "FAULT"
			faults++
		}
		line := fmt.Sprintf("%-6s %-12s %s", mark, f.Check, printable(f.Found))
		if f.Advice != "" {
			line += " → " + f.Advice
		}
		if _, err := fmt.Fprintln(s.stdout, line); err != nil {
			return err
		}
	}
	if faults > 0 {
		fmt.Fprintf(s.stderr, "%d of %d checks found a fault\n", faults, len(findings))
	}
	return nil
}

// examine goes from the settings to what they point at.
func (s *session) examine() []finding {
	c, faults, err := s.settings()
	if err != nil {
		return []finding{fault("settings", err.Error(), "")}
	}
	list := settingsFindings(c, faults)
	if unknown := config.Unknown(s.environ); len(unknown) > 0 {
		list = append(list, finding{"settings", stateNote, "not known: " + strings.Join(unknown, ", "), "a typing mistake?"})
	}
	list = append(list, s.databaseFindings(c, faults)...)
	list = append(list, s.mailFinding(c, faults))
	return append(list, s.providerFindings(c, faults)...)
}

// settings are read as far as they can be, with all that is wrong with them.
func (s *session) settings() (*config.Config, config.Faults, error) {
	c, err := s.config()
	var ofForm, ofMeaning config.Faults
	if err != nil && !errors.As(err, &ofForm) {
		return nil, nil, err
	}
	if err := c.Check(); err != nil && !errors.As(err, &ofMeaning) {
		return nil, nil, err
	}
	for _, f := range ofMeaning {
		// What couldn't be read has no meaning to be judged.
		if ofForm.Of(f.Setting) == "" && ofForm.Of(f.Setting+"_FILE") == "" {
			ofForm = append(ofForm, f)
		}
	}
	return c, ofForm, nil
}

// subjects sort the settings into what people ask about; mail, database and
// providers have checks of their own, which look outside as well.
var subjects = [...]struct {
	name string
	well func(c *config.Config) string
}{
	{"base url", func(c *config.Config) string { return c.BaseURL }},
	{"secrets", func(*config.Config) string { return "set, and none of them a placeholder" }},
	{"settings", func(c *config.Config) string {
		mode := config.ModeTest
		if c.Live() {
			mode = config.ModeLive
		}
		return "roles " + strings.Join(c.Roles, ",") + "; providers " + strings.Join(c.Providers, ",") + ", " + mode
	}},
}

// subjectOf tells under which check a fault of a setting is reported.
func subjectOf(setting string) string {
	setting = strings.TrimSuffix(setting, "_FILE")
	name := strings.TrimPrefix(setting, config.Prefix)
	switch {
	case name == "BASE_URL":
		return "base url"
	case name == "DATABASE_URL":
		return "database"
	case name == "MAIL_URL" || name == "MAIL_FROM":
		return "mail"
	case isSecret(setting):
		return "secrets"
	case config.ProviderOf(setting) != "":
		return "provider"
	}
	return "settings"
}

func isSecret(setting string) bool {
	return slices.ContainsFunc(config.Settings(), func(s config.Setting) bool { return s.Name == setting && s.Secret })
}

// settingsFindings are the faults that need no look outside.
func settingsFindings(c *config.Config, faults config.Faults) []finding {
	var list []finding
	for _, s := range subjects {
		well := true
		for _, f := range faults {
			if subjectOf(f.Setting) == s.name {
				well = false
				list = append(list, fault(s.name, f.String(), "see .env.example"))
			}
		}
		if well {
			list = append(list, ok(s.name, "%s", s.well(c)))
		}
	}
	return list
}
