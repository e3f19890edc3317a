package assets

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"testing"
)

// demo is the catalogue that artSalt was chosen for.
func demo() []string {
	return []string{"inkwell", "tally", "lantern", "quarry", "meridian", "stillpoint"}
}

func TestSameSlugAlwaysHasTheSameCover(t *testing.T) {
	t.Parallel()
	for i := range 50 {
		slug := fmt.Sprintf("product-%d", i)
		if !bytes.Equal(drawArt(slug), drawArt(slug)) {
			t.Errorf("%s was drawn in two ways", slug)
		}
	}
}

func TestDemoCatalogueShowsEveryPatternAndNoInkTwice(t *testing.T) {
	t.Parallel()
	seenPattern, seenInk := map[int]string{}, map[int]string{}
	for _, slug := range demo() {
		p, c, _ := choose(slug, artSalt)
		if other, ok := seenPattern[p]; ok {
			t.Errorf("%s and %s have the same pattern", slug, other)
		}
		if other, ok := seenInk[c]; ok {
			t.Errorf("%s and %s have the same ink", slug, other)
		}
		seenPattern[p], seenInk[c] = slug, slug
	}
}

func TestEveryCoverIsSmallWellFormedAndWithoutScriptOrStyle(t *testing.T) {
	t.Parallel()
	for i := range 60 {
		svg := drawArt(fmt.Sprintf("<b>\"%d\"&", i))
		if packed := len(squeeze(svg)); packed > 3000 {
			t.Errorf("cover %d has %d bytes compressed", i, packed)
		}
		d := xml.NewDecoder(bytes.NewReader(svg))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("cover %d: %v", i, err)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if e.Name.Local == "script" || e.Name.Local == "style" {
				t.Errorf("cover %d holds <%s>", i, e.Name.Local)
			}
			for _, a := range e.Attr {
				if a.Name.Local == "style" {
					t.Errorf("cover %d holds a style attribute", i)
				}
			}
		}
	}
}
