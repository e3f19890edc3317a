package adyen

import (
	"net/http"
	"strings"

	"onceshop/sandbox"
)

// api serves the routes of one engine.
type api struct {
	*sandbox.Server
	account string
}

// Version is the one of the API, which may be in paths.
const Version = "v71"

// Routes serves the API.
func (d *Dialect) Routes(s *sandbox.Server) http.Handler {
	a := api{s, d.MerchantAccount}
	rules := sandbox.API{Refusal: refusal, Authorised: func(r *http.Request) bool {
		return sandbox.Same(r.Header.Get("X-API-Key"), d.APIKey)
	}}
	calls := s.Serve(rules, map[string]sandbox.APIFunc{
		"POST /paymentLinks":           a.createLink,
		"GET /paymentLinks/{id}":       a.getLink,
		"PATCH /paymentLinks/{id}":     a.updateLink,
		"POST /payments/{psp}/refunds": a.createRefund,
	})
	versioned := http.StripPrefix("/"+Version, calls)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/"+Version+"/") {
			versioned.ServeHTTP(w, r)
			return
		}
		calls.ServeHTTP(w, r)
	})
}

// failure is Adyen's answer to what went wrong.
type failure struct {
	Status    int    `json:"status"`
	ErrorCode string `json:"errorCode"`
	Message   string `json:"message"`
	ErrorType string `json:"errorType"`
}

// The codes of Adyen's errors that are told here.
const (
	noAmount        = "100"
	invalidAmount   = "137"
	invalidCurrency = "138"
	noPayment       = "167"
	badRequest      = "702"
	keyUsed         = "704"
	invalidAccount  = "901"
)

// refusal: codes of digits are Adyen's own, see invalid.
func refusal(e *sandbox.Error) (int, any) {
	f := failure{e.Status, e.Code, e.Detail, "validation"}
	switch {
	case e.Code == "UNAUTHORIZED":
		f.ErrorCode, f.ErrorType, f.Message = "000", "security", "HTTP Status Response - Unauthorized"
	case e.Code == invalidAccount:
		f.ErrorType = "security"
	case e.Code == "IDEMPOTENCY_KEY_REUSED":
		f.Status, f.ErrorCode = http.StatusUnprocessableEntity, keyUsed
	case e.Code == "MALFORMED_JSON":
		f.ErrorCode = badRequest
	case e.Status >= 500:
		f.ErrorCode, f.ErrorType = "000", "internal"
	case !strings.ContainsAny(e.Code, sandbox.Digits):
		if f.ErrorCode = badRequest; e.Status == http.StatusConflict {
			f.Status = http.StatusUnprocessableEntity
		}
	}
	return f.Status, f
}

func invalid(code, detail string) error {
	return &sandbox.Error{Status: http.StatusUnprocessableEntity, Code: code, Detail: detail}
}

// isOurs refuses what is asked for another account.
func (a api) isOurs(account string) error {
	if account != a.account {
		return &sandbox.Error{Status: http.StatusForbidden, Code: invalidAccount, Detail: "Invalid Merchant Account"}
	}
	return nil
}

const maxKey = 64

// idempotencyKey may be left out.
func idempotencyKey(r *http.Request) (string, error) {
	key := r.Header.Get("Idempotency-Key")
	if len(key) > maxKey {
		return "", invalid(badRequest, "the Idempotency-Key must have at most 64 characters")
	}
	return key, nil
}
