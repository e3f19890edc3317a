package main

import (
	"context"
	"fmt"

	"onceshop/config"
	"onceshop/database"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

type seedCommand struct{}

func (*seedCommand) Run(s *session) error {
	return s.withDB(func(_ *config.Config, d *store.DB) error {
		n, err := seed(s.ctx, d)
		if err == nil {
			fmt.Fprintf(s.stdout, "%d products added\n", n)
		}
		return err
	})
}

// seed puts the demo's catalogue into the database and returns how many products
// are new. What is there stays as it is, also when a merchant has edited it.
func seed(ctx context.Context, d *store.DB) (added int, err error) {
	for i, p := range catalogue {
		err := d.InsertProduct(ctx, db.InsertProductParams{
			ID: store.NewID(), Slug: p.slug, Name: p.name, Summary: p.summary, Description: p.description,
			Price: payment.NewAmount(p.price), Currency: p.currency, ActivationLimit: p.devices, Position: i + 1,
		})
		switch {
		case database.IsDuplicate(err):
		case err != nil:
			return added, err
		default:
			added++
		}
	}
	return added, nil
}

// product is one of the demo's.
type product struct {
	slug, name, summary string
	price               int64 // in the currency's minor units
	currency            string
	devices             int
	description         string // paragraphs, with an empty line between
}

// catalogue is sold in the currency that most providers take, so that any two go into
// one cart. One product is for those who sell in India only.
var catalogue = [...]product{
	{"inkwell", "Inkwell", "A quiet editor for long texts. Opens a whole book at once and never loses a word.", 49_00, "USD", 3,
		`Inkwell is for texts that take months. It opens four hundred pages as fast as four, keeps every version of every paragraph, and shows what changed since last Tuesday without being asked.

There is one window, one typeface that you choose once, and no toolbar. Chapters are folded with a key; notes stand in the margin and print as footnotes or not at all. Files are plain text with light marks, so that you can still read them when Inkwell is long forgotten.

Your license covers three of your own computers, on macOS, Windows and Linux, and every update of version 4.`},
	{"tally", "Tally", "Double-entry bookkeeping for one person, in a file you own.", 79_00, "USD", 2,
		`Tally keeps the books of a freelancer the way an accountant would, and explains each line the way a friend would. Import the bank's statement, answer what it can't know, and the quarter is done.

Everything is in one file on your disk, encrypted, and readable by a documented format. Nothing is sent anywhere. Reports for your tax office come as PDF and as the spreadsheet your accountant asks for.

Your license covers two computers and has no end; new tax years come as free updates.`},
	{"lantern", "Lantern", "Finds the photo you mean by describing it. Everything stays on your machine.", 35_00, "USD", 2,
		`Type "the dog on the red sofa, last winter" and Lantern shows it. It looks at your pictures once, by night, on your own processor, and remembers what is on them.

No account, no upload, no faces sent to anybody. A library of a hundred thousand photos takes two gigabytes of index and one night of patience.

Your license covers two computers that share one library.`},
	{"quarry", "Quarry", "A database client that explains a slow query before you ask.", 120_00, "USD", 3,
		`Quarry connects to MySQL, MariaDB and PostgreSQL and watches while you work. When a statement is slow it says which index is missing, which estimate was wrong and what the fix would cost, in sentences.

Results open at once, however many rows there are; edits are shown as the statements they will become, and nothing runs against production without its name being typed.

Your license covers three computers of one person, with two years of updates.`},
	{"meridian", "Meridian", "One calendar across all time zones, daylight saving included.", 19_00, "USD", 5,
		`Meridian draws the day of everybody you work with on one strip: who is asleep, who is at lunch, and which hour next week is fair to all.

It reads the calendars you have and adds nothing to them until you press the button. Changes of summer time are known years ahead, and a meeting that they would move says so.

Your license covers five devices.`},
	{"stillpoint", "Stillpoint", "Backups that restore themselves once a week to prove they can.", 64_00, "USD", 1,
		`A backup that was never restored is a hope. Stillpoint saves your machine to any disk or bucket, and every week it restores a part of it somewhere else, compares each byte, and mails you one line: it works.

Saves are encrypted before they leave, share what hasn't changed, and can be opened without Stillpoint by a small program that comes with its source.

Your license covers one computer, for good.`},
	{"akshar", "Akshar", "Type in eleven Indian scripts by sound, in every program you have.", 1_499_00, "INR", 3,
		`Akshar turns what you type as you would say it into Devanagari, Tamil, Bengali, Telugu and seven other scripts, in whatever window you are in. Write namaste and नमस्ते stands there.

It learns the names of your family and your street, keeps them on your machine, and never asks which of three spellings you meant a second time.

Your license covers three devices, and every script that is added.`},
}
