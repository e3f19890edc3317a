// Package migrations holds the shop's schema as goose migrations, one DDL
// statement each: MySQL commits on every DDL statement, so a file with two could
// stop in between. They go forward only; a mistake is repaired by a new file.
package migrations

import "embed"

// FS holds the migrations, for database.Up.
//
//go:embed *.sql
var FS embed.FS
