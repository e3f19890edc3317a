package web

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/wneessen/go-mail"

	"onceshop/store/db"
	"onceshop/web/view"
)

func (s *site) mailbox(c echo.Context) error {
	private(c)
	mails, err := s.DB.ListMails(c.Request().Context(), 100)
	if err != nil {
		return err
	}
	now, err := s.DB.Now(c.Request().Context())
	if err != nil {
		return err
	}
	v := view.Mailbox{Layout: s.layout(c, "Mailbox")}
	v.Section, v.Private = view.SectionMailbox, true
	for _, m := range mails {
		v.Mails = append(v.Mails, view.MailItem{
			URL: "/mailbox/" + strconv.FormatUint(m.Seq, 10), Subject: m.Subject, To: m.Recipient, At: view.At(m.CreatedAt, now),
		})
	}
	return render(c, http.StatusOK, view.MailboxPage(v))
}

func (s *site) findMail(c echo.Context) (db.Mail, map[string]string, error) {
	private(c)
	seq, err := strconv.ParseUint(c.Param("seq"), 10, 64)
	if err != nil {
		return db.Mail{}, nil, echo.ErrNotFound
	}
	row, err := s.DB.GetMail(c.Request().Context(), seq)
	if err != nil {
		return row, nil, err
	}
	msg, err := mail.EMLToMsgFromReader(bytes.NewReader(row.Raw))
	if err != nil {
		return row, nil, err
	}
	parts := map[string]string{}
	for _, p := range msg.GetParts() {
		content, err := p.GetContent()
		if err != nil {
			return row, nil, err
		}
		parts[string(p.GetContentType())] = string(content)
	}
	if from := msg.GetFromString(); len(from) > 0 {
		parts["from"] = from[0]
	}
	return row, parts, nil
}

func (s *site) mail(c echo.Context) error {
	row, parts, err := s.findMail(c)
	if err != nil {
		return err
	}
	now, err := s.DB.Now(c.Request().Context())
	if err != nil {
		return err
	}
	v := view.Mail{
		Layout: s.layout(c, row.Subject), Subject: row.Subject, From: parts["from"], To: row.Recipient, MessageID: row.MessageID,
		At: view.At(row.CreatedAt, now), Text: parts[string(mail.TypeTextPlain)],
	}
	v.Section, v.Private = view.SectionMailbox, true
	if parts[string(mail.TypeTextHTML)] != "" {
		v.HTMLURL = "/mailbox/" + c.Param("seq") + "/html"
	}
	return render(c, http.StatusOK, view.MailPage(v))
}

// mailHTML shows a mail's HTML as a mail program would: in a frame of our own
// pages, with its own styles, and able to do nothing.
func (s *site) mailHTML(c echo.Context) error {
	_, parts, err := s.findMail(c)
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups")
	h.Set("X-Frame-Options", "SAMEORIGIN")
	return c.HTML(http.StatusOK, parts[string(mail.TypeTextHTML)])
}
