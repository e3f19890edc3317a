// Package migrations holds the sandbox's schema: goose files, one DDL statement
// each, because DDL commits implicitly in MySQL and a half-applied file could
// not be repaired. There is no way down: a mistake is corrected by a new file.
package migrations

import "embed"

// FS holds the migration files.
//
//go:embed *.sql
var FS embed.FS
