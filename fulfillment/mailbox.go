package fulfillment

import (
	"bytes"
	"context"
	"time"

	"onceshop/store"
)

// Mailbox keeps mails in the shop's own database instead of sending them: for
// demos and tests, where a page shows them.
type Mailbox struct{ DB *store.DB }

// Send drops the mail into the mailbox. The same mail again is counted there, not
// kept twice.
func (b Mailbox) Send(ctx context.Context, m Mail) error {
	msg, err := m.message(time.Now())
	if err != nil {
		return err
	}
	var raw bytes.Buffer
	if _, err := msg.WriteTo(&raw); err != nil {
		return err
	}
	return b.DB.InTx(ctx, func(tx *store.Tx) error {
		return tx.DropMail(ctx, m.ID, m.To, m.Subject, raw.Bytes())
	})
}
