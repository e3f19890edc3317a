package app

import (
	"net/http"
	"strings"
)

// router tells webhooks from pages. Webhooks don't pass through the pages' guards:
// a provider has no origin to show and its bodies may be larger than a form. It is
// no ServeMux, because that answers odd paths with a redirect, which a provider
// must never get.
type router struct{ pages, webhooks http.Handler }

func (r router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if strings.HasPrefix(req.URL.Path, "/webhooks/") {
		r.webhooks.ServeHTTP(w, req)
		return
	}
	r.pages.ServeHTTP(w, req)
}
