package config

import (
	"fmt"
	"os"
	"strings"
)

// ReadEnvFile reads lines of NAME=value, as docker compose and shells do: blank
// lines and those that begin with # are passed over, single or double quotes around
// a value belong to the file and not to the value. Nothing is expanded.
func ReadEnvFile(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var environ []string
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if !ok || strings.ContainsAny(name, " \t") {
			return nil, fmt.Errorf("%s: line %d is not NAME=value", path, i+1) // the line may hold a secret
		}
		for _, quote := range []string{`'`, `"`} {
			if len(value) >= 2 && strings.HasPrefix(value, quote) && strings.HasSuffix(value, quote) {
				value = value[1 : len(value)-1]
				break
			}
		}
		environ = append(environ, name+"="+value)
	}
	return environ, nil
}
