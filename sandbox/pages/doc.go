// Package pages draws the sandbox's pages: the hosted payment page that buyers
// see, and the desk on which a developer watches orders, events, deliveries and
// fault switches. It knows no database and no rule: a page is a struct of words
// that a handler fills.
//
// Every page works without script, from 320 px, in light and dark, under a
// content security policy that allows the one style sheet, the icon and forms to
// itself. It looks like a measuring instrument on purpose: nobody should take a
// practice page for the shop, or for a payment.
package pages
