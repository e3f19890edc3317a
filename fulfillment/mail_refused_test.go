package fulfillment_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"onceshop/fulfillment"
	"onceshop/lease"
	"onceshop/shoptest"
	"onceshop/store"
)

// unknownUser is a refusal that repeats the address, as many do.
func unknownUser() error {
	return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "<" + shoptest.Buyer + ">: no such user"}
}

func TestRefusedMailIsUndeliverableAndNothingElseChanges(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)
	paid, keys := s.payments(order), s.keys(order.ID)
	s.post.refuseRecipients(unknownUser())
	s.mail(1)
	s.MakeDue()
	s.mail(0)

	job, after := s.job(order.ID), s.Order(order.ID)
	if job.Status != "undeliverable" || job.Attempts != 1 {
		t.Errorf("the job is %s after %d attempts, want undeliverable after 1", job.Status, job.Attempts)
	}
	if want := "mail refused: recipient: the mail server answered 550 5.1.1"; store.Deref(job.LastError) != want {
		t.Errorf("last error %q, want %q", store.Deref(job.LastError), want)
	}
	if after.MailRefusedAt == nil || after.FulfillmentStatus != store.DeliveryDone || after.Revision != order.Revision+1 {
		t.Errorf("the order is %+v", after)
	}
	if h := s.history(order.ID); h[len(h)-1] != "mail_refused" {
		t.Errorf("history: %v", h)
	}
	if diff := cmp.Diff(paid, s.payments(order)); diff != "" {
		t.Errorf("the payment has changed:\n%s", diff)
	}
	if diff := cmp.Diff(keys, s.keys(order.ID)); diff != "" {
		t.Errorf("the keys have changed:\n%s", diff)
	}
	if n := len(s.post.got()); n != 0 {
		t.Errorf("%d mails were accepted", n)
	}
}

func TestMailSentAgainAfterARefusalTakesTheNoteBack(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)
	s.post.refuseRecipients(unknownUser())
	s.mail(1)
	s.post.refuseRecipients(nil)
	s.retry(s.job(order.ID).Seq, 1)
	s.mail(1)

	if o := s.Order(order.ID); o.MailRefusedAt != nil {
		t.Error("the order still says that its buyer can't be reached")
	}
	h := s.history(order.ID)
	if diff := cmp.Diff([]string{"mail_refused", "mail_sent"}, h[len(h)-2:]); diff != "" {
		t.Error(diff)
	}
	if job := s.job(order.ID); job.Status != "done" || len(s.post.got()) != 1 {
		t.Errorf("the job is %s, %d mails", job.Status, len(s.post.got()))
	}
}

func TestMailThatWasSentIsSentAgainWhenStaffAskForIt(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)
	s.mail(1)
	before := s.history(order.ID)
	s.retry(s.job(order.ID).Seq, 1)
	s.mail(1)
	s.mail(0)

	s.sameMailTwice(order.ID)
	if diff := cmp.Diff(before, s.history(order.ID)); diff != "" {
		t.Errorf("the history has changed:\n%s", diff)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_licenses"); n != 1 {
		t.Errorf("%d licenses, want 1", n)
	}
}

func TestDoneLicenseJobIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)
	jobs, err := s.DB.ListJobsOfOrder(t.Context(), order.ID)
	if err != nil {
		t.Fatal(err)
	}
	if jobs[0].Kind != fulfillment.IssueLicense || jobs[0].Status != "done" {
		t.Fatalf("%+v", jobs[0])
	}
	s.retry(jobs[0].Seq, 0)
}

func TestMailServerAwayMakesTheMailWaitAndNothingElse(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)
	paid, keys := s.payments(order), s.keys(order.ID)
	// Nobody listens there, whereas the port of a server that was closed may be another
	// test's by now.
	away, err := fulfillment.NewSMTP("smtp://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	s.Mails.Sender = away
	s.mail(1)
	s.mail(0)

	job := s.job(order.ID)
	if job.Status != "pending" || job.Attempts != 1 || !strings.Contains(store.Deref(job.LastError), "connection refused") {
		t.Errorf("the job is %s after %d attempts: %s", job.Status, job.Attempts, store.Deref(job.LastError))
	}
	if s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE kind = 'send_licenses_mail' AND next_attempt_at BETWEEN NOW(6) + INTERVAL 40 SECOND AND NOW(6) + INTERVAL 67 SECOND") != 1 {
		t.Errorf("the next attempt is at %v, want in about a minute", job.NextAttemptAt)
	}
	if diff := cmp.Diff(order, s.Order(order.ID)); diff != "" {
		t.Errorf("the order has changed:\n%s", diff)
	}
	if diff := cmp.Diff(paid, s.payments(order)); diff != "" {
		t.Errorf("the payment has changed:\n%s", diff)
	}

	s.Mails.Sender = s.post.sender("")
	s.MakeDue()
	s.mail(1)
	if m := open(t, s.post.got()[0].raw); !strings.Contains(m.Text, keys[0]) {
		t.Error("the mail has another key than the order had before")
	}
}

func TestFullRefundWhileTheMailWaitsLeavesNoMail(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, ref := s.delivered(house, 2)
	s.refundAll(ref)
	if job := s.job(order.ID); job.Status != "cancelled" {
		t.Errorf("the job is %s, want cancelled", job.Status)
	}
	s.mail(0)
	s.retry(s.job(order.ID).Seq, 0)
	if n := len(s.post.got()); n != 0 {
		t.Errorf("%d mails with keys that are worth nothing", n)
	}
}

func TestMailAskedForAfterAFullRefundIsCancelled(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, ref := s.delivered(house, 1)
	s.mail(1)
	s.refundAll(ref)
	s.retry(s.job(order.ID).Seq, 1)
	s.mail(1)
	if job := s.job(order.ID); job.Status != "cancelled" || job.Attempts != 0 {
		t.Errorf("the job is %s after %d counted attempts, want cancelled after none", job.Status, job.Attempts)
	}
	if n := len(s.post.got()); n != 1 {
		t.Errorf("%d mails, want the first one only", n)
	}
}

func TestFullRefundWhileTheMailIsUnderWayEndsTheJob(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, ref := s.delivered(house, 1)
	held := s.claim()
	s.refundAll(ref)
	if err := s.Mails.SendUnder(t.Context(), held); !errors.Is(err, lease.ErrLost) {
		t.Errorf("got %v, want ErrLost", err)
	}
	if job := s.job(order.ID); job.Status != "cancelled" || len(s.post.got()) != 0 {
		t.Errorf("the job is %s, %d mails", job.Status, len(s.post.got()))
	}
}

func TestRefusalAfterAFullRefundChangesNothing(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, ref := s.delivered(house, 1)
	s.Mails.Sender = sendFunc(func(context.Context, fulfillment.Mail) error {
		s.refundAll(ref)
		return fulfillment.ErrRefused
	})
	s.mail(1)
	if o, job := s.Order(order.ID), s.job(order.ID); o.MailRefusedAt != nil || job.Status != "cancelled" {
		t.Errorf("refused at %v, job %s", o.MailRefusedAt, job.Status)
	}
}

func TestPartialRefundIsOnTheReceiptAndTheKeysAreMailed(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, ref := s.delivered(house, 1)
	s.report(ref, func(o *shoptest.Order) { o.RefundStatus, o.RefundedAmount, o.Revision = "partial", "20000", "3" })
	s.mail(1)
	m := open(t, s.post.got()[0].raw)
	for _, want := range []string{"Refunded: 0.02\u00a0USDC", s.keys(order.ID)[0]} {
		if !strings.Contains(m.Text, want) {
			t.Errorf("%q is missing in:\n%s", want, m.Text)
		}
	}
}

func TestKeysOfAnotherSecretAreNotMailed(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)
	s.Mails.Keys.Secret = []byte("a secret that no license was issued with")
	s.mail(1)
	if job := s.job(order.ID); job.Status != "pending" || !strings.Contains(store.Deref(job.LastError), "secret") {
		t.Errorf("the job is %s: %s", job.Status, store.Deref(job.LastError))
	}
	if n := len(s.post.got()); n != 0 {
		t.Errorf("%d mails with a key that doesn't work", n)
	}
}

func TestNoMailWithoutAllOfItsLicenses(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 2)
	s.Exec("DELETE FROM shop_licenses WHERE unit_no = 2")
	s.mail(1)
	if job := s.job(order.ID); job.Status != "pending" || len(s.post.got()) != 0 {
		t.Errorf("the job is %s, %d mails", job.Status, len(s.post.got()))
	}
}

func TestAddressesAndKeysAreNeitherLoggedNorKept(t *testing.T) {
	t.Parallel()
	quote := func(code int, enhanced ...int) error {
		return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode(enhanced), Message: "dislikes " + shoptest.Buyer}
	}
	for name, arrange := range map[string]func(*postOffice){
		"recipient refused":  func(p *postOffice) { p.onRcpt = func(string) error { return quote(550, 5, 1, 1) } },
		"recipient later":    func(p *postOffice) { p.onRcpt = func(string) error { return quote(451, 4, 3, 0) } },
		"sender refused":     func(p *postOffice) { p.onMail = quote(550, 5, 7, 1) },
		"content refused":    func(p *postOffice) { p.onData = func() error { return quote(554, 5, 7, 1) } },
		"hung up on content": func(p *postOffice) { p.onData = func() error { p.close(); return io.EOF } },
		"accepted":           func(*postOffice) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log lockedBuffer
			s := mailShop{
				shoptest.New(t, shoptest.Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}),
				openPostOffice(t, office{}),
			}
			s.Mails.Sender = s.post.sender("")
			s.Product(house, "Product of the house", "50000", "USDC")
			order, _ := s.delivered(house, 1)
			arrange(s.post)
			s.mail(1)

			job := s.job(order.ID)
			written := log.String() + store.Deref(job.LastError)
			for _, r := range s.revisions(order.ID) {
				written += r
			}
			for _, secret := range []string{shoptest.Buyer, "dislikes", s.keys(order.ID)[0], s.Shop.Shop.OrderToken(order.ID, 1)} {
				if strings.Contains(written, secret) {
					t.Errorf("%q is in:\n%s", secret, written)
				}
			}
			if !strings.Contains(log.String(), "mail") && job.LastError == nil {
				t.Error("nothing was written down at all")
			}
		})
	}
}

// revisions returns what the order's history holds as JSON.
func (s mailShop) revisions(orderID string) []string {
	s.Helper()
	rows, err := s.DB.ListOrderRevisions(s.Context(), orderID)
	if err != nil {
		s.Fatal(err)
	}
	var all []string
	for _, r := range rows {
		all = append(all, string(r.Changes))
	}
	return all
}

type sendFunc func(context.Context, fulfillment.Mail) error

func (f sendFunc) Send(ctx context.Context, m fulfillment.Mail) error { return f(ctx, m) }

// lockedBuffer is a log that several workers write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
