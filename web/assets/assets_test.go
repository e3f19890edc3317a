package assets_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"onceshop/web/assets"
)

func get(t *testing.T, method, path, accept string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	w := httptest.NewRecorder()
	assets.Handler().ServeHTTP(w, r)
	return w
}

func served() []string {
	return []string{
		assets.Path("shop.css"), assets.Path("shop.js"), assets.Path("mark.svg"), assets.Path("hero.svg"), assets.Art("inkwell"),
	}
}

func TestAssetsAreKeptForEverUnderTheHashOfTheirContent(t *testing.T) {
	t.Parallel()
	hashed := regexp.MustCompile(`[./][0-9a-f]{12}[./]`)
	for _, path := range served() {
		w := get(t, "GET", path, "")
		if w.Code != http.StatusOK {
			t.Errorf("GET %s: %d", path, w.Code)
		}
		if got := w.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("GET %s: Cache-Control %q", path, got)
		}
		if got := w.Header().Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("GET %s: X-Content-Type-Options %q", path, got)
		}
		if !hashed.MatchString(path) {
			t.Errorf("%s carries no hash", path)
		}
	}
}

func TestCompressedAssetIsTheSameAsThePlainOne(t *testing.T) {
	t.Parallel()
	for _, path := range served() {
		plain := get(t, "GET", path, "br, gzip;q=0")
		if got := plain.Header().Get("Content-Encoding"); got != "" {
			t.Errorf("GET %s: Content-Encoding %q although gzip was refused", path, got)
		}
		packed := get(t, "GET", path, "deflate, gzip;q=0.8, br")
		if got := packed.Header().Get("Content-Encoding"); got != "gzip" {
			t.Fatalf("GET %s: Content-Encoding %q", path, got)
		}
		z, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if string(b) != plain.Body.String() {
			t.Errorf("GET %s: the compressed content differs", path)
		}
	}
}

func TestHeadTellsTheLengthWithoutTheContent(t *testing.T) {
	t.Parallel()
	w := get(t, "HEAD", assets.Path("shop.css"), "")
	if w.Code != http.StatusOK || w.Body.Len() != 0 || w.Header().Get("Content-Length") == "0" {
		t.Errorf("HEAD: %d, %d bytes, Content-Length %s", w.Code, w.Body.Len(), w.Header().Get("Content-Length"))
	}
}

func TestUnknownAssetIsNotKept(t *testing.T) {
	t.Parallel()
	art := strings.TrimSuffix(assets.Art("x"), "x.svg")
	for _, path := range []string{
		"/assets/", "/assets/shop.css", "/assets/css/theme.css", "/assets/shop.000000000000.css", "/assets/art/000000000000/x.svg",
		art + ".svg", art + "a/b.svg", art + strings.Repeat("a", 300) + ".svg", art + "x.png",
	} {
		w := get(t, "GET", path, "")
		if w.Code != http.StatusNotFound || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("GET %s: %d, Cache-Control %q", path, w.Code, w.Header().Get("Cache-Control"))
		}
	}
}

func TestAssetsAreOnlyRead(t *testing.T) {
	t.Parallel()
	w := get(t, "POST", assets.Path("shop.css"), "")
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

func TestNothingIsLoadedFromElsewhere(t *testing.T) {
	t.Parallel()
	elsewhere := regexp.MustCompile(`https?://|url\(|@import`)
	for _, path := range served() {
		body := strings.ReplaceAll(get(t, "GET", path, "").Body.String(), `xmlns="http://www.w3.org/2000/svg"`, "")
		if found := elsewhere.FindString(strings.ReplaceAll(body, `fill="url(#g)"`, "")); found != "" {
			t.Errorf("%s holds %q", path, found)
		}
	}
}
