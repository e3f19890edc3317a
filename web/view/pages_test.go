package view_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"
)

// update rewrites the golden files: go test ./web/view/ -update, then read the
// difference before committing it.
var update = flag.Bool("update", false, "rewrite the golden files")

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parse(t *testing.T, html string) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(html))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// eachPage runs f for every sample as a test of its own.
func eachPage(t *testing.T, f func(t *testing.T, doc *goquery.Document)) {
	t.Helper()
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			f(t, parse(t, render(t, s.page)))
		})
	}
}

func TestPagesMatchTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			got := golden(render(t, s.page))
			name := filepath.Join("testdata", s.name+".html")
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("differs from %s (-want +got):\n%s", name, diff)
			}
		})
	}
}

// golden puts one element on a line, so that a difference is as short as the
// change, and leaves out the assets' hashes: a new colour is not a new page.
func golden(page string) string {
	page = regexp.MustCompile(`(/assets/[a-z/]+[./])[0-9a-f]{12}([./])`).ReplaceAllString(page, "${1}HASH${2}")
	return strings.ReplaceAll(page, "><", ">\n<") + "\n"
}

func TestEveryPageHasOneFirstHeadingAndSkipsNoLevel(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t *testing.T, doc *goquery.Document) {
		if n := doc.Find("h1").Length(); n != 1 {
			t.Errorf("%d h1", n)
		}
		level := 0
		doc.Find("main").Find("h1, h2, h3, h4").Each(func(_ int, h *goquery.Selection) {
			next := int(goquery.NodeName(h)[1] - '0')
			if level != 0 && next > level+1 {
				t.Errorf("h%d %q follows h%d", next, h.Text(), level)
			}
			level = next
		})
	})
}

func TestEveryFieldHasALabel(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t *testing.T, doc *goquery.Document) {
		doc.Find("input:not([type=hidden]), select, textarea").Each(func(_ int, in *goquery.Selection) {
			id := in.AttrOr("id", "")
			if id == "" || doc.Find(`label[for="`+id+`"]`).Length() != 1 {
				html, _ := goquery.OuterHtml(in)
				t.Errorf("no label for %s", html)
			}
		})
	})
}

func TestNoPageHoldsInlineScriptOrStyle(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t *testing.T, doc *goquery.Document) {
		doc.Find("script").Each(func(_ int, s *goquery.Selection) {
			if s.AttrOr("src", "") == "" || s.Text() != "" {
				t.Errorf("inline script %q", s.Text())
			}
		})
		if doc.Find("style, [style]").Length() != 0 {
			t.Error("inline style")
		}
		doc.Find("*").Each(func(_ int, e *goquery.Selection) {
			for _, a := range e.Nodes[0].Attr {
				if strings.HasPrefix(a.Key, "on") {
					t.Errorf("inline handler %s=%q", a.Key, a.Val)
				}
				if strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") {
					t.Errorf("script address %s=%q", a.Key, a.Val)
				}
			}
		})
	})
}

func TestNothingOnAPageIsLoadedFromElsewhere(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t *testing.T, doc *goquery.Document) {
		doc.Find("[src], link[href]").Each(func(_ int, e *goquery.Selection) {
			address := e.AttrOr("src", e.AttrOr("href", ""))
			if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
				t.Errorf("loads %q", address)
			}
		})
	})
}

func TestIdsAreUniqueAndEveryReferenceHasItsTarget(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t *testing.T, doc *goquery.Document) {
		seen := map[string]bool{}
		doc.Find("[id]").Each(func(_ int, e *goquery.Selection) {
			id := e.AttrOr("id", "")
			if seen[id] || id == "" {
				t.Errorf("id %q twice or empty", id)
			}
			seen[id] = true
		})
		for _, attr := range []string{"for", "aria-labelledby", "aria-describedby", "data-copy"} {
			doc.Find("[" + attr + "]").Each(func(_ int, e *goquery.Selection) {
				for id := range strings.FieldsSeq(e.AttrOr(attr, "")) {
					if !seen[id] {
						t.Errorf("%s points at %q, which is not there", attr, id)
					}
				}
			})
		}
		doc.Find(`a[href^="#"]`).Each(func(_ int, a *goquery.Selection) {
			if id := strings.TrimPrefix(a.AttrOr("href", ""), "#"); !seen[id] {
				t.Errorf("link to #%s, which is not there", id)
			}
		})
	})
}

func TestEveryImageSaysWhetherItMeansAnything(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t *testing.T, doc *goquery.Document) {
		doc.Find("img").Each(func(_ int, img *goquery.Selection) {
			if _, ok := img.Attr("alt"); !ok {
				t.Errorf("no alt on %s", img.AttrOr("src", ""))
			}
		})
		doc.Find("svg").Each(func(_ int, svg *goquery.Selection) {
			if svg.AttrOr("aria-hidden", "") != "true" {
				t.Error("an icon is read aloud")
			}
			if svg.Children().Length() == 0 {
				t.Error("an icon is empty: its name is misspelt")
			}
		})
	})
}

func TestFormsOnlyPostToTheShop(t *testing.T) {
	t.Parallel()
	eachPage(t, func(t *testing.T, doc *goquery.Document) {
		doc.Find("form").Each(func(_ int, f *goquery.Selection) {
			if f.AttrOr("method", "") != "post" || !strings.HasPrefix(f.AttrOr("action", ""), "/") {
				html, _ := goquery.OuterHtml(f)
				t.Errorf("form %s", html)
			}
		})
	})
}
