// Package requestlog gives every request an id and one line in the log. Lines
// hold ids, routes, codes and times; never bodies, addresses of pages (an order's
// address is its key), query strings, cookies or mail addresses.
package requestlog

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"
)

type key struct{}

type entry struct {
	id    string
	route string
	attrs []slog.Attr
}

// Middleware wraps next. Lines of successful requests are at level debug: a shop's
// busy hour shouldn't drown its warnings.
func Middleware(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := &entry{id: uuid.NewString()}
		ctx := context.WithValue(r.Context(), key{}, e)
		w.Header().Set("X-Request-Id", e.id)
		rec := &recorder{ResponseWriter: w}
		defer write(ctx, log, r, rec, e, time.Now()) // also when next panics
		next.ServeHTTP(rec, r.WithContext(ctx))
	})
}

func write(ctx context.Context, log *slog.Logger, r *http.Request, rec *recorder, e *entry, start time.Time) {
	level := slog.LevelDebug
	switch {
	case rec.status >= 500:
		level = slog.LevelError
	case rec.status >= 400:
		level = slog.LevelInfo
	}
	attrs := append([]slog.Attr{
		slog.String("request_id", e.id), slog.String("method", r.Method), slog.String("route", e.route),
		slog.Int("status", rec.status), slog.Duration("took", time.Since(start).Round(time.Microsecond)),
		slog.Bool("hung_up", r.Context().Err() != nil),
	}, e.attrs...)
	log.LogAttrs(ctx, level, "request", attrs...)
}

// ID returns the request's id; empty outside of the middleware.
func ID(ctx context.Context) string {
	if e, ok := ctx.Value(key{}).(*entry); ok {
		return e.id
	}
	return ""
}

// Route names the request's route for its line, in place of its address.
func Route(ctx context.Context, pattern string) {
	if e, ok := ctx.Value(key{}).(*entry); ok {
		e.route = pattern
	}
}

// Add puts facts into the request's line.
func Add(ctx context.Context, attrs ...slog.Attr) {
	if e, ok := ctx.Value(key{}).(*entry); ok {
		e.attrs = append(e.attrs, attrs...)
	}
}

type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach deadlines and flushing.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
