package fulfillment_test

import (
	"context"
	"testing"

	"onceshop/license"
	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store/db"
)

// house is the slug of a product that every mail shop has.
const house = "product-of-the-house"

// mailShop is a shop that mails through a post office.
type mailShop struct {
	*shoptest.Shop
	post *postOffice
}

func newMailShop(t testing.TB) mailShop {
	t.Helper()
	s := mailShop{shoptest.New(t), openPostOffice(t, office{})}
	s.Mails.Sender = s.post.sender("")
	s.Product(house, "Product of the house", "50000", "USDC")
	return s
}

// delivered returns an order that is paid and has its licenses, while its mail
// still waits, and the platform's id of its payment.
func (s mailShop) delivered(slug string, quantity int) (db.Order, string) {
	s.Helper()
	order, ref := s.BuyProduct(slug, quantity)
	s.report(ref, func(o *shoptest.Order) { o.PaymentStatus, o.Revision = "paid", "2" })
	for s.run(s.Worker.RunOnce) > 0 {
	}
	return s.Order(order.ID), ref
}

// report changes the platform's record and processes the event that tells of it.
func (s mailShop) report(ref string, change func(*shoptest.Order)) {
	s.Helper()
	if a := s.Report("payment.updated", s.Platform.Order(ref).With(change)); a.Status != 200 {
		s.Fatalf("webhook answered %d %s", a.Status, a.Body)
	}
	s.run(s.Processor.RunOnce)
}

func (s mailShop) refundAll(ref string) {
	s.Helper()
	s.report(ref, func(o *shoptest.Order) { o.RefundStatus, o.RefundedAmount, o.Revision = "full", o.Amount, "3" })
}

func (s mailShop) run(once func(context.Context) (int, error)) int {
	s.Helper()
	n, err := once(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return n
}

// mail runs the mail worker once, which has to find so many jobs.
func (s mailShop) mail(jobs int) {
	s.Helper()
	if n := s.run(s.Mails.RunOnce); n != jobs {
		s.Errorf("the mail worker took %d jobs, want %d", n, jobs)
	}
}

// job returns the order's one mail job.
func (s mailShop) job(orderID string) db.Job {
	s.Helper()
	jobs, err := s.DB.ListJobsOfOrder(s.Context(), orderID)
	if err != nil {
		s.Fatal(err)
	}
	var found []db.Job
	for _, j := range jobs {
		if j.Kind == "send_licenses_mail" {
			found = append(found, j)
		}
	}
	if len(found) != 1 {
		s.Fatalf("the order has %d mail jobs, want 1", len(found))
	}
	return found[0]
}

// retry is what staff do to a job.
func (s mailShop) retry(seq uint64, want int64) {
	s.Helper()
	if n, err := s.DB.RetryJob(s.Context(), seq); n != want || err != nil {
		s.Fatalf("retry of job %d changed %d rows (%v), want %d", seq, n, err, want)
	}
}

// keys returns the order's keys, by line and unit.
func (s mailShop) keys(orderID string) []string {
	s.Helper()
	var keys []string
	for _, l := range s.Licenses(orderID) {
		keys = append(keys, license.Key(s.Keys.Secret, l.ID))
	}
	return keys
}

// history returns the kinds of the order's changes, oldest first.
func (s mailShop) history(orderID string) []string {
	s.Helper()
	rows, err := s.DB.ListOrderRevisions(s.Context(), orderID)
	if err != nil {
		s.Fatal(err)
	}
	kinds := make([]string, len(rows))
	for i, r := range rows {
		kinds[len(rows)-1-i] = r.Kind
	}
	return kinds
}

// payments is what must not change whatever becomes of a mail.
func (s mailShop) payments(o db.Order) []db.Payment {
	s.Helper()
	all, err := s.DB.ListPaymentsOfOrder(s.Context(), &o.ID)
	if err != nil {
		s.Fatal(err)
	}
	if len(all) == 0 || all[0].Status != payment.Paid {
		s.Fatalf("the order isn't paid: %+v", all)
	}
	return all
}
