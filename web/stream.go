package web

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"onceshop/checkout"
	"onceshop/store/db"
	"onceshop/web/view"
)

const (
	lookEvery  = time.Second      // how often an open page's order is looked at: one small query
	streamLife = 10 * time.Minute // then the browser connects anew
)

// stream sends the order's page anew, as an event, whenever the order changes. It
// ends with the browser, with the server, or by time.
func (s *site) stream(c echo.Context) error {
	private(c)
	ctx, hash := c.Request().Context(), checkout.HashToken(c.Param("token"))
	last, err := s.DB.OrderPulse(ctx, hash)
	if err != nil {
		return err
	}
	rc := http.NewResponseController(c.Response().Writer)
	// The server's deadline is for reading a request; this one has been read.
	_ = rc.SetReadDeadline(time.Time{}) // not every ResponseWriter has deadlines
	c.Response().Header().Set("Content-Type", "text/event-stream")
	c.Response().Header().Set("X-Accel-Buffering", "no") // a proxy that gathers would hold the news back
	c.Response().WriteHeader(http.StatusOK)
	if _, err := fmt.Fprintf(c.Response(), "retry: 2000\n\n"); err != nil {
		return err
	}
	if err := rc.Flush(); err != nil {
		return err
	}
	if c.Request().Method == http.MethodHead {
		return nil // the connection is wanted for the next request
	}

	look, end := time.NewTicker(lookEvery), time.NewTimer(streamLife)
	defer look.Stop()
	defer end.Stop()
	// The page may have been drawn before the stream began: send it once.
	for pulse := (db.OrderPulseRow{}); ; {
		if pulse != last {
			if err := s.sendOrder(c); err != nil {
				return err
			}
			if err := rc.Flush(); err != nil {
				return err
			}
			pulse = last
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.Closing:
			return nil
		case <-end.C:
			return nil
		case <-look.C:
		}
		if last, err = s.DB.OrderPulse(ctx, hash); err != nil {
			return err // the browser connects again
		}
	}
}

// sendOrder writes the page's changing part as one event.
func (s *site) sendOrder(c echo.Context) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := view.OrderBody(v).Render(c.Request().Context(), &page); err != nil {
		return err
	}
	data := strings.ReplaceAll(strings.ReplaceAll(page.String(), "\r", ""), "\n", "\ndata: ")
	_, err = fmt.Fprintf(c.Response(), "event: order\ndata: %s\n\n", data)
	return err
}
