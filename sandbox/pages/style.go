package pages

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
)

//go:embed base.css
var baseCSS string

//go:embed pay.css
var payCSS string

//go:embed desk.css
var deskCSS string

//go:embed icon.svg
var icon string

// Policy is the content security policy of every page.
const Policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// The assets' paths change with their content, so that caches may keep them.
func cssPath() string  { return assetPath(css(), ".css") }
func iconPath() string { return assetPath(icon, ".svg") }

// css is one file for all pages: it is small, and cached after the first.
func css() string { return baseCSS + payCSS + deskCSS }

func assetPath(content, suffix string) string {
	sum := sha256.Sum256([]byte(content))
	return "/assets/" + hex.EncodeToString(sum[:6]) + suffix
}

// Assets serves the style sheet and the icon.
func Assets() http.Handler {
	mux := http.NewServeMux()
	for path, asset := range map[string]struct{ kind, content string }{
		cssPath():  {"text/css; charset=utf-8", css()},
		iconPath(): {"image/svg+xml", icon},
	} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", asset.kind)
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			w.Header().Set("X-Content-Type-Options", "nosniff")
			_, _ = w.Write([]byte(asset.content)) // the reader may be gone
		})
	}
	return mux
}
