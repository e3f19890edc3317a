package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"onceshop/database"
)

// Endpoint is a place that events are sent to. Its secrets are kept to sign
// with and never shown.
type Endpoint struct {
	ID        string
	Dialect   string // whose events are sent there
	URL       string
	Faults    *Faults // nil: the general switches apply
	CreatedAt time.Time

	secret, previous string
}

// AddEndpoint sends all future events of a dialect to a URL as well. Events are
// signed with the first secret; a second one may be given while secrets are
// rotated, and is used where the fault switches ask for it, and beside the first
// by providers that sign with both. A known URL gets the new secrets and keeps the
// rest.
func (s *Server) AddEndpoint(ctx context.Context, dialect, rawURL string, secrets ...string) (Endpoint, error) {
	d, err := s.dialect(dialect)
	if err != nil {
		return Endpoint{}, err
	}
	if err := checkURL("url", rawURL); err != nil {
		return Endpoint{}, err
	}
	if len(secrets) < 1 || len(secrets) > 2 {
		return Endpoint{}, Invalid("secrets", "must be one, or two while they are rotated")
	}
	for _, secret := range secrets {
		if len(secret) > 255 || strings.TrimSpace(secret) != secret {
			return Endpoint{}, Invalid("secrets", "must have at most 255 bytes and no white space around them")
		}
		if err := d.CheckSecret(secret); err != nil {
			return Endpoint{}, Invalid("secrets", "each "+err.Error())
		}
	}
	var previous any
	if len(secrets) == 2 {
		previous = secrets[1]
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Endpoint{}, err
	}
	err = database.InTx(ctx, s.db, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE pay_webhook_endpoints
			SET dialect = ?, secret = ?, previous_secret = ?, removed_at = NULL WHERE url = ?`, dialect, secrets[0], previous, rawURL)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO pay_webhook_endpoints (id, dialect, url, secret, previous_secret, created_at)
			VALUES (?, ?, ?, ?, ?, NOW(6))`, id.String(), dialect, rawURL, secrets[0], previous)
		if database.IsDuplicate(err) { // known with these very secrets, or just added by another instance
			return nil
		}
		return err
	})
	if err != nil {
		return Endpoint{}, err
	}
	return scanEndpoint(s.db.QueryRowContext(ctx, "SELECT "+endpointColumns+" FROM pay_webhook_endpoints WHERE url = ?", rawURL))
}

// RemoveEndpoint sends nothing more there; what waits to be sent is cancelled.
func (s *Server) RemoveEndpoint(ctx context.Context, id string) error {
	return database.InTx(ctx, s.db, func(tx *sql.Tx) error {
		if _, err := findEndpoint(ctx, tx, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE pay_webhook_endpoints SET removed_at = NOW(6) WHERE id = ?", id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE pay_webhook_deliveries SET status = 'cancelled', last_error = 'endpoint removed'
			WHERE endpoint_id = ? AND status = 'pending'`, id)
		return err
	})
}

// Endpoints lists where events are sent, oldest first.
func (s *Server) Endpoints(ctx context.Context) ([]Endpoint, error) {
	return selectEndpoints(ctx, s.db, "")
}

const endpointColumns = "id, dialect, url, secret, COALESCE(previous_secret, ''), faults, created_at"

func scanEndpoint(row interface{ Scan(...any) error }) (e Endpoint, err error) {
	var f nullFaults
	err = row.Scan(&e.ID, &e.Dialect, &e.URL, &e.secret, &e.previous, &f, &e.CreatedAt)
	e.Faults = f.Faults
	return e, err
}

func findEndpoint(ctx context.Context, q querier, id string) (Endpoint, error) {
	e, err := scanEndpoint(q.QueryRowContext(ctx,
		"SELECT "+endpointColumns+" FROM pay_webhook_endpoints WHERE id = ? AND removed_at IS NULL", id))
	if errors.Is(err, sql.ErrNoRows) {
		return e, NotFound("endpoint")
	}
	return e, err
}

// selectEndpoints lists where events of a dialect are sent; without one, all.
func selectEndpoints(ctx context.Context, q querier, dialect string) ([]Endpoint, error) {
	rows, err := q.QueryContext(ctx, "SELECT "+endpointColumns+` FROM pay_webhook_endpoints
		WHERE removed_at IS NULL AND (? = '' OR dialect = ?) ORDER BY created_at, id`, dialect, dialect)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Endpoint
	for rows.Next() {
		e, err := scanEndpoint(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// checkURL takes absolute http and https URLs only: they become links and
// requests.
func checkURL(field, raw string) error {
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil {
		return Invalid(field, "must be an absolute http or https URL")
	}
	if len(raw) > 2048 {
		return Invalid(field, fmt.Sprintf("must have at most 2048 bytes, has %d", len(raw)))
	}
	return nil
}
