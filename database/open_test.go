package database_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"onceshop/database"
	"onceshop/testdb"
)

func TestSessionsAgreeWhateverTheAddressSays(t *testing.T) {
	t.Parallel()
	cfg, err := mysql.ParseDSN(testdb.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Loc, err = time.LoadLocation("Asia/Tokyo"); err != nil {
		t.Fatal(err)
	}
	cfg.Params = map[string]string{
		"time_zone":             "'+09:00'",
		"transaction_isolation": "'SERIALIZABLE'",
		"sql_mode":              "''",
	}
	db, err := database.Open(t.Context(), cfg.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		"SELECT @@session.time_zone":                        "+00:00",
		"SELECT @@character_set_connection":                 "utf8mb4",
		"SELECT @@collation_connection":                     "utf8mb4_bin",
		"SELECT TIMESTAMPDIFF(HOUR, UTC_TIMESTAMP, NOW())":  "0",
		"SELECT CAST('2026-01-02 03:04:05' AS DATETIME(6))": "2026-01-02T03:04:05Z",
	} {
		if got := value[string](t, db, query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if got := isolation(t, db); got != "READ-COMMITTED" {
		t.Errorf("isolation is %s", got)
	}
	if got := value[string](t, db, "SELECT @@session.sql_mode"); !strings.Contains(got, "STRICT_ALL_TABLES") {
		t.Errorf("sql_mode is %s: a value that doesn't fit would be cut", got)
	}
}

// isolation has another name on MariaDB before 11.1.
func isolation(t *testing.T, db *sql.DB) string {
	t.Helper()
	var name, level string
	const query = "SHOW SESSION VARIABLES WHERE Variable_name IN ('transaction_isolation', 'tx_isolation')"
	if err := db.QueryRowContext(t.Context(), query).Scan(&name, &level); err != nil {
		t.Fatal(err)
	}
	return level
}

func TestAddressIsTakenAsURLOrInTheDriversForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ source, user, password, address, name string }{
		{"mysql://ann:s3cret@db.internal:3307/shop", "ann", "s3cret", "db.internal:3307", "shop"},
		{"mysql://ann:s3cret@db.internal/shop", "ann", "s3cret", "db.internal:3306", "shop"},
		{"mysql://ann:p%40ss%2Fw%3Ard@db.internal/shop", "ann", "p@ss/w:rd", "db.internal:3306", "shop"},
		{"mysql://ann@[::1]/shop", "ann", "", "[::1]:3306", "shop"},
		{"mysql://ann@db.internal", "ann", "", "db.internal:3306", ""},
		{"ann:s3cret@tcp(db.internal:3306)/shop", "ann", "s3cret", "db.internal:3306", "shop"},
		{"root@unix(/run/mysqld.sock)/shop", "root", "", "/run/mysqld.sock", "shop"},
	} {
		cfg, err := database.Config(c.source)
		if err != nil {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		if cfg.User != c.user || cfg.Passwd != c.password || cfg.Addr != c.address || cfg.DBName != c.name {
			t.Errorf("%s was read as %s:%s@%s/%s", c.source, cfg.User, cfg.Passwd, cfg.Addr, cfg.DBName)
		}
	}
}

func TestErrorsNeverTellThePassword(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"mysql://ann:s3cret@127.0.0.1:port/shop",
		"mysql://ann:s3cret@127.0.0.1:1/shop",
		"ann:s3cret@nonsense",
		"ann:s3cret@unix(/nowhere.sock)/shop",
		"mysql://ann:s3cret@%zz/shop",
	} {
		_, err := database.Open(t.Context(), source)
		if err == nil {
			t.Errorf("%s opened", source)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the password is in %q", err)
		}
	}
}

func TestAbsentServerIsUnavailable(t *testing.T) {
	t.Parallel()
	_, err := database.Open(t.Context(), "root@unix("+filepath.Join(t.TempDir(), "no.sock")+")/shop")
	if !database.IsUnavailable(err) {
		t.Errorf("%v is not called unavailable", err)
	}
}

func TestDuplicateIsRecognised(t *testing.T) {
	t.Parallel()
	db := accounts(t)
	_, err := db.ExecContext(t.Context(), "INSERT INTO accounts VALUES (1, 5)")
	if !database.IsDuplicate(err) || database.IsRetryable(err) || database.IsUnavailable(err) {
		t.Errorf("%v: duplicate %v, retryable %v, unavailable %v", err, database.IsDuplicate(err), database.IsRetryable(err), database.IsUnavailable(err))
	}
}

func TestReadOnlyAndLateAnswersAreUnavailable(t *testing.T) {
	t.Parallel()
	db := accounts(t)
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "SET SESSION TRANSACTION READ ONLY"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "DELETE FROM accounts"); !database.IsUnavailable(err) {
		t.Errorf("a read-only session says %v: not called unavailable", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := db.ExecContext(ctx, "DO SLEEP(30)"); !database.IsUnavailable(err) {
		t.Errorf("a late answer is %v: not called unavailable", err)
	}
}

func TestLockWaitEndsBeforeAWebhookMustBeAnswered(t *testing.T) {
	t.Parallel()
	db := accounts(t)
	holder, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback() }()
	if _, err := holder.ExecContext(t.Context(), "UPDATE accounts SET amount = 1"); err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	_, err = db.ExecContext(t.Context(), "UPDATE accounts SET amount = 2")
	if !database.IsRetryable(err) || !database.IsUnavailable(err) {
		t.Errorf("a lock wait ended with %v: want one to retry", err)
	}
	if waited := time.Since(started); waited > 9*time.Second {
		t.Errorf("it waited for %v", waited)
	}
}

func TestAServerThatDoesNotAnswerIsSaidOnce(t *testing.T) {
	t.Parallel()
	_, err := database.Open(t.Context(), "nobody@unix("+filepath.Join(t.TempDir(), "none.sock")+")/shop")
	if err == nil || strings.Count(err.Error(), "none.sock") != 1 || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}
