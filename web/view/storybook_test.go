package view_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"onceshop/web/assets"
)

// TestStorybook writes every sample as a file to look at, with the assets
// beside it: STORYBOOK=/some/folder go test -run Storybook ./web/view/. Without
// a folder of one's own it writes into one that is thrown away.
func TestStorybook(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("STORYBOOK")
	if dir == "" {
		dir = t.TempDir()
	}
	links := regexp.MustCompile(`"(/assets/[^"]+)"`)
	var index bytes.Buffer
	for _, s := range samples() {
		var page bytes.Buffer
		if err := s.page.Render(context.Background(), &page); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		write(t, filepath.Join(dir, s.name+".html"), page.Bytes())
		index.WriteString(`<p><a href="` + s.name + `.html">` + s.name + `</a>`)
		for _, link := range links.FindAllStringSubmatch(page.String(), -1) {
			rec := httptest.NewRecorder()
			assets.Handler().ServeHTTP(rec, httptest.NewRequest("GET", link[1], nil))
			if rec.Code != 200 {
				t.Fatalf("%s: GET %s: %d", s.name, link[1], rec.Code)
			}
			write(t, filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(link[1], "/"))), rec.Body.Bytes())
		}
	}
	write(t, filepath.Join(dir, "index.html"), index.Bytes())
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
