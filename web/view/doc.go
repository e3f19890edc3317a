// Package view draws the shop's pages: one struct and one templ component
// each. A struct holds what its page says, in plain strings, numbers and
// slices, already formatted; no type of the trade comes in here, so a page can
// be drawn from canned data and compared with a golden file, and a change of a
// rule never has to touch a template.
//
// What the pages promise:
//
//   - they work without script: every action is a link or a form, waiting pages
//     refresh themselves by a meta element that only scriptless browsers obey;
//   - they hold no inline script and no inline style, so the strictest
//     Content-Security-Policy fits;
//   - what a merchant or a buyer typed is escaped, and set apart with <bdi>
//     where it stands in a sentence, so that a right-to-left name can't reorder
//     the words around it;
//   - an order that isn't paid never reads like one that is.
//
// The handlers in package web fill the structs and render into a buffer. The
// look lives in package assets.
package view
