// Package wire reads what providers send, so strictly that no two readers could
// understand it in two ways: names that occur twice or differ from a name we
// read only in case, a byte order mark, a second document, invalid UTF-8, lone
// surrogates, more than 64 levels and numbers in another form than the provider
// documents are refused. Unknown names are skipped, since providers add some.
//
// A document is described by [Members], which may be nested:
//
//	wire.ReadDocument(raw, wire.Members{
//		"id":   &id,
//		"data": wire.Members{"amount": &amount},
//	})
//
// Errors name the place and what is wrong there, never what the document says.
package wire
