package stablein_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/providers/stablein"
	"onceshop/providers/vectortest"
)

func fetch(t *testing.T, answer string) (payment.Snapshot, error) {
	t.Helper()
	return asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answer) })).Fetch(t.Context(), "p1")
}

func TestSnapshotIsReadWhole(t *testing.T) {
	t.Parallel()
	const answer = `{"id":"p1","merchantOrderId":"our-1","revision":"7","paymentStatus":"paid","refundStatus":"partial",
		"amount":"1000000000000000000000000","receivedAmount":"1000000000000000000000001","refundedAmount":"1","currency":"DAI","confirmations":"12",
		"fulfillmentDecision":"review","merchantRisk":{"serviceStatus":"suspended","chainEnforcement":"blocked",
		"assessedAt":"2026-01-01T00:00:00Z","validUntil":"2026-01-02T02:00:00+02:00"},"updatedAt":"2026-01-01T00:00:01Z","network":"x"}`
	got, err := fetch(t, answer)
	if err != nil {
		t.Fatal(err)
	}
	amount := func(s string) payment.Amount {
		a, err := payment.ParseAmount(s)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	assessed, until := now.UTC(), now.UTC().Add(24*time.Hour)
	want := payment.Snapshot{
		Ref: "p1", OrderRef: "our-1", Revision: amount("7"), Status: payment.Paid, RefundStatus: payment.PartiallyRefunded,
		Amount: amount("1000000000000000000000000"), Received: amount("1000000000000000000000001"), Refunded: amount("1"), Currency: "DAI", Confirmations: 12,
		Risk: payment.Risk{Decision: "review", ServiceStatus: "suspended", ChainEnforcement: "blocked", AssessedAt: &assessed, ValidUntil: &until},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAbsentAndNullMembersAllowNothing(t *testing.T) {
	t.Parallel()
	bare := strings.Replace(orderJSON, `"merchantOrderId":"our-1",`, ``, 1)
	nulls := strings.Replace(bare, `{`, `{"merchantOrderId":null,"refundStatus":null,"receivedAmount":null,"refundedAmount":null,"confirmations":null,"fulfillmentDecision":null,"merchantRisk":null,"updatedAt":null,`, 1)
	for _, answer := range []string{bare, nulls} {
		got, err := fetch(t, answer)
		if err != nil {
			t.Fatal(err)
		}
		want := payment.Snapshot{
			Ref: "p1", Revision: payment.NewAmount(2), Status: payment.Paid, RefundStatus: payment.NotRefunded,
			Amount: payment.NewAmount(50000), Received: payment.NewAmount(50000), Currency: "USDC",
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	got, err := fetch(t, strings.Replace(bare, `"paid"`, `"confirming"`, 1))
	if err != nil || got.Received.Sign() != 0 {
		t.Errorf("received %v before it was paid, %v", got.Received, err)
	}
}

func TestUnknownWordsArePassedOn(t *testing.T) {
	t.Parallel()
	got, err := fetch(t, strings.NewReplacer(`"paid"`, `"held"`, `{`, `{"refundStatus":"odd","fulfillmentDecision":"hold","merchantRisk":{"serviceStatus":"new"},`).Replace(orderJSON))
	if err != nil || got.Status != "held" || got.RefundStatus != "odd" || got.Risk != (payment.Risk{Decision: "hold", ServiceStatus: "new"}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSnapshotsWithoutWhatDecidesAreRefused(t *testing.T) {
	t.Parallel()
	for _, change := range [][2]string{
		{`"id":"p1",`, ``}, {`"revision":"2",`, ``}, {`"paymentStatus":"paid",`, ``}, {`"amount":"50000",`, ``}, {`,"currency":"USDC"`, ``},
		{`USDC`, `US$`}, {`USDC`, `THIRTEENCHARS`}, {`50000`, `-1`}, {`50000`, ``}, {`50000`, strings.Repeat("9", 66)}, {`{`, `{"confirmations":"4294967296",`},
		{`"paid"`, `"` + strings.Repeat("p", 33) + `"`},
	} {
		if got, err := fetch(t, strings.Replace(orderJSON, change[0], change[1], 1)); err == nil || got.Ref != "" {
			t.Errorf("%s for %s: %+v, %v", change[1], change[0], got, err)
		}
	}
}

func TestSampleSnapshotsCanBeFetched(t *testing.T) {
	t.Parallel()
	for name, order := range vectortest.Read(t, stablein.Name, "testdata").Events.Snapshots {
		answer, err := json.Marshal(order)
		if err != nil {
			t.Fatal(err)
		}
		a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) { w.Write(answer) }))
		got, err := a.Fetch(t.Context(), fmt.Sprint(order["id"]))
		if err != nil || got.Revision.String() != order["revision"] || string(got.Status) != order["paymentStatus"] ||
			got.Refunded.String() != order["refundedAmount"] || got.Risk.Decision != order["fulfillmentDecision"] {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestListsAreReadPageByPage(t *testing.T) {
	t.Parallel()
	other := strings.Replace(orderJSON, `"p1"`, `"p2"`, 1)
	a := serving(t, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		switch {
		case r.URL.Path != "/v1/orders" || q.Get("updatedSince") != "2026-01-01T00:00:00.000001Z" || q.Get("limit") != "1":
			t.Errorf("asked %s", r.URL)
		case q.Get("cursor") == "":
			io.WriteString(w, `{"orders":[`+orderJSON+`],"nextCursor":"a b&c"}`)
		case q.Get("cursor") == "a b&c":
			io.WriteString(w, `{"orders":[`+other+`],"nextCursor":null}`)
		}
	})
	var refs []string
	cursor := ""
	for {
		page, next, err := a.List(t.Context(), now.Add(time.Microsecond), cursor, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range page {
			refs = append(refs, s.Ref)
		}
		if next == "" {
			break
		}
		cursor = next
	}
	if !slices.Equal(refs, []string{"p1", "p2"}) {
		t.Error(refs)
	}
}

func TestAnOrderOfAnotherApplicationSpoilsNoPage(t *testing.T) {
	t.Parallel()
	foreign := strings.NewReplacer(`"p1"`, `"p2"`, `"our-1"`, `""`).Replace(orderJSON)
	a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"orders":[`+foreign+`,`+orderJSON+`]}`)
	}))
	got, _, err := a.List(t.Context(), now, "", 0)
	if err != nil || len(got) != 2 || got[0].OrderRef != "" || got[1].OrderRef != "our-1" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAnEmptyPageIsNoError(t *testing.T) {
	t.Parallel()
	a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" {
			t.Errorf("asked %s", r.URL)
		}
		io.WriteString(w, `{"orders":[]}`)
	}))
	payments, next, err := a.List(t.Context(), time.Time{}, "", 0)
	if len(payments) != 0 || next != "" || err != nil {
		t.Error(payments, next, err)
	}
}

func TestACursorThatStandsStillEndsTheList(t *testing.T) {
	t.Parallel()
	a := asking(t, inMemory(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"orders":[`+orderJSON+`],"nextCursor":"c"}`)
	}))
	if got, _, err := a.List(t.Context(), now, "c", 0); err == nil || got != nil {
		t.Error(got, err)
	}
}
