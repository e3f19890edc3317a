package browsertest_test

import (
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe is axe-core's source: see testdata/axe.
var axe = sync.OnceValues(func() (string, error) {
	f, err := os.Open("testdata/axe/axe.min.js.gz")
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	source, err := io.ReadAll(z)
	return string(source), err
})

// finding is one rule of axe-core that a page breaks.
type finding struct {
	ID     string `json:"id"`
	Impact string `json:"impact"`
	Help   string `json:"help"`
	Nodes  []struct {
		HTML    string   `json:"html"`
		Target  []string `json:"target"`
		Summary string   `json:"failureSummary"`
	} `json:"nodes"`
}

// findings lets axe-core look at the page. Frames are pages of their own.
func (t *tab) findings() []finding {
	t.Helper()
	source, err := axe()
	if err != nil {
		t.Fatal(err)
	}
	t.do(chromedp.Evaluate[chromedp.Void](source + ";undefined"))
	return value(t, awaited[[]finding](`axe.run(document, {
		iframes: false,
		runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
		resultTypes: ["violations"],
	}).then(result => result.violations)`))
}

// examine fails the test for what axe-core finds serious or critical, and tells
// the rest.
func (t *tab) examine(what string) {
	t.Helper()
	for _, f := range t.findings() {
		var where []string
		for _, n := range f.Nodes {
			where = append(where, strings.Join(n.Target, " ")+": "+n.Summary)
		}
		tell := t.Logf
		if f.Impact == "serious" || f.Impact == "critical" {
			tell = t.Errorf
		}
		tell("%s: %s (%s, %s)\n\t%s", what, f.Help, f.ID, f.Impact, strings.Join(where, "\n\t"))
	}
}

// A silent examiner would pass every page.
func TestTheExaminerFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := open(t).tab(390)
	b.write(`<!doctype html><html><head><title>T</title></head><body><main><h1>Faint</h1>
		<p style="color:#aaa;background:#fff">hard to read</p><img src="data:,"><input></main></body></html>`)
	var ids []string
	for _, f := range b.findings() {
		ids = append(ids, f.ID)
	}
	for _, want := range []string{"color-contrast", "html-has-lang", "image-alt", "label"} {
		if !slices.Contains(ids, want) {
			t.Errorf("axe-core finds %q, and not %s", ids, want)
		}
	}
}
