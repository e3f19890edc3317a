// Package testdb gives each test a database schema of its own on a real server.
//
// One server serves a whole `go test ./...`, although every package is a process
// of its own: the first test that asks starts it, the others find it, and it
// ends a minute after the last one. `make test` starts it around the tests
// instead. It keeps its data in memory where it can and flushes nothing.
// SHOP_TEST_DATABASE_URL names another server to use; its user must be allowed
// to create databases. DB=mariadb chooses MariaDB.
//
// A schema is a copy of one that was migrated once per server, table by table,
// so that a test costs a fraction of running all migrations.
package testdb
