package web

import (
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

func (s *site) secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		s.setSecurityHeaders(c)
		return next(c)
	}
}

func (s *site) setSecurityHeaders(c echo.Context) {
	h := c.Response().Header()
	// A browser holds the redirect that follows a form to form-action too, so the
	// payment pages have to be named.
	forms := strings.Join(append([]string{"'self'"}, s.PayOrigins...), " ")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; "+
		"connect-src 'self'; font-src 'self'; frame-src 'self'; form-action "+forms+"; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
	if s.secure {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// compress is for public pages only. An order's page holds secrets beside what it
// repeats of its address, and the length of a compressed answer would tell how
// alike the two are (BREACH).
func compress() echo.MiddlewareFunc {
	return middleware.GzipWithConfig(middleware.GzipConfig{MinLength: 1024})
}

// public marks a page that anybody may see, but not in place of somebody else: it
// counts what is in the visitor's cart.
func public(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "private, no-cache")
		return next(c)
	}
}

// private marks a page that only its owner should ever see.
func private(c echo.Context) {
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex, nofollow")
}
