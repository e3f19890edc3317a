package fulfillment

import (
	"context"
	"errors"
	"log/slog"
	"net/mail"
	"time"

	"onceshop/lease"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// MailWorker mails buyers their licenses: once, or with the same Message-ID and
// the same keys again when nobody can know whether the first one arrived. It
// never issues anything, and what becomes of a mail never touches a payment
// (promise 7).
type MailWorker struct {
	DB       *store.DB
	Queue    *lease.Queue // store.DB.Jobs of SendLicensesMail
	Sender   Sender
	Keys     Keys
	From     mail.Address // without a name, the shop's is used
	ShopName string
	Contact  string // the mail address for buyers' questions; empty: mails name none
	OrderURL func(db.Order) string
	Log      *slog.Logger
}

// Sender hands a mail over to whoever delivers it. An error that is ErrRefused
// ends the matter, any other is worth a later attempt. Errors are shown to staff:
// they must not contain addresses or anything of the mail.
type Sender interface {
	Send(ctx context.Context, m Mail) error
}

// noteTime is how long the outcome of a mail may take to be written, even when
// the worker was told to stop: what isn't noted is sent again.
const noteTime = 5 * time.Second

// RunOnce works on the mails that are due and returns how many it took.
func (w *MailWorker) RunOnce(ctx context.Context) (int, error) {
	return runJobs(ctx, w.Queue, w.send)
}

// send reads, sends and notes, with no transaction open while the network is
// asked. A crash between the last two leads to one mail more, the same one.
func (w *MailWorker) send(ctx context.Context, l lease.Lease) error {
	m, order, err := w.compose(ctx, l)
	if errors.Is(err, errAllRevoked) {
		return w.cancel(ctx, l, err)
	}
	if errors.Is(err, errResting) {
		return w.rest(ctx, l, order.ID)
	}
	if err != nil && !errors.Is(err, ErrRefused) {
		return err
	}
	if err == nil {
		err = w.Sender.Send(ctx, m)
	}
	if err != nil && !errors.Is(err, ErrRefused) {
		return err
	}
	refusal := err

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	log := w.Log.With("order", order.ID, "message_id", m.ID)
	if refusal != nil {
		log.Warn("licenses mail refused: reason in last_error")
		return w.noteRefused(ctx, l, order.ID, refusal)
	}
	log.Info("licenses mail sent")
	return w.noteSent(ctx, l, order)
}

// compose makes the mail from what is true now. The lease is looked at again: a
// worker that was held up until its lease had passed on sends nothing.
func (w *MailWorker) compose(ctx context.Context, l lease.Lease) (Mail, db.Order, error) {
	job, err := w.DB.GetJob(ctx, l.Seq)
	if err != nil {
		return Mail{}, db.Order{}, err
	}
	if job.Status != "leased" || job.LeaseVersion != l.Version {
		return Mail{}, db.Order{}, lease.ErrLost
	}
	row, err := w.DB.GetOrder(ctx, job.OrderID)
	if err != nil {
		return Mail{}, db.Order{}, err
	}
	order := row.Order
	if order.RefundStatus == payment.FullyRefunded || order.FulfillmentStatus == store.DeliveryRevoked {
		return Mail{}, order, errAllRevoked
	}
	if order.FulfillmentStatus == store.DeliverySuspended {
		return Mail{}, order, errResting
	}
	lines, err := w.DB.ListOrderLines(ctx, order.ID)
	if err != nil {
		return Mail{}, order, err
	}
	// Read last: a refund that was booked meanwhile shows in them.
	licenses, err := w.DB.ListLicensesOfOrder(ctx, order.ID)
	if err != nil {
		return Mail{}, order, err
	}
	address := w.OrderURL(order)
	r, err := newReceipt(w.ShopName, address, w.Keys.Secret, order, lines, licenses)
	if err != nil {
		return Mail{}, order, err
	}
	r.Contact = w.Contact
	text, html, err := r.render()
	return Mail{
		ID: mailID(job.OperationKey, address), From: w.from(), To: order.Email, Subject: r.Subject(), Text: text, HTML: html,
	}, order, err
}

func (w *MailWorker) from() mail.Address {
	from := w.From
	if from.Name == "" {
		from.Name = inline(w.ShopName)
	}
	return from
}

// cancel ends the job of an order whose licenses have ended. That is no failure
// and isn't counted as one.
func (w *MailWorker) cancel(ctx context.Context, l lease.Lease, why error) error {
	return endJob(ctx, w.DB.Queries, l, "cancelled", why, 1)
}

// rest holds the mail back while the order's licenses rest: what wakes them wakes it,
// under the same lock.
func (w *MailWorker) rest(ctx context.Context, l lease.Lease, orderID string) error {
	return w.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := tx.LockOrder(ctx, orderID)
		if err != nil {
			return err
		}
		if row.Order.FulfillmentStatus != store.DeliverySuspended {
			return w.Queue.PostponeTx(ctx, tx, l, 0, "the order's licenses rested until now")
		}
		return endJob(ctx, tx.Queries, l, "blocked", errResting, 1)
	})
}

// noteSent finishes the job, and takes back the note that the buyer couldn't be
// reached, if there was one.
func (w *MailWorker) noteSent(ctx context.Context, l lease.Lease, o db.Order) error {
	if o.MailRefusedAt == nil {
		return w.Queue.Finish(ctx, l)
	}
	return w.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := tx.LockOrder(ctx, o.ID)
		if err != nil {
			return err
		}
		if err := w.Queue.FinishTx(ctx, tx, l); err != nil {
			return err
		}
		after := row.Order
		after.MailRefusedAt = nil
		_, err = tx.SaveOrder(ctx, row.Order, after, store.Entry{Kind: "mail_sent", Source: store.FromFulfillment, Actor: "worker"})
		return err
	})
}

// noteRefused ends the job as undeliverable, where it stays visible until a
// person acts (promise 10), and tells the order, whose page asks for help.
func (w *MailWorker) noteRefused(ctx context.Context, l lease.Lease, orderID string, why error) error {
	return w.DB.InTx(ctx, func(tx *store.Tx) error {
		row, err := tx.LockOrder(ctx, orderID)
		if err != nil {
			return err
		}
		if err := endJob(ctx, tx.Queries, l, "undeliverable", why, 0); err != nil {
			return err
		}
		after := row.Order
		after.MailRefusedAt = &row.DbNow
		_, err = tx.SaveOrder(ctx, row.Order, after, store.Entry{
			Kind: "mail_refused", Source: store.FromFulfillment, Actor: "worker",
			Changes: []payment.Change{{Field: "mail_refusal", After: why.Error()}},
		})
		return err
	})
}

// endJob settles a lease in another way than done or dead (promise 9).
func endJob(ctx context.Context, q *db.Queries, l lease.Lease, status string, why error, uncounted int) error {
	reason := why.Error()
	rows, err := q.EndJob(ctx, db.EndJobParams{Status: status, LastError: &reason, Uncounted: uncounted, Seq: l.Seq, LeaseVersion: l.Version})
	if err == nil && rows != 1 {
		err = lease.ErrLost
	}
	return err
}
