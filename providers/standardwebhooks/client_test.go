package standardwebhooks_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/providers/standardwebhooks"
)

const (
	ourRef     = "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001/2"
	recordJSON = `{"payment_ref":"pay_0001","order_ref":"` + ourRef + `","status":"paid","amount_minor":2500,"currency":"EUR"}`
)

func answering(t testing.TB, answer string) *standardwebhooks.Adapter {
	t.Helper()
	return serving(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answer) })
}

func fetch(t testing.TB, answer string) (payment.Snapshot, error) {
	t.Helper()
	return answering(t, answer).Fetch(t.Context(), "pay_0001")
}

func creation() payment.Creation {
	return payment.Creation{
		IdempotencyKey: "create:1", OrderRef: ourRef, Amount: payment.NewAmount(2500), Currency: "EUR", Description: "Pro 🚀",
		ReturnURL: "https://shop.example/return", CancelURL: "https://shop.example/cancel", ExpiresAt: now.Add(30 * time.Minute),
	}
}

func TestCreateAsksForAHostedPayment(t *testing.T) {
	t.Parallel()
	a := serving(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		const want = `{"amount_minor":2500,"cancel_url":"https://shop.example/cancel","currency":"EUR","description":"Pro 🚀","expires_at":"2026-01-01T01:30:00Z",` +
			`"order_ref":"` + ourRef + `","return_url":"https://shop.example/return"}`
		if r.Method+" "+r.URL.String() != "POST /payments" || r.Header.Get("Authorization") != "Bearer "+apiKey ||
			r.Header.Get("Idempotency-Key") != "create:1" || r.Header.Get("Content-Type") != "application/json" || string(body) != want {
			t.Errorf("%s %s %v %s", r.Method, r.URL, r.Header, body)
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"payment":%s,"url":"https://pay.example/p?id=1"}`, recordJSON)
	})
	got, err := a.Create(t.Context(), creation())
	if err != nil || got != (payment.Created{Ref: ourRef, URL: "https://pay.example/p?id=1"}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCreateForSomethingElseIsNotPassedOn(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"payment":` + strings.Replace(recordJSON, ourRef, "other", 1) + `,"url":"https://pay.example/p"}`,
		`{"payment":` + strings.Replace(recordJSON, `"order_ref":"`+ourRef+`",`, "", 1) + `,"url":"https://pay.example/p"}`,
		`{"payment":` + strings.Replace(recordJSON, "2500", "250", 1) + `,"url":"https://pay.example/p"}`,
		`{"payment":` + strings.Replace(recordJSON, "EUR", "USD", 1) + `,"url":"https://pay.example/p"}`,
		`{"payment":` + recordJSON + `}`, `{"payment":` + recordJSON + `,"url":"javascript:alert(1)"}`, `{"payment":` + recordJSON + `,"url":"/p"}`,
		`{"url":"https://pay.example/p"}`, `{"payment":null,"url":"https://pay.example/p"}`, recordJSON,
	} {
		got, err := answering(t, answer).Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrLater) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", answer, got, err)
		}
	}
}

func TestSnapshotIsReadWhole(t *testing.T) {
	t.Parallel()
	got, err := fetch(t, `{"payment_ref":"pay_0001","order_ref":"our-1","status":"paid","amount_minor":2500,"received_minor":2600,"refunded_total_minor":1000,
		"currency":"EUR","updated_at":"2026-01-01T02:00:01+01:00","more":1,"refunds":[{"refund_ref":"r1","amount_minor":600,"status":"done"},
		{"refund_ref":"r2","amount_minor":400,"status":"pending","more":1},{"refund_ref":"r3","amount_minor":70,"status":"failed"},{"refund_ref":"r4","amount_minor":7,"status":"failed"}],
		"disputes":[{"dispute_ref":"d1","amount_minor":2500,"reason":"fraudulent","status":"open"},{"dispute_ref":"d2","amount_minor":1,"status":"won"},{"dispute_ref":"d3","amount_minor":1,"status":"lost"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	n := payment.NewAmount
	want := payment.Snapshot{
		Ref: "our-1", OrderRef: "our-1", Status: payment.Paid, RefundStatus: payment.PartiallyRefunded, Amount: n(2500), Received: n(2600), Refunded: n(1000), Reversed: n(77),
		Refunds:  []payment.Refund{{Ref: "r1", Amount: n(600), Status: payment.RefundDone}, {Ref: "r2", Amount: n(400), Status: payment.RefundPending}, {Ref: "r3", Amount: n(70), Status: payment.RefundFailed}, {Ref: "r4", Amount: n(7), Status: payment.RefundFailed}},
		Disputes: []payment.Dispute{{Ref: "d1", Amount: n(2500), Reason: "fraudulent", Status: payment.DisputeOpen}, {Ref: "d2", Amount: n(1), Status: payment.DisputeWon}, {Ref: "d3", Amount: n(1), Status: payment.DisputeLost}},
		Currency: "EUR", Risk: payment.NotAssessed(),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAbsentAndNullMembersHaveAMeaning(t *testing.T) {
	t.Parallel()
	bare := `{"payment_ref":"pay_0001","status":"paid","amount_minor":2500,"currency":"EUR"}`
	nulls := strings.Replace(bare, `{`, `{"order_ref":null,"received_minor":null,"refunded_total_minor":null,"refunds":null,"disputes":null,"updated_at":null,`, 1)
	for _, answer := range []string{bare, nulls} {
		got, err := fetch(t, answer)
		want := payment.Snapshot{
			Ref: "pay_0001", Status: payment.Paid, RefundStatus: payment.NotRefunded, Amount: payment.NewAmount(2500), Received: payment.NewAmount(2500), Currency: "EUR", Risk: payment.NotAssessed(),
		}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Error(d, err)
		}
	}
	got, err := fetch(t, strings.Replace(bare, "paid", "authorised", 1))
	if err != nil || got.Received.Sign() != 0 || got.Status != payment.Authorised {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := fetch(t, strings.Replace(bare, "paid", "odd", 1)); err != nil || got.Status != "odd" {
		t.Errorf("an unknown status isn't passed on to a review: %+v, %v", got, err)
	}
}

// The snapshot's totals have to stand before payment.Next, whatever became of the
// refunds in between.
func TestRefundsThatFailAreReversed(t *testing.T) {
	t.Parallel()
	record := payment.Record{Amount: payment.NewAmount(2500), Currency: "EUR"}
	for _, step := range []struct {
		total, refunds string
		want           payment.RefundStatus
	}{
		{`0`, `[]`, payment.NotRefunded},
		{`1000`, `[{"refund_ref":"r1","amount_minor":1000,"status":"pending"}]`, payment.PartiallyRefunded},
		{`2500`, `[{"refund_ref":"r1","amount_minor":1000,"status":"done"},{"refund_ref":"r2","amount_minor":1500,"status":"pending"}]`, payment.FullyRefunded},
		{`1500`, `[{"refund_ref":"r1","amount_minor":1000,"status":"failed"},{"refund_ref":"r2","amount_minor":1500,"status":"done"}]`, payment.PartiallyRefunded},
		{`0`, `[{"refund_ref":"r1","amount_minor":1000,"status":"failed"},{"refund_ref":"r2","amount_minor":1500,"status":"failed"}]`, payment.NotRefunded},
	} {
		s, err := fetch(t, strings.Replace(recordJSON, `{`, `{"refunded_total_minor":`+step.total+`,"refunds":`+step.refunds+`,`, 1))
		if err != nil {
			t.Fatal(err)
		}
		d := payment.Next(record, s)
		if d.Verdict != payment.Applied || d.Record.RefundStatus != step.want {
			t.Fatalf("total %s: %s %s, refund status %q", step.total, d.Verdict, d.Reason, d.Record.RefundStatus)
		}
		record = d.Record
	}
}

func TestUnreadableAnswersAreForLater(t *testing.T) {
	t.Parallel()
	with := func(member string) string { return strings.Replace(recordJSON, `{`, `{`+member+`,`, 1) }
	for _, answer := range []string{
		``, `canary`, `null`, `[]`, `{}`, recordJSON + recordJSON, strings.Replace(recordJSON, `"status"`, `"Status"`, 1), `{"payment":` + recordJSON + `}`,
		strings.Replace(recordJSON, `"payment_ref":"pay_0001",`, ``, 1), strings.Replace(recordJSON, `"status":"paid",`, ``, 1), strings.Replace(recordJSON, `"amount_minor":2500,`, ``, 1), strings.Replace(recordJSON, `,"currency":"EUR"`, ``, 1),
		strings.Replace(recordJSON, `EUR`, `eur`, 1), strings.Replace(recordJSON, `EUR`, `XYZ`, 1), strings.Replace(recordJSON, `2500`, `"2500"`, 1), strings.Replace(recordJSON, `2500`, `25.00`, 1), strings.Replace(recordJSON, `2500`, `-2500`, 1),
		strings.Replace(recordJSON, `pay_0001`, `pay_0002`, 1), with(`"received_minor":1e9`), with(`"refunds":{}`), with(`"refunds":[null]`), with(`"refunds":[{"refund_ref":"r","amount_minor":1}]`),
		with(`"refunds":[{"refund_ref":"r","status":"done"}]`), with(`"refunds":[{"amount_minor":1,"status":"done"}]`), with(`"refunds":[{"refund_ref":"r","amount_minor":1,"status":"canary"}]`),
		with(`"refunds":[{"refund_ref":"r","amount_minor":1,"status":"done"},{"refund_ref":"r","amount_minor":1,"status":"failed"}]`),
		with(`"disputes":[{"dispute_ref":"d","amount_minor":1,"status":"none"}]`), with(`"disputes":[{"dispute_ref":"d","amount_minor":"1","status":"open"}]`), with(`"disputes":[{"amount_minor":1,"status":"open"}]`),
		with(`"disputes":[{"dispute_ref":"d","amount_minor":1,"status":"open"},{"dispute_ref":"d","amount_minor":1,"status":"won"}]`),
	} {
		s, err := fetch(t, answer)
		if !errors.Is(err, payment.ErrLater) || !cmp.Equal(s, payment.Snapshot{}) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %+v, %v", answer, s, err)
		}
		// What Fetch can't read, a page doesn't hold; another payment it may.
		if payments, next, err := answering(t, `{"payments":[`+answer+`]}`).List(t.Context(), time.Time{}, "", 0); !errors.Is(err, payment.ErrLater) && answer != "" && !strings.Contains(answer, "pay_0002") {
			t.Errorf("listed %s: %v %q, %v", answer, payments, next, err)
		}
	}
}

func TestAPaymentIsFoundByEitherReference(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"pay_0001", ourRef, "../a/b?c#d%2f"} {
		a := serving(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method+" "+r.URL.Path != "GET /payments/"+ref || r.URL.RawQuery != "" || strings.Count(r.URL.EscapedPath(), "/") != 2 {
				t.Errorf("asked %s %s", r.Method, r.URL)
			}
			io.WriteString(w, strings.Replace(recordJSON, "pay_0001", ref, 1))
		})
		if s, err := a.Fetch(t.Context(), ref); err != nil || s.Ref != ourRef || s.OrderRef != ourRef {
			t.Errorf("%s: %+v, %v", ref, s, err)
		}
	}
	for _, ref := range []string{"", ".", "..", " pay_0001", "a\x00", strings.Repeat("p", 256)} {
		if _, err := answering(t, recordJSON).Fetch(t.Context(), ref); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%q: %v", ref, err)
		}
	}
	gone := serving(t, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, `{"code":"no_such_payment"}`, http.StatusNotFound)
	})
	if _, err := gone.Fetch(t.Context(), "pay_0001"); !errors.Is(err, payment.ErrNotFound) || !strings.Contains(err.Error(), "no_such_payment") {
		t.Error(err)
	}
}

func TestRefundCarriesItsKeyAndChecksTheAnswer(t *testing.T) {
	t.Parallel()
	for answer, kind := range map[string]error{
		`{"refund":{"refund_ref":"r1","amount_minor":1000,"status":"pending"}}`: nil,
		`{"refund":{"refund_ref":"r1","amount_minor":1000,"status":"done"}}`:    nil,
		`{"refund":{"refund_ref":"r1","amount_minor":1000,"status":"failed"}}`:  payment.ErrRefused,
		`{"refund":{"refund_ref":"r1","amount_minor":2500,"status":"pending"}}`: payment.ErrLater,
		`{"refund":{"refund_ref":"r1","amount_minor":1000}}`:                    payment.ErrLater,
		`{}`: payment.ErrLater,
		``:   payment.ErrLater,
	} {
		a := serving(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if r.URL.EscapedPath() != "/payments/7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001%2F2/refunds" || r.Header.Get("Idempotency-Key") != "refund:1" || string(body) != `{"amount_minor":1000,"reason":"asked for"}` {
				t.Errorf("%s %v %s", r.URL, r.Header, body)
			}
			io.WriteString(w, answer)
		})
		if err := a.Refund(t.Context(), "refund:1", ourRef, payment.NewAmount(1000), "asked for"); !errors.Is(err, kind) {
			t.Errorf("%s: got %v, want %v", answer, err, kind)
		}
	}
}

func TestRequestsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	a := serving(t, func(http.ResponseWriter, *http.Request) { t.Error("sent") })
	change := func(f func(*payment.Creation)) error {
		c := creation()
		f(&c)
		_, err := a.Create(t.Context(), c)
		return err
	}
	for name, err := range map[string]error{
		"no key":          change(func(c *payment.Creation) { c.IdempotencyKey = "" }),
		"no reference":    change(func(c *payment.Creation) { c.OrderRef = "" }),
		"a dot":           change(func(c *payment.Creation) { c.OrderRef = ".." }),
		"not UTF-8":       change(func(c *payment.Creation) { c.Description = "\xff" }),
		"nothing back":    a.Refund(t.Context(), "k", ourRef, payment.Amount{}, ""),
		"less back":       a.Refund(t.Context(), "k", ourRef, payment.NewAmount(-1), ""),
		"too much back":   a.Refund(t.Context(), "k", ourRef, payment.NewAmount(1<<53), ""),
		"a key of 2 rows": a.Refund(t.Context(), "k\r\nX: y", ourRef, payment.NewAmount(1), ""),
	} {
		if !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestListReadsPageByPage(t *testing.T) {
	t.Parallel()
	a := serving(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.String() {
		case "/payments?limit=2&updated_since=2026-01-01T00%3A59%3A59.5Z":
			fmt.Fprintf(w, `{"payments":[%s,%s],"next_cursor":"c=2"}`, recordJSON, strings.ReplaceAll(recordJSON, "1", "9"))
		case "/payments?cursor=c%3D2":
			io.WriteString(w, `{"payments":[]}`)
		case "/payments?cursor=loop":
			io.WriteString(w, `{"payments":[],"next_cursor":"loop"}`)
		default:
			t.Errorf("asked %s", r.URL)
		}
	})
	first, next, err := a.List(t.Context(), now.Add(-500*time.Millisecond), "", 2)
	if err != nil || len(first) != 2 || next != "c=2" || first[0].Ref != ourRef || first[1].OrderRef == ourRef {
		t.Errorf("%+v %q, %v", first, next, err)
	}
	last, next, err := a.List(t.Context(), time.Time{}, next, 0)
	if err != nil || len(last) != 0 || next != "" {
		t.Errorf("%+v %q, %v", last, next, err)
	}
	for _, answer := range []string{`{}`, `{"payments":null}`, `{"payments":{}}`, `{"payments":[` + recordJSON + `]`} {
		if payments, _, err := answering(t, answer).List(t.Context(), now, "", 10); !errors.Is(err, payment.ErrLater) || payments != nil {
			t.Errorf("%s: %v, %v", answer, payments, err)
		}
	}
	if _, _, err := a.List(t.Context(), time.Time{}, "loop", 0); !errors.Is(err, payment.ErrLater) {
		t.Errorf("a cursor that leads nowhere: %v", err)
	}
}

func TestAPaymentIsReadWhateverTheReasonOfItsDispute(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{
		"not as described": "not as described", "": "", " padded": "", "two\\nlines": "", strings.Repeat("x", 256): "",
	} {
		got, err := fetch(t, `{"payment_ref":"pay_0001","status":"paid","amount_minor":2500,"currency":"EUR",
			"disputes":[{"dispute_ref":"d1","amount_minor":2500,"reason":"`+reason+`","status":"open"}]}`)
		if err != nil || len(got.Disputes) != 1 || got.Disputes[0].Reason != want || got.Disputes[0].Status != payment.DisputeOpen {
			t.Errorf("%q: %+v, %v", reason, got.Disputes, err)
		}
	}
}
