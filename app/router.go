package app

import (
	"net/http"
	"strings"

	"onceshop/webhooks"
)

// router tells webhooks from pages. Webhooks don't pass through the pages' guards:
// a provider has no origin to show and its bodies may be larger than a form. It is
// no ServeMux, because that answers odd paths with a redirect, which a provider
// must never get.
type router struct{ pages, webhooks http.Handler }

func (r router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	provider, webhook := strings.CutPrefix(req.URL.EscapedPath(), "/webhooks/")
	switch {
	case webhook && !strings.ContainsAny(provider, "/%"):
		r.webhooks.ServeHTTP(w, req)
	case strings.HasPrefix(req.URL.Path, "/webhooks/"):
		// Not the documented address, though it may mean the same: a proxy's rules
		// for the one wouldn't hold for the other.
		nowhere.ServeHTTP(w, req)
	default:
		r.pages.ServeHTTP(w, req)
	}
}

// nowhere answers as for an unknown provider.
var nowhere = &webhooks.Handler{}
