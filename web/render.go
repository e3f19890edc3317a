package web

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"onceshop/database"
	"onceshop/problem"
	"onceshop/requestlog"
	"onceshop/store"
	"onceshop/web/view"
)

// render sends a page once all of it is known to be fine.
func render(c echo.Context, status int, page templ.Component) error {
	var buf bytes.Buffer
	if err := page.Render(c.Request().Context(), &buf); err != nil {
		return err
	}
	return c.HTMLBlob(status, buf.Bytes())
}

// renderEmergency prepares the page for when no page can be rendered.
func (s *site) renderEmergency() error {
	var buf bytes.Buffer
	err := view.ProblemPage(view.Problem{
		Layout: s.plainLayout("Something went wrong"), Code: http.StatusInternalServerError,
		Heading: "Something went wrong", Sentence: "This is our fault, not yours. Please try again in a moment.",
	}).Render(context.Background(), &buf)
	s.emergency = buf.Bytes()
	return err
}

var errForeignForm = &problem.Error{Kind: problem.Forbidden,
	Message: "This form was sent from another site, so we did not act on it. Open the shop itself and try again."}

// fail turns an error into a page. It is the only place that does.
func (s *site) fail(err error, c echo.Context) {
	if c.Response().Committed {
		return // a stream broke off; there is no page to send
	}
	ctx := c.Request().Context()
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return // the browser has left; nobody reads a page
	}
	p := describe(err)
	p.RequestID = requestlog.ID(ctx)
	if p.Code >= 500 {
		s.Log.LogAttrs(ctx, slog.LevelError, "page failed", slog.String("request_id", p.RequestID),
			slog.String("route", c.Path()), slog.Any("error", err))
	}
	// No database behind this page: it may be what is missing.
	p.Layout = s.plainLayout(p.Heading)
	p.Private = true
	c.Response().Header().Set("Cache-Control", "no-store")
	if p.Code == http.StatusServiceUnavailable {
		c.Response().Header().Set("Retry-After", "10")
	}
	if err := render(c, p.Code, view.ProblemPage(p)); err != nil {
		s.Log.Error("error page failed", "error", err)
		_ = c.HTMLBlob(http.StatusInternalServerError, s.emergency) // nothing is left to try
	}
}

// describe is the one mapping from errors to HTTP.
func describe(err error) view.Problem {
	var known *problem.Error
	var framework *echo.HTTPError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		return describeKnown(known)
	case errors.As(err, &tooLarge):
		return view.Problem{Code: http.StatusRequestEntityTooLarge, Heading: "Too much to read", Sentence: "The form was larger than this shop takes."}
	case errors.As(err, &framework) && framework.Code == http.StatusMethodNotAllowed:
		return view.Problem{Code: framework.Code, Heading: "That doesn't work here", Sentence: "This address takes no such request."}
	case errors.As(err, &framework) && framework.Code < 500 && framework.Code != http.StatusNotFound:
		return view.Problem{Code: framework.Code, Heading: "We could not read that", Sentence: "Please go back and try again."}
	case errors.As(err, &framework) && framework.Code == http.StatusNotFound, store.IsNotFound(err):
		return notFound
	case database.IsUnavailable(err):
		return unavailable
	}
	return view.Problem{Code: http.StatusInternalServerError, Heading: "Something went wrong",
		Sentence: "This is our fault, not yours. Nothing was charged by this. Please try again in a moment."}
}

var (
	notFound = view.Problem{Code: http.StatusNotFound, Heading: "Page not found",
		Sentence: "There is nothing at this address. If you followed a link from a mail, check that it was copied whole."}
	unavailable = view.Problem{Code: http.StatusServiceUnavailable, Heading: "Back in a moment",
		Sentence: "The shop can't reach its records right now. Nothing is lost. Please try again in a moment."}
)

func describeKnown(e *problem.Error) view.Problem {
	p := view.Problem{Sentence: e.Message}
	switch e.Kind {
	case problem.Invalid:
		p.Code, p.Heading = http.StatusUnprocessableEntity, "Something is missing"
	case problem.NotFound:
		p.Code, p.Heading = http.StatusNotFound, "Page not found"
	case problem.Forbidden:
		p.Code, p.Heading = http.StatusForbidden, "We did not do that"
	case problem.Conflict:
		p.Code, p.Heading = http.StatusConflict, "That has changed meanwhile"
	case problem.Unavailable:
		p.Code, p.Heading = http.StatusServiceUnavailable, "Back in a moment"
	default:
		p.Code, p.Heading = http.StatusInternalServerError, "Something went wrong"
	}
	return p
}
