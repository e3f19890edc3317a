package assets

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Prefix is where Handler must be mounted: pages link below it.
const Prefix = "/assets/"

// forever is a year, the most that caches take seriously. The name changes with
// the content, so nothing older than the page is ever shown.
const forever = "public, max-age=31536000, immutable"

// Handler serves what Path and Art name, and nothing else.
func Handler() http.Handler {
	s := load()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		f, ok := s.byServed[name]
		if !ok {
			f, ok = s.art(name)
		}
		if !ok {
			w.Header().Set("Cache-Control", "no-store")
			http.NotFound(w, r)
			return
		}
		serve(w, r, f)
	})
}

func serve(w http.ResponseWriter, r *http.Request, f file) {
	h := w.Header()
	h.Set("Cache-Control", forever)
	h.Set("Content-Type", f.kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Accept-Encoding")
	body := f.plain
	if takesGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		body = f.gzipped
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(body) // the reader went away: nobody is left to tell
}

// takesGzip reads Accept-Encoding as far as browsers use it: a list of names,
// where q=0 is a refusal.
func takesGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, q, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q = strings.ReplaceAll(q, " ", "")
			return q != "q=0" && !strings.HasPrefix(q, "q=0.0")
		}
	}
	return false
}

// Art is the address of a product's cover.
func Art(slug string) string {
	return Prefix + "art/" + load().artVersion + "/" + url.PathEscape(slug) + ".svg"
}

// art draws a cover when it is asked for: it takes less time than reading one
// from a disk, and the answer is cached for good.
func (s shelf) art(name string) (file, bool) {
	slug, ok := strings.CutPrefix(name, "art/"+s.artVersion+"/")
	if !ok {
		return file{}, false
	}
	slug, ok = strings.CutSuffix(slug, ".svg")
	if !ok || slug == "" || len(slug) > maxSlug || strings.Contains(slug, "/") {
		return file{}, false
	}
	svg := drawArt(slug)
	return file{kind: contentType(".svg"), plain: svg, gzipped: squeeze(svg)}, true
}

// maxSlug bounds what a stranger can make us hash.
const maxSlug = 200
