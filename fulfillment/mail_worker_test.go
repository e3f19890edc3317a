package fulfillment_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/database"
	"onceshop/fulfillment"
	"onceshop/lease"
	"onceshop/shoptest"
	"onceshop/store"
)

func TestDeliveredOrderIsMailedOnce(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	s.Product("once-pro", "Once Pro", "4900", "EUR")
	order, _ := s.delivered("once-pro", 1)
	before := s.history(order.ID)
	s.mail(1)
	s.mail(0)

	letters := s.post.got()
	if len(letters) != 1 {
		t.Fatalf("%d mails were accepted, want 1", len(letters))
	}
	if l := letters[0]; l.from != "shop@shop.test" || l.to != shoptest.Buyer {
		t.Errorf("from %s to %s", l.from, l.to)
	}
	m := open(t, letters[0].raw)
	if want := "Your license for Once Pro – order " + order.Number; m.Subject != want {
		t.Errorf("subject %q, want %q", m.Subject, want)
	}
	for _, want := range []string{s.keys(order.ID)[0], order.Number, "Once Pro", "€49.00", s.Shop.Shop.OrderURL(order), "Test Shop", "UTC", "shop license verify --key public-key.pem FILE"} {
		if !strings.Contains(m.Text, want) || !strings.Contains(m.HTML, want) {
			t.Errorf("%q is missing in text or HTML:\n%s", want, m.Text)
		}
	}
	for name, want := range map[string]string{
		"From": `"Test Shop" <shop@shop.test>`, "To": "<" + shoptest.Buyer + ">", "Auto-Submitted": "auto-generated",
	} {
		if got := m.Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if job := s.job(order.ID); job.Status != "done" || job.LastError != nil {
		t.Errorf("the job is %s, %s", job.Status, store.Deref(job.LastError))
	}
	if diff := cmp.Diff(before, s.history(order.ID)); diff != "" {
		t.Errorf("a mail that went out is nothing that an order's history has to tell:\n%s", diff)
	}
}

func TestOrderOfThreeUnitsIsOneMailWithThreeKeys(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	s.Product("once-pro", "Once Pro", "4900", "EUR")
	order, _ := s.delivered("once-pro", 3)
	s.mail(1)

	letters := s.post.got()
	if len(letters) != 1 {
		t.Fatalf("%d mails were accepted, want 1", len(letters))
	}
	m, keys := open(t, letters[0].raw), s.keys(order.ID)
	if len(keys) != 3 || !strings.HasPrefix(m.Subject, "Your licenses for Once Pro – ") {
		t.Errorf("%d keys, subject %q", len(keys), m.Subject)
	}
	for _, form := range []string{m.Text, m.HTML} {
		for _, want := range append(keys, "License 3 of 3", "€147.00") {
			if strings.Count(form, want) == 0 {
				t.Errorf("%q is missing", want)
			}
		}
	}
}

func TestWorkerThatDiesAfterTheServerAcceptedCausesOneMailMore(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)
	keys := s.keys(order.ID)

	// A worker of its own, whose database goes away between acceptance and note.
	pool, err := database.Open(t.Context(), s.DSN)
	if err != nil {
		t.Fatal(err)
	}
	dying := *s.Mails
	dying.DB = store.New(pool)
	dying.Queue = dying.DB.Jobs("dying", fulfillment.SendLicensesMail)
	dying.Queue.Log = s.Mails.Log
	dying.Sender = after{s.Mails.Sender, func() { pool.Close() }}
	if n := s.run(dying.RunOnce); n != 1 {
		t.Fatalf("it took %d jobs, want 1", n)
	}
	if job := s.job(order.ID); job.Status != "leased" {
		t.Fatalf("the job is %s; a dead worker leaves it leased", job.Status)
	}
	s.mail(0)
	s.expireLeases()
	s.mail(1)
	s.mail(0)

	s.sameMailTwice(order.ID)
	if diff := cmp.Diff(keys, s.keys(order.ID)); diff != "" {
		t.Errorf("the keys have changed:\n%s", diff)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_licenses"); n != 1 {
		t.Errorf("%d licenses, want 1", n)
	}
	if job := s.job(order.ID); job.Status != "done" {
		t.Errorf("the job is %s, want done", job.Status)
	}
}

func TestStaleWorkersFinishIsRefusedAndNothingIsSentAThirdTime(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)

	accepted, resume := make(chan struct{}), make(chan struct{})
	slow := *s.Mails
	slow.Sender = after{s.Mails.Sender, func() { close(accepted); <-resume }}
	ended := make(chan error)
	go func() {
		_, err := slow.RunOnce(context.WithoutCancel(t.Context()))
		ended <- err
	}()
	<-accepted
	s.expireLeases()
	s.mail(1)
	settled := s.job(order.ID)
	close(resume)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(settled, s.job(order.ID)); diff != "" {
		t.Errorf("the stale worker wrote:\n%s", diff)
	}
	if settled.Status != "done" || settled.LeaseVersion != 2 {
		t.Errorf("the job is %s at lease version %d, want done at 2", settled.Status, settled.LeaseVersion)
	}
	s.mail(0)
	s.sameMailTwice(order.ID)
}

func TestWorkerThatIsStoppedAfterTheServerAcceptedNotesIt(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)
	ctx, stop := context.WithCancel(t.Context())
	s.Mails.Sender = after{s.Mails.Sender, stop}
	if n, err := s.Mails.RunOnce(ctx); n != 1 || err != nil {
		t.Fatalf("%d jobs, %v", n, err)
	}
	if job := s.job(order.ID); job.Status != "done" {
		t.Errorf("the job is %s, want done", job.Status)
	}
}

func TestWorkerWhoseLeaseHasPassedOnSendsNothing(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	s.delivered(house, 1)
	held := s.claim()
	s.expireLeases()
	s.mail(1)
	if err := s.Mails.SendUnder(t.Context(), held); !errors.Is(err, lease.ErrLost) {
		t.Errorf("got %v, want ErrLost", err)
	}
	if n := len(s.post.got()); n != 1 {
		t.Errorf("%d mails, want 1", n)
	}
}

// claim leases the one mail job that is due.
func (s mailShop) claim() lease.Lease {
	s.Helper()
	leases, err := s.Mails.Queue.Claim(s.Context(), 1)
	if err != nil || len(leases) != 1 {
		s.Fatalf("claimed %v, %v", leases, err)
	}
	return leases[0]
}

// sameMailTwice checks that two mails arrived, and that they are one.
func (s mailShop) sameMailTwice(orderID string) {
	s.Helper()
	letters := s.post.got()
	if len(letters) != 2 {
		s.Fatalf("%d mails were accepted, want 2", len(letters))
	}
	first, second := open(s, letters[0].raw), open(s, letters[1].raw)
	id := first.Get("Message-ID")
	if !strings.HasSuffix(id, "@shop.test>") || id != second.Get("Message-ID") {
		s.Errorf("message ids %s and %s", id, second.Get("Message-ID"))
	}
	if first.Subject != second.Subject || first.Text != second.Text || first.HTML != second.HTML {
		s.Error("the second mail says something else")
	}
	for _, key := range s.keys(orderID) {
		if !strings.Contains(second.Text, key) {
			s.Error("the second mail has another key")
		}
	}
}

// expireLeases is time passing: every lease has run out.
func (s mailShop) expireLeases() {
	s.Helper()
	s.Exec("UPDATE shop_fulfillment_outbox SET lease_until = NOW(6) - INTERVAL 1 SECOND WHERE status = 'leased'")
}

// after is a Sender that does something once a mail was accepted.
type after struct {
	fulfillment.Sender
	then func()
}

func (a after) Send(ctx context.Context, m fulfillment.Mail) error {
	err := a.Sender.Send(ctx, m)
	if err == nil {
		a.then()
	}
	return err
}

func TestMailJobsOfManyOrdersAreAllDone(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	var numbers []string
	for range 10 {
		order, _ := s.delivered(house, 1)
		numbers = append(numbers, order.Number)
	}
	s.mail(8)
	s.mail(2)
	var mailed []string
	for _, l := range s.post.got() {
		_, number, _ := strings.Cut(open(t, l.raw).Subject, " – order ")
		mailed = append(mailed, number)
	}
	slices.Sort(numbers)
	slices.Sort(mailed)
	if diff := cmp.Diff(numbers, mailed); diff != "" {
		t.Errorf("orders and mails differ:\n%s", diff)
	}
}
