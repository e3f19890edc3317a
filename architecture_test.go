package onceshop

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors orders the house. A package may import what stands on a lower floor;
// rooms of one floor don't know one another and meet in tables.
var floors = [][]string{
	{"cmd"},
	{"app", "shoptest", "bench", "crashtest", "browsertest", "practicetest"},
	{"config", "operations"},
	{"web", "webhooks", "reconcile", "sandbox"},
	{"checkout"},
	{"fulfillment"},
	{"store"},
	{"lease", "providers", "migrations", "mysqld", "requestlog"},
	{"database", "license", "problem"},
	{"payment", "scripts", "internal"},
}

// testRooms are furnished for tests only: they may import anything, and nothing
// but tests may import them.
var testRooms = []string{"testdb", "shoptest"}

// sqlRooms are the only ones that may speak to database/sql.
var sqlRooms = []string{"database", "lease", "store", "migrations", "sandbox", "mysqld", "testdb", "shoptest"}

// echoRooms are the only ones that know the web framework.
var echoRooms = []string{"web", "cmd"}

func TestImportsPointDownOnly(t *testing.T) {
	t.Parallel()
	floor := map[string]int{}
	for i, rooms := range floors {
		for _, room := range rooms {
			floor[room] = i
		}
	}
	eachImport(t, func(file, room, path string) {
		from, known := floor[room]
		to, ours := strings.CutPrefix(path, "onceshop/")
		if !ours || strings.HasSuffix(file, "_test.go") || slices.Contains(testRooms, room) {
			return
		}
		if !known {
			t.Errorf("%s: package %s stands on no floor; add it to the house", file, room)
			return
		}
		target, _, _ := strings.Cut(to, "/")
		if target != room && floor[target] <= from {
			t.Errorf("%s imports %s, but %s stands beside or above %s; imports point down only", file, path, target, room)
		}
		if slices.Contains(testRooms, target) {
			t.Errorf("%s imports %s, which only tests may", file, path)
		}
	})
}

func TestSQLStaysInItsRooms(t *testing.T) {
	t.Parallel()
	eachImport(t, func(file, room, path string) {
		if path == "database/sql" && !slices.Contains(sqlRooms, room) && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s imports database/sql; SQL lives in %s", file, strings.Join(sqlRooms, ", "))
		}
	})
}

func TestTheWebFrameworkStaysInTheWeb(t *testing.T) {
	t.Parallel()
	eachImport(t, func(file, room, path string) {
		if strings.HasPrefix(path, "github.com/labstack/echo") && !slices.Contains(echoRooms, room) {
			t.Errorf("%s imports echo; handlers live in %s", file, strings.Join(echoRooms, ", "))
		}
	})
}

func TestShopAndSandboxDoNotKnowEachOther(t *testing.T) {
	t.Parallel()
	neighbours := []string{"sandbox", "lease", "database", "payment", "testdb"}
	eachImport(t, func(file, room, path string) {
		to, ours := strings.CutPrefix(path, "onceshop/")
		target, _, _ := strings.Cut(to, "/")
		switch {
		case !ours:
		case room == "sandbox" && !slices.Contains(neighbours, target):
			t.Errorf("%s imports %s; the sandbox must work like somebody else's platform", file, path)
		case target == "sandbox" && !slices.Contains([]string{"sandbox", "cmd", "testdb"}, room) && !strings.HasSuffix(file, "_test.go"):
			t.Errorf("%s imports %s; the shop knows the sandbox only through its API", file, path)
		}
	})
}

func eachImport(t *testing.T, visit func(file, room, path string)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && file != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		room, _, inFolder := strings.Cut(filepath.ToSlash(file), "/")
		if !inFolder {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, imp := range parsed.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			visit(file, room, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("only %d files were read; is this the module's root?", files)
	}
}
