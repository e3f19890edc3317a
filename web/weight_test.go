package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"onceshop/shoptest"
)

// firstView is what a first visit may transfer, bodies and headers together.
const firstView = 60_000

func TestTheFirstViewWeighsLittle(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	for i := range 9 {
		s.Product(fmt.Sprintf("product-%d", i), fmt.Sprintf("Product %d", i), "49000000", "USDC")
	}
	b := s.Browser()
	total, html := weigh(t, s, b, "/")
	seen := map[string]bool{}
	parse(t, shoptest.Page{Answer: shoptest.Answer{Body: html}}).Find("img[src], script[src], link[href]").Each(func(_ int, e *goquery.Selection) {
		seen[e.AttrOr("src", e.AttrOr("href", ""))] = true
	})
	t.Logf("GET /: %d bytes as transferred", total)
	for address := range seen {
		n, _ := weigh(t, s, b, address)
		t.Logf("GET %s: %d", address, n)
		total += n
	}
	t.Logf("first view with %d products: %d bytes in %d requests", 9, total, len(seen)+1)
	if total > firstView {
		t.Errorf("the first view transfers %d bytes, want at most %d", total, firstView)
	}
}

// weigh returns how much an answer takes on the wire, and its content.
func weigh(t *testing.T, s *shoptest.Pages, b *shoptest.Browser, address string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, s.URL+address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "gzip")
	page := b.Do(r)
	wantStatus(t, page, http.StatusOK)
	var header bytes.Buffer
	if err := page.Header.Write(&header); err != nil {
		t.Fatal(err)
	}
	content := page.Body
	if page.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader([]byte(page.Body)))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		content = string(plain)
	}
	return len(page.Body) + header.Len(), content
}
