// Package web serves the shop's pages: handlers that read a request, call one
// command or query, and fill a view. There are no rules of trade here.
//
//   - GETs never write; every POST that succeeds is answered 303.
//   - Handlers return errors, and one function turns an error into a page. Pages
//     are rendered into a buffer first, so a page that fails is never half sent.
//   - Forms of other sites are refused by net/http's CrossOriginProtection.
//   - A strict Content-Security-Policy: no inline script or style, nothing from
//     elsewhere, and forms go to this shop and its payment pages only.
//   - Only pages that hold nobody's secrets are compressed.
//   - An order's page is found by a token of 192 bits in its address and by nothing
//     else; such pages aren't cached, indexed, or named in referrers, and their
//     addresses aren't logged.
//
// echo appears here and in nothing below: handlers are thin, so that moving to
// its next version is a matter of search and replace.
package web
