package stripe_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
)

const expandedList = "GET /v1/checkout/sessions?"

func TestListsHoldWholeSnapshots(t *testing.T) {
	t.Parallel()
	open := strings.Replace(sessionJSON("open", "unpaid", `null`), "cs_test_1", "cs_test_2", 1)
	card := strings.NewReplacer("cs_test_1", "cs_test_3", `"mode":"payment"`, `"mode":"setup"`, `2500`, `null`, `"eur"`, `null`).Replace(sessionJSON("complete", "no_payment_required", `null`))
	first := expandedList + "created[gte]=1767225600&expand[]=data.payment_intent.latest_charge&limit=30"
	second := first + "&starting_after=cs_test_3"
	a, s := asking(t, with(paid(),
		first, more(open, card), second, listOf(paidSession("1000", true)),
		getRefunds, listOf(refundJSON("re_1", "1000", "pending")), getDisputes, listOf(disputeJSON("du_1", "needs_response")),
	))
	var refs []string
	var last payment.Snapshot
	for cursor := ""; ; {
		payments, next, err := a.List(t.Context(), now.Add(999*time.Millisecond), cursor, 500)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range payments {
			refs, last = append(refs, p.Ref), p
		}
		if next == "" {
			break
		}
		cursor = next
	}
	if !slices.Equal(refs, []string{"cs_test_2", "cs_test_1"}) {
		t.Error(refs)
	}
	if last.Status != payment.Paid || last.RefundStatus != payment.PartiallyRefunded || len(last.Refunds) != 1 || len(last.Disputes) != 1 {
		t.Errorf("%+v", last)
	}
	if want := []string{first, second, getRefunds, getDisputes}; !slices.Equal(s.targets(), want) {
		t.Errorf("asked %v", s.targets())
	}
}

func TestAnEmptyPageIsNoError(t *testing.T) {
	t.Parallel()
	a, _ := asking(t, map[string]string{expandedList + "expand[]=data.payment_intent.latest_charge": listOf()})
	if payments, next, err := a.List(t.Context(), time.Time{}, "", 0); len(payments) != 0 || next != "" || err != nil {
		t.Error(payments, next, err)
	}
}

func TestAPageThatIsNotWholeIsAnError(t *testing.T) {
	t.Parallel()
	question := expandedList + "expand[]=data.payment_intent.latest_charge&starting_after=cs_test_0"
	good := sessionJSON("open", "unpaid", `null`)
	for name, answer := range map[string]string{
		"another mode":         listOf(good, strings.Replace(good, `"livemode":false`, `"livemode":true`, 1)),
		"an unknown currency":  listOf(good, strings.Replace(good, `"eur"`, `"xyz"`, 1)),
		"an intent's id only":  listOf(good, sessionJSON("complete", "paid", `"pi_1"`)),
		"another object":       listOf(strings.Replace(good, `checkout.session`, `charge`, 1)),
		"null":                 listOf(`null`),
		"a cursor that stands": more(strings.Replace(good, "cs_test_1", "cs_test_0", 1)),
		"no list":              good,
		"no refunds to read":   listOf(paidSession("0", false)),
	} {
		a, _ := asking(t, map[string]string{question: answer})
		payments, next, err := a.List(t.Context(), time.Time{}, "cs_test_0", 0)
		if err == nil || payments != nil || next != "" || name != "no refunds to read" && !errors.Is(err, payment.ErrLater) {
			t.Errorf("%s: %v, %q, %v", name, payments, next, err)
		}
		checkQuiet(t, err)
	}
}
