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
	c, err := s.config()
	var faults config.Faults
	switch {
	case errors.As(err, &faults):
		var list []finding
		for _, f := range faults {
			list = append(list, fault("settings", f.String(), "see .env.example"))
		}
		return list // without them there is nothing to look at
	case err != nil:
		return []finding{fault("settings", err.Error(), "")}
	}
	if err := c.Check(); err != nil && !errors.As(err, &faults) {
		return []finding{fault("settings", err.Error(), "")}
	}
	list := settingsFindings(c, faults)
	if unknown := config.Unknown(s.environ); len(unknown) > 0 {
		list = append(list, finding{"settings", stateNote, "not known: " + strings.Join(unknown, ", "), "a typing mistake?"})
	}
	list = append(list, s.databaseFindings(c)...)
	list = append(list, s.mailFinding(c, faults))
	return append(list, s.providerFinding(c, faults))
}

// subjects sort the settings into what people ask about.
var subjects = [...]struct {
	name     string
	settings []string
	well     func(c *config.Config) string
}{
	{"base url", []string{"BASE_URL"}, func(c *config.Config) string { return c.BaseURL }},
	{"secrets", []string{"SECRET", "LICENSE_SECRET", "LICENSE_SIGNING_KEY", "STABLEIN_API_KEY", "STABLEIN_WEBHOOK_SECRET",
		"STABLEIN_WEBHOOK_SECRET_PREVIOUS", "STABLEIN_WEBHOOK_SECRET_PREVIOUS_ID", "STABLEIN_WEBHOOK_SECRET_PREVIOUS_UNTIL"},
		func(*config.Config) string { return "set, and none of them a placeholder" }},
	{"settings", nil, func(c *config.Config) string { return "roles " + strings.Join(c.Roles, ",") }},
}

// settingsFindings are the faults that need no look outside; mail and provider
// have checks of their own.
func settingsFindings(c *config.Config, faults config.Faults) []finding {
	elsewhere := []string{"MAIL_URL", "MAIL_FROM", "DATABASE_URL", "STABLEIN_BASE_URL"}
	var named []string
	for _, s := range subjects {
		named = append(named, s.settings...)
	}
	var list []finding
	for _, s := range subjects {
		well := true
		for _, f := range faults {
			name := strings.TrimPrefix(f.Setting, config.Prefix)
			mine := slices.Contains(s.settings, name)
			if s.settings == nil {
				mine = !slices.Contains(named, name) && !slices.Contains(elsewhere, name)
			}
			if mine {
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
