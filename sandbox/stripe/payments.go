package stripe

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"onceshop/payment"
	"onceshop/sandbox"
)

// notMissing is an error that isn't about something missing.
func notMissing(err error) error {
	if sandbox.IsNotFound(err) {
		return nil
	}
	return err
}

func (a api) getIntent(r *http.Request) (int, any, error) {
	p := query(r)
	paths, err := p.expand("latest_charge")
	if err == nil {
		err = p.done()
	}
	if err != nil {
		return 0, nil, err
	}
	found, err := a.findIntent(r)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, intentOf(found, len(paths) > 0), nil
}

// findIntent is find for intents: a session that is behind its first attempt, as
// it may be practised, has none yet.
func (a api) findIntent(r *http.Request) (sandbox.Record, error) {
	found, err := a.find(r, "payment_intent", "pi_")
	if err == nil && found.IntentRef == "" {
		err = missing("payment_intent", r.PathValue("id"))
	}
	return found, err
}

func (a api) captureIntent(r *http.Request) (int, any, error) {
	p, err := form(r)
	if err != nil {
		return 0, nil, err
	}
	found, err := a.findIntent(r)
	if err != nil {
		return 0, nil, err
	}
	var part *payment.Amount
	if p.Has("amount_to_capture") {
		n, err := p.amount("amount_to_capture")
		if err != nil {
			return 0, nil, err
		}
		if n, err = units.From(n, found.Currency); err != nil {
			return 0, nil, bad("INVALID_FIELD", "Invalid amount: %s", err)
		}
		part = &n
	}
	if err := p.done(); err != nil {
		return 0, nil, err
	}
	captured, err := a.Act(r.Context(), Name, found.PageRef, "capture", part)
	return http.StatusOK, intentOf(captured, false), err
}

func (a api) cancelIntent(r *http.Request) (int, any, error) {
	found, err := a.findIntent(r)
	if err != nil {
		return 0, nil, err
	}
	if found.Status != payment.Authorised {
		return 0, nil, bad("INVALID_FIELD", "Only a PaymentIntent that requires capture can be canceled here; expire its session instead.")
	}
	ended, err := a.Act(r.Context(), Name, found.PageRef, "fail", nil)
	return http.StatusOK, intentOf(ended, false), err
}

func (a api) getCharge(r *http.Request) (int, any, error) {
	found, err := a.find(r, "charge", "ch_")
	if err != nil {
		return 0, nil, err
	}
	paid, ok := found.PaymentByRef(r.PathValue("id"))
	if !ok {
		return 0, nil, missing("charge", r.PathValue("id"))
	}
	return http.StatusOK, chargeOf(found, paid), query(r).done()
}

// createRefund gives money of an intent or of a charge back; without an amount,
// all of it.
func (a api) createRefund(r *http.Request) (int, any, error) {
	p, err := form(r)
	if err != nil {
		return 0, nil, err
	}
	n := sandbox.NewRefund{Dialect: Name, Key: r.Header.Get("Idempotency-Key"), All: !p.Has("amount"), Reason: p.text("reason")}
	if n.Reason != "" && !reasons[n.Reason] {
		return 0, nil, bad("INVALID_FIELD", "Invalid reason: must be one of duplicate, fraudulent, or requested_by_customer")
	}
	intent, charge := p.text("payment_intent"), p.text("charge")
	n.Ref = cmp.Or(charge, intent)
	if n.Ref == "" {
		return 0, nil, bad("MISSING_PARAMETER", "One of the following params should be provided for this request: payment_intent or charge.")
	}
	found, err := a.Get(r.Context(), Name, n.Ref)
	if sandbox.IsNotFound(err) || err == nil && found.IntentRef != intent && intent != "" {
		return 0, nil, missing("payment_intent or charge", n.Ref)
	}
	if err != nil {
		return 0, nil, err
	}
	if charge != "" {
		paid, ok := found.PaymentByRef(charge)
		if !ok {
			return 0, nil, missing("charge", charge)
		}
		n.PaymentID = paid.ID
	}
	if !n.All {
		amount, err := p.amount("amount")
		if err != nil {
			return 0, nil, err
		}
		if n.Amount, err = units.From(amount, found.Currency); err != nil {
			return 0, nil, bad("INVALID_FIELD", "Invalid amount: %s", err)
		}
	}
	if n.Extra, err = json.Marshal(p.metadata("metadata"), json.Deterministic(true)); err != nil {
		return 0, nil, err
	}
	if err := p.done(); err != nil {
		return 0, nil, err
	}
	f, record, err := a.Refund(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, refundOf(record, f), nil
}

func (a api) getRefund(r *http.Request) (int, any, error) {
	found, err := a.find(r, "refund", "re_")
	if err != nil {
		return 0, nil, err
	}
	f, ok := found.RefundByRef(r.PathValue("id"))
	if !ok {
		return 0, nil, missing("refund", r.PathValue("id"))
	}
	return http.StatusOK, refundOf(found, f), query(r).done()
}

func (a api) getDispute(r *http.Request) (int, any, error) {
	found, err := a.find(r, "dispute", "dp_")
	if err != nil {
		return 0, nil, err
	}
	d, ok := found.DisputeByRef(r.PathValue("id"))
	if !ok {
		return 0, nil, missing("dispute", r.PathValue("id"))
	}
	return http.StatusOK, disputeOf(found, d), query(r).done()
}

func (a api) listRefunds(r *http.Request) (int, any, error) {
	return a.listOf(r, sandbox.RefundKind, "refund", "/v1/refunds", func(f sandbox.Found) any { return refundOf(f.Record, *f.Refund) })
}

func (a api) listDisputes(r *http.Request) (int, any, error) {
	return a.listOf(r, sandbox.DisputeKind, "dispute", "/v1/disputes", func(f sandbox.Found) any { return disputeOf(f.Record, *f.Dispute) })
}

// listOf lists refunds or disputes, of all intents, of one, or of one charge.
func (a api) listOf(r *http.Request, of sandbox.Kind, what, url string, draw func(sandbox.Found) any) (int, any, error) {
	p := query(r)
	w, limit, err := p.window()
	if err != nil {
		return 0, nil, err
	}
	for name, prefix := range map[string]string{"payment_intent": "pi_", "charge": "ch_"} {
		ref := p.text(name)
		if ref == "" {
			continue
		}
		record, err := a.Get(r.Context(), Name, ref)
		if err != nil || !strings.HasPrefix(ref, prefix) {
			return 0, nil, cmp.Or(notMissing(err), missing(name, ref))
		}
		w.Order = ref
		if name == "charge" {
			paid, _ := record.PaymentByRef(ref)
			w.PaymentID = paid.ID
		}
	}
	if after := p.text("starting_after"); after != "" {
		last, err := a.Get(r.Context(), Name, after)
		if err != nil {
			return 0, nil, cmp.Or(notMissing(err), missing(what, after))
		}
		f, _ := last.RefundByRef(after)
		d, _ := last.DisputeByRef(after)
		if w.After = cmp.Or(f.ID, d.ID); w.After == "" {
			return 0, nil, missing(what, after)
		}
	}
	if err := p.done(); err != nil {
		return 0, nil, err
	}
	found, err := a.List(r.Context(), of, w)
	return http.StatusOK, page(found, limit, url, draw), err
}
