package sandbox

import "net/http"

// Handler serves the API and the pages.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/v1/", s.api())
	return mux
}
