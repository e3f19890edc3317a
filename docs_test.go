package onceshop

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"onceshop/config"
)

// update rewrites the sections that are made from the code: go test -update .
var update = flag.Bool("update", false, "rewrite the README's tables of settings and costs")

// document is a Markdown file of this repository.
type document struct{ name, text string }

// documents are all that people read: the root's and those below docs.
func documents(t *testing.T) []document {
	t.Helper()
	names, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("docs", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []document
	for _, name := range names {
		all = append(all, document{filepath.ToSlash(name), read(t, name)})
	}
	if len(all) < 10 {
		t.Fatalf("only %d documents were found", len(all))
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	fence  = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	span   = regexp.MustCompile("`([^`\n]+)`")
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	header = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// prose is the text without its blocks of code.
func (d document) prose() string { return fence.ReplaceAllString(d.text, "") }

// spans are the document's pieces of code inside of sentences.
func (d document) spans() (list []string) {
	for _, m := range span.FindAllStringSubmatch(d.prose(), -1) {
		list = append(list, strings.ReplaceAll(m[1], `\|`, "|"))
	}
	return list
}

// anchors are the addresses of its headings, as GitHub makes them.
func (d document) anchors() map[string]bool {
	found := map[string]bool{}
	for _, m := range header.FindAllStringSubmatch(d.prose(), -1) {
		anchor := strings.ToLower(m[1])
		anchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(anchor, "")
		found[strings.ReplaceAll(anchor, " ", "-")] = true
	}
	return found
}

func TestEveryLinkOfTheDocumentsLeadsSomewhere(t *testing.T) {
	t.Parallel()
	reached := map[string]bool{"README.md": true}
	all := map[string]document{}
	for _, d := range documents(t) {
		all[d.name] = d
	}
	for _, d := range all {
		for _, m := range link.FindAllStringSubmatch(d.prose(), -1) {
			target := m[1] + m[2]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(target, "#")
			name := d.name
			if file != "" {
				name = path.Join(path.Dir(d.name), file)
			}
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s links to %s, which doesn't exist", d.name, target)
			}
			if anchor != "" && !all[name].anchors()[anchor] {
				t.Errorf("%s links to %s, but %s has no such heading", d.name, target, name)
			}
			reached[name] = true
		}
	}
	for name := range all {
		if !reached[name] {
			t.Errorf("no document links to %s", name)
		}
	}
}

// filePath is a piece of code that looks like a file or folder of this repository.
var filePath = regexp.MustCompile(`^\.?[a-zA-Z][\w.*-]*(/[\w.*-]+)*/?$`)

func TestFilesThatTheDocumentsNameExist(t *testing.T) {
	t.Parallel()
	bare := map[string]bool{} // names without a folder: there may be many
	for name := range sources(t, "") {
		bare[path.Base(name)] = true
	}
	for _, d := range documents(t) {
		for _, code := range d.spans() {
			first, _, nested := strings.Cut(code, "/")
			_, err := os.Stat(first)
			isFile := slices.Contains([]string{".go", ".md", ".sql", ".yml", ".yaml", ".sh", ".templ", ".txt"}, path.Ext(code))
			if !filePath.MatchString(code) || !(nested && err == nil) && !isFile || code == "database/sql" {
				continue
			}
			if found, err := filepath.Glob(code); (err != nil || len(found) == 0) && (nested || !bare[code]) {
				t.Errorf("%s names `%s`, which doesn't exist", d.name, code)
			}
		}
	}
}

// keepSection holds what stands between <!-- name --> and <!-- /name --> in the
// README against what the code says it should be.
func keepSection(t *testing.T, name, want string) {
	t.Helper()
	text := read(t, "README.md")
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(text, begin)
	got, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Errorf("README.md has no section between %q and %q", begin, end)
	case got == want:
	case *update:
		if err := os.WriteFile("README.md", []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the README's %s are not what the code says; after a wanted change: go test -update .\n%s", name, want)
	}
}

// It isn't parallel, and nor is the other test of a section: both may write the file.
func TestTheREADMEListsEverySetting(t *testing.T) {
	var table strings.Builder
	table.WriteString("| setting | default | meaning |\n|---|---|---|\n")
	for _, s := range config.Settings() {
		def := ""
		if s.Default != "" {
			def = "`" + s.Default + "`"
		}
		meaning := s.Meaning
		if s.Secret {
			meaning += " *Secret.*"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", s.Name, def, meaning)
	}
	keepSection(t, "settings", table.String())
}
