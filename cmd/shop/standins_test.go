package main

import (
	"os"
	"strings"
	"testing"

	"onceshop/config"
)

func TestTheExampleFileLeadsEveryProviderToItsStandIn(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range practisable() {
		line := "\n#   " + config.SettingOf(name, "BASE_URL") + "=http://127.0.0.1:8090" + standIns[name].path + "\n"
		if !strings.Contains(string(text), line) {
			t.Errorf(".env.example lacks%s", line)
		}
	}
}
