package onceshop

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

func TestMakeTargetsThatTheDocumentsNameExist(t *testing.T) {
	t.Parallel()
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z]+):`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets[m[1]] = true
	}
	for _, d := range documents(t) {
		for _, line := range d.commands() {
			for _, m := range regexp.MustCompile(`(?:^|[;&|] *)make ([a-z]+)`).FindAllStringSubmatch(line, -1) {
				if !targets[m[1]] {
					t.Errorf("%s names make %s, which doesn't exist", d.name, m[1])
				}
			}
		}
	}
}

// commands are the lines that a reader may type: pieces of code and blocks of shell.
func (d document) commands() []string {
	lines := d.spans()
	for _, block := range fence.FindAllStringSubmatch(d.text, -1) {
		if block[1] != "" && block[1] != "sh" && block[1] != "console" {
			continue
		}
		joined := strings.ReplaceAll(block[2], "\\\n", " ")
		for _, line := range strings.Split(joined, "\n") {
			line, _, _ = strings.Cut(line, " #")
			lines = append(lines, strings.TrimPrefix(strings.TrimSpace(line), "$ "))
		}
	}
	return lines
}

// called finds the program in a line: by its name, or run from its source.
var called = regexp.MustCompile(`^(?:shop|\./bin/shop|bin/shop|go run \./cmd/shop) (.+)$`)

func TestCommandsThatTheDocumentsNameExist(t *testing.T) {
	t.Parallel()
	root := programWords(t)
	checked := 0
	for _, d := range documents(t) {
		for _, line := range d.commands() {
			m := called.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			checked++
			if problem := root.check(strings.Fields(m[1])); problem != "" {
				t.Errorf("%s: %q: %s", d.name, line, problem)
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d commands were found", checked)
	}
}

// word is a command of the program, as its struct describes it to kong.
type word struct {
	words map[string]*word
	flags map[string]bool
}

// check follows the words of a command line and tells what doesn't exist. Words
// behind the last command are its arguments.
func (w *word) check(args []string) (problem string) {
	flags := map[string]bool{"help": true}
	for name := range w.flags {
		flags[name] = true
	}
	skip := false
	for _, arg := range args {
		name, isFlag := strings.CutPrefix(arg, "--")
		name, _, _ = strings.Cut(strings.Trim(name, ".,;"), "=")
		switch {
		case isFlag && !flags[name]:
			return "there is no --" + name
		case isFlag:
			skip = name == "env-file" // its value may look like a word
		case skip:
			skip = false
		case strings.ContainsAny(arg, "|…"):
			return "" // alternatives, or the rest is left out
		case len(w.words) > 0 && w.words[arg] == nil:
			return "there is no command " + arg
		case len(w.words) > 0:
			w = w.words[arg]
			for name := range w.flags {
				flags[name] = true
			}
		}
	}
	return ""
}

// programWords reads the commands from the structs of cmd/shop: a main package
// can't be imported.
func programWords(t *testing.T) *word {
	t.Helper()
	files, err := filepath.Glob("cmd/shop/*.go")
	if err != nil {
		t.Fatal(err)
	}
	structs := map[string]*ast.StructType{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if s, ok := spec.Type.(*ast.StructType); ok {
					structs[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	return readWord(structs, "commands")
}

func readWord(structs map[string]*ast.StructType, name string) *word {
	w := &word{words: map[string]*word{}, flags: map[string]bool{}}
	for _, f := range structs[name].Fields.List {
		kind, _ := f.Type.(*ast.Ident)
		if len(f.Names) == 0 { // flags that several commands share
			shared := readWord(structs, kind.Name)
			for flag := range shared.flags {
				w.flags[flag] = true
			}
			continue
		}
		var tag reflect.StructTag
		if f.Tag != nil {
			text, _ := strconv.Unquote(f.Tag.Value) // the compiler has read it before us
			tag = reflect.StructTag(text)
		}
		spelled := kebab(f.Names[0].Name)
		if as := tag.Get("name"); as != "" {
			spelled = as
		}
		_, isCommand := tag.Lookup("cmd")
		_, isArgument := tag.Lookup("arg")
		switch {
		case isCommand:
			w.words[spelled] = readWord(structs, kind.Name)
		case !isArgument:
			w.flags[spelled] = true
		}
	}
	return w
}

// kebab spells a field as kong does: PreviousSecret is previous-secret, URL is url.
func kebab(field string) string {
	letters := []rune(field)
	var out []rune
	for i, r := range letters {
		starts := i > 0 && unicode.IsUpper(r) && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if starts {
			out = append(out, '-')
		}
		out = append(out, unicode.ToLower(r))
	}
	return string(slices.Clip(out))
}
