package onceshop

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"onceshop/config"
)

// sources reads all files of the repository with one of these endings.
func sources(t *testing.T, endings ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		for _, ending := range endings {
			if strings.HasSuffix(name, ending) {
				files[filepath.ToSlash(name)] = read(t, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// promises are the numbers of the README's list.
func promises(t *testing.T) map[int]bool {
	t.Helper()
	_, section, _ := strings.Cut(read(t, "README.md"), "\n## The promises\n")
	section, _, _ = strings.Cut(section, "\n## ")
	found := map[int]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(\d+)\. \*\*`).FindAllStringSubmatch(section, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		found[n] = true
	}
	if len(found) != 12 {
		t.Fatalf("the README lists %d promises, want 12", len(found))
	}
	return found
}

var (
	cited  = regexp.MustCompile(`[Pp]romises? (\d+)(?:(?:,| and| to|, and) (\d+))*`)
	bullet = regexp.MustCompile(`(?m)^//   - (\d+(?:, \d+)*)(?:,|:| \()`)
	number = regexp.MustCompile(`\d+`)
)

func TestPromisesThatAreCitedExist(t *testing.T) {
	t.Parallel()
	known := promises(t)
	citations := 0
	for name, text := range sources(t, ".go", ".sql", ".md") {
		if strings.HasPrefix(name, "sandbox/") {
			continue // it has promises of its own
		}
		found := cited.FindAllString(text, -1)
		if strings.HasSuffix(name, "/doc.go") {
			for _, m := range bullet.FindAllStringSubmatch(text, -1) {
				found = append(found, m[1])
			}
		}
		for _, citation := range found {
			for _, digits := range number.FindAllString(citation, -1) {
				citations++
				if n, err := strconv.Atoi(digits); err != nil || !known[n] {
					t.Errorf("%s: %q: there is no promise %s", name, citation, digits)
				}
			}
		}
	}
	if citations < 50 {
		t.Errorf("only %d citations were found", citations)
	}
}

func TestTestsThatTheDocumentsNameExist(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	for _, text := range sources(t, "_test.go") {
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz|Example)\w*)\(`).FindAllStringSubmatch(text, -1) {
			there[m[1]] = true
		}
	}
	testName := regexp.MustCompile(`^(?:Test|Benchmark|Fuzz|Example)[A-Z]\w+$`)
	for _, d := range documents(t) {
		for _, code := range d.spans() {
			if testName.MatchString(code) && !there[code] {
				t.Errorf("%s names %s, which no test is called", d.name, code)
			}
		}
	}
}

func TestSettingsThatTheDocumentsNameExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, text := range sources(t, ".go") { // the tests have some of their own
		for _, m := range regexp.MustCompile(`Getenv\("(SHOP_\w+)"\)`).FindAllStringSubmatch(text, -1) {
			known[m[1]] = true
		}
	}
	for _, s := range config.Settings() {
		known[s.Name], known[s.Name+"_FILE"] = true, true
	}
	for _, d := range documents(t) {
		for _, name := range regexp.MustCompile(`\bSHOP_[A-Z_]+[A-Z]\b`).FindAllString(d.text, -1) {
			if !known[name] {
				t.Errorf("%s names %s, which is no setting", d.name, name)
			}
		}
	}
}

func TestMetricsThatTheDocumentsNameExist(t *testing.T) {
	t.Parallel()
	code := ""
	for _, text := range sources(t, ".go") {
		code += text
	}
	for _, d := range documents(t) {
		for _, name := range regexp.MustCompile(`\bonceshop_[a-z_]+`).FindAllString(d.text, -1) {
			if !strings.Contains(code, `"`+name+`"`) {
				t.Errorf("%s names the metric %s, which nobody registers", d.name, name)
			}
		}
	}
}

func TestTheTablesAreDescribed(t *testing.T) {
	t.Parallel()
	described := read(t, "docs/schema.md")
	made := map[string]bool{}
	for name, text := range sources(t, ".sql") {
		if m := regexp.MustCompile(`CREATE TABLE (\w+)`).FindStringSubmatch(text); m != nil {
			made[m[1]] = true
			if !strings.Contains(described, "`"+m[1]+"`") {
				t.Errorf("docs/schema.md leaves out %s of %s", m[1], name)
			}
		}
	}
	for _, d := range documents(t) {
		for _, table := range regexp.MustCompile("`((?:shop|pay)_[a-z_]+)`").FindAllStringSubmatch(d.prose(), -1) {
			if !made[table[1]] && !strings.HasPrefix(table[1], "pay_1") {
				t.Errorf("%s names the table %s, which no migration makes", d.name, table[1])
			}
		}
	}
}

func TestTheMapShowsEveryRoom(t *testing.T) {
	t.Parallel()
	_, house, _ := strings.Cut(read(t, "README.md"), "\n## The house\n")
	house, _, _ = strings.Cut(house, "\n## ")
	for _, rooms := range append(floors, testRooms) {
		for _, room := range rooms {
			if !regexp.MustCompile(`\b` + room + `\b`).MatchString(house) {
				t.Errorf("the README's map of the house leaves out %s", room)
			}
		}
	}
}
