package checkoutcom_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"onceshop/payment"
	"onceshop/providers/checkoutcom"
)

// calls are all methods that ask the API, each in a form that could succeed.
func calls(a *checkoutcom.Adapter) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"create":      func(ctx context.Context) error { _, err := a.Create(ctx, creation()); return err },
		"fetch":       func(ctx context.Context) error { _, err := a.Fetch(ctx, ref); return err },
		"fetch by id": func(ctx context.Context) error { _, err := a.Fetch(ctx, "pay_1"); return err },
		"refund":      func(ctx context.Context) error { return a.Refund(ctx, "refund:1", ref, amount(1), "asked for") },
		"list":        func(ctx context.Context) error { _, _, err := a.List(ctx, now, "", 10); return err },
		"list on":     func(ctx context.Context) error { _, _, err := a.List(ctx, now, "abc?token=1", 10); return err },
		"disputes":    func(ctx context.Context) error { _, _, err := a.List(ctx, now, "disputes:0", 10); return err },
	}
}

// answers is an API that always says the same, without a network.
type answers func(w http.ResponseWriter)

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &recorder{header: http.Header{}, status: 200}
	f(w)
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(strings.NewReader(w.body.String())), Request: r}, nil
}

type recorder struct {
	header http.Header
	status int
	body   strings.Builder
}

func (w *recorder) Header() http.Header         { return w.header }
func (w *recorder) WriteHeader(status int)      { w.status = status }
func (w *recorder) Write(b []byte) (int, error) { return w.body.Write(b) }

func answering(t testing.TB, f answers) *checkoutcom.Adapter {
	c := config()
	c.BaseURL, c.HTTP = "http://api.example", &http.Client{Transport: f}
	return adapter(t, c)
}

func TestStatusesHaveKinds(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]error{
		400: payment.ErrRefused, 401: payment.ErrUnauthorised, 403: payment.ErrUnauthorised, 422: payment.ErrRefused,
		429: payment.ErrLater, 500: payment.ErrLater, 502: payment.ErrLater, 204: payment.ErrLater, 302: payment.ErrLater,
	} {
		synctest.Test(t, func(t *testing.T) {
			a := answering(t, func(w http.ResponseWriter) {
				w.WriteHeader(status)
				io.WriteString(w, `{"request_id":"canary","error_type":"request_invalid","error_codes":["amount_invalid","canary"]}`)
			})
			for name, call := range calls(a) {
				err := call(t.Context())
				if !errors.Is(err, want) {
					t.Errorf("%s, status %d: got %v, want %v", name, status, err, want)
				}
				if status >= 400 && !strings.Contains(err.Error(), "amount_invalid") {
					t.Errorf("the reason is missing in %v", err)
				}
				checkQuiet(t, err)
			}
		})
	}
}

func TestReasonsThatAreNoCodesAreDropped(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"error_codes":["canary 1"]}`, `{"error_codes":["` + apiKey + `"]}`, `{"error_codes":["sk_canary"],"error_type":"Canary"}`, `{"error_codes":[{"canary":1}]}`, `canary`, `[]`,
	} {
		a := answering(t, func(w http.ResponseWriter) { w.WriteHeader(422); io.WriteString(w, body) })
		_, err := a.Fetch(t.Context(), ref)
		if !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%s: %v", body, err)
		}
		checkQuiet(t, err)
	}
	a := answering(t, func(w http.ResponseWriter) { w.WriteHeader(422); io.WriteString(w, `{"error_type":"request_invalid"}`) })
	if _, err := a.Fetch(t.Context(), ref); !strings.Contains(err.Error(), "request_invalid") {
		t.Error(err)
	}
}

func TestUnreadableAnswersAreForLater(t *testing.T) {
	t.Parallel()
	const listed = `"reference":"` + ref + `","status":"Captured","amount":2500,"currency":"EUR"`
	for _, answer := range []string{
		``, `canary`, `null`, `[]`, `{}`, `{"canary":"canary"}`, `{"data":null}`, `{"data":{}}`, `{"data":[null]}`, `{"data":[{}]}`, `{"data":[{"id":"canary"}]}`,
		`{"data":[{"id":"pay_1",` + listed + `}],"data":[]}`, `{"Data":[]}`, `{"data":[]}{"data":[]}`, `{"data":[{"id":"pay_1",` + listed + `,"balances":{"total_captured":"1"}}]}`,
		`{"data":[{"id":"pay_1",` + strings.Replace(listed, "2500", "25.5", 1) + `}]}`, `{"total_count":9,"data":[]}`, `{"total_count":9}`,
		`{"data":[{"id":"pay_1","status":"Captured","amount":2500,"currency":"EUR"}]}`,
	} {
		a := answering(t, func(w http.ResponseWriter) { io.WriteString(w, answer) })
		for name, call := range calls(a) {
			if listing := strings.HasPrefix(name, "list"); listing && strings.HasSuffix(answer, `[]}`) && strings.Count(answer, "data") == 1 && !strings.Contains(answer, "Data") {
				continue // an empty page, to the search
			}
			err := call(t.Context())
			if !errors.Is(err, payment.ErrLater) {
				t.Errorf("%s, answer %s: %v", name, answer, err)
			}
			if err != nil {
				checkQuiet(t, err)
			}
		}
	}
}

func TestReferencesAreEscaped(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"pay_../../x", "pay_a/b?c#d%2f"} {
		p := captured(odd, 2500)
		server := &escaped{pay: p}
		if s, err := serve(t, server).Fetch(t.Context(), odd); err != nil || s.Status != payment.Paid {
			t.Errorf("%s: %+v, %v", odd, s, err)
		}
	}
}

// escaped knows one payment and looks at paths as they came.
type escaped struct{ pay *pay }

func (e *escaped) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path, _ := strings.CutSuffix(r.URL.Path, "/actions"); {
	case r.URL.Path == "/payments":
		io.WriteString(w, `{"total_count":0,"data":[]}`)
	case r.URL.Path == "/disputes":
		io.WriteString(w, `{"total_count":0,"data":[]}`)
	case path != "/payments/"+e.pay.id || r.URL.RawQuery != "":
		w.WriteHeader(404)
	case path != r.URL.Path:
		io.WriteString(w, `[]`)
	default:
		io.WriteString(w, e.pay.json(false))
	}
}

func text(s string) answers { return func(w http.ResponseWriter) { io.WriteString(w, s) } }
