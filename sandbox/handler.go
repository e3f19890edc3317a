package sandbox

import (
	"bytes"
	"net/http"

	"github.com/a-h/templ"

	"onceshop/sandbox/pages"
)

// Handler serves StableIn's API and the practice API under /v1/, every other
// dialect's under /<name>/, the hosted pages under /pay/ and the desk.
// The desk has no sign-in: who can reach the port may press every button, as
// befits a place where nothing is real. Keep the port to yourself.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/v1/", s.api())
	for name, d := range s.dialects {
		if name != StableIn {
			mux.Handle("/"+name+"/", http.StripPrefix("/"+name, d.Routes(s)))
		}
	}
	mux.HandleFunc("GET /healthz", s.healthz)
	mux.Handle("/assets/", pages.Assets())
	mux.Handle("/", http.NewCrossOriginProtection().Handler(s.site()))
	return mux
}

// site returns the pages. Forms answer with a redirect, so that going back and
// reloading don't press a button again.
func (s *Server) site() http.Handler {
	mux := http.NewServeMux()
	page := func(pattern string, h pageFunc) { mux.Handle(pattern, s.page(h)) }
	page("GET /{$}", s.deskPage)
	page("GET /pay/{id}", s.payPage)
	page("POST /pay/{id}", s.payForm)
	page("GET /orders/{id}", s.orderPage)
	page("POST /orders/{id}/resend", s.resendForm)
	page("GET /faults", s.faultsPage)
	page("POST /faults", s.faultsForm)
	page("/", func(http.ResponseWriter, *http.Request) (templ.Component, int, error) {
		return nil, 0, NotFound("page")
	})
	return mux
}

// pageFunc returns the page to show and its status, or nil after it has
// answered with a redirect, or an error.
type pageFunc func(w http.ResponseWriter, r *http.Request) (templ.Component, int, error)

// maxForm is far more than any form of ours.
const maxForm = 64 << 10

// page renders into a buffer first: half a page is never sent.
func (s *Server) page(h pageFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", pages.Policy)
		header.Set("Referrer-Policy", "same-origin")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		component, status, err := h(w, r)
		if err != nil {
			component, status = s.problemPage(r, err)
		}
		if component == nil {
			return
		}
		var body bytes.Buffer
		if err := component.Render(r.Context(), &body); err != nil {
			s.log.Error("page not drawn", "path", r.URL.Path, "error", err)
			http.Error(w, "This page can't be shown now.", http.StatusInternalServerError)
			return
		}
		header.Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		_, _ = w.Write(body.Bytes()) // the reader may be gone
	})
}

func (s *Server) problemPage(r *http.Request, err error) (templ.Component, int) {
	e := asError(err)
	if e.Status >= 500 {
		s.log.Error("page failed", "path", r.URL.Path, "code", e.Code, "error", err)
	}
	title := http.StatusText(e.Status)
	if e.Status == http.StatusNotFound {
		title = "Not found"
	}
	return pages.ProblemPage(pages.Problem{Title: title, Lead: sentence(e.Detail)}), e.Status
}

// healthz says whether the database answers.
func (s *Server) healthz(w http.ResponseWriter, r *http.Request) {
	if err := s.db.PingContext(r.Context()); err != nil {
		http.Error(w, "database away", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ok\n"))
}

func redirect(w http.ResponseWriter, r *http.Request, to string) (templ.Component, int, error) {
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil, 0, nil
}
