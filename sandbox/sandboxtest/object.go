package sandboxtest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// Object is a JSON object, read.
type Object map[string]any

// Decode reads JSON that has to be right.
func Decode[T any](t testing.TB, raw []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return v
}

// At is the object behind names with dots between; empty if there is none.
func (o Object) At(path string) Object {
	for name := range strings.SplitSeq(path, ".") {
		m, _ := o[name].(map[string]any)
		o = m
	}
	return o
}

// Text is a member that is a text.
func (o Object) Text(name string) string { s, _ := o[name].(string); return s }

// List is a member that is a list of objects.
func (o Object) List(name string) (list []Object) {
	items, _ := o[name].([]any)
	for _, item := range items {
		m, _ := item.(map[string]any)
		list = append(list, m)
	}
	return list
}

// With is a copy with other members; a nil one is left out.
func (o Object) With(changes Object) Object {
	out := maps.Clone(o)
	maps.Copy(out, changes)
	maps.DeleteFunc(out, func(_ string, value any) bool { return value == nil })
	return out
}

// Expect compares members at once; numbers are float64.
func (o Object) Expect(t testing.TB, members Object) {
	t.Helper()
	for name, want := range members {
		if got := o[name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

// Request is the JSON object of members such as `"amount":4900`. More of them replace
// those of their names; without a value they leave them out.
func Request(members []string, more ...string) string {
	for _, m := range more {
		name, value, _ := strings.Cut(m, ":")
		members = slices.DeleteFunc(slices.Clone(members), func(old string) bool { return strings.HasPrefix(old, name+":") })
		if value != "" {
			members = append(members, m)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}
