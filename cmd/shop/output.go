package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"onceshop/config"
)

// format is the flag of every command that lists.
type format struct {
	Format string `help:"text or json." enum:"text,json" default:"text"`
}

// json prints value as JSON if that was asked for. Field names are stable: scripts
// read them.
func (f format) json(s *session, value any) (done bool, err error) {
	if f.Format != "json" {
		return false, nil
	}
	e := json.NewEncoder(s.stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return true, e.Encode(value)
}

// table prints rows in columns. Cells come from outside as well: what could move a
// terminal's cursor is replaced.
type table struct {
	w    *tabwriter.Writer
	rows int
	none string
}

func (s *session) table(none string, heads ...string) *table {
	t := &table{w: tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0), none: none}
	fmt.Fprintln(t.w, strings.Join(heads, "\t"))
	return t
}

func (t *table) row(cells ...any) {
	t.rows++
	for i, c := range cells {
		if i > 0 {
			fmt.Fprint(t.w, "\t")
		}
		fmt.Fprint(t.w, printable(fmt.Sprint(c)))
	}
	fmt.Fprintln(t.w)
}

func (t *table) flush() error {
	if t.rows == 0 {
		fmt.Fprintln(t.w, t.none)
	}
	return t.w.Flush()
}

// printable is text on one line of a terminal.
func printable(s string) string {
	if s == "" {
		return "-"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// clock prints times for people, in the zone of the configuration.
type clock struct{ zone *time.Location }

func clockOf(c *config.Config) clock { return clock{c.Location()} }

func (c clock) at(t time.Time) string { return t.In(c.zone).Format("2006-01-02 15:04:05 MST") }

func (c clock) maybe(t *time.Time) string {
	if t == nil {
		return ""
	}
	return c.at(*t)
}
