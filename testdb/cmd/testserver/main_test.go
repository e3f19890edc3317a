package main

import (
	"os"
	"testing"

	"onceshop/testdb/shared"
)

func TestExitCodeIsTheCommands(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "testserver-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	place := shared.Place{Dir: dir}
	for script, want := range map[string]int{
		"test -S " + dir + "/*/mysqld.sock": 0, // the server is there
		"exit 3":                            3,
	} {
		code, err := around(t.Context(), place, []string{"sh", "-c", script})
		if err != nil || code != want {
			t.Errorf("%s: exit code %d, %v; want %d", script, code, err, want)
		}
	}
}

func TestUnknownCommandIsAnError(t *testing.T) {
	t.Parallel()
	code, err := execute(t.Context(), []string{"no-such-command-here"})
	if err == nil || code == 0 {
		t.Errorf("exit code %d, error %v", code, err)
	}
}
