package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/go-sql-driver/mysql"
)

// The server's error numbers that decide what we do next.
const (
	errDuplicate     = 1062 // unique key exists: for us an answer, not a fault
	errLockWait      = 1205
	errDeadlock      = 1213
	errCertification = 3101 // Group Replication rolled the transaction back
	errReadOnly      = 1290 // --read-only or --super-read-only is on
	errReadOnlyTx    = 1792
	errReadOnlyNode  = 1836
	errShutdown      = 1053
	errTooMany       = 1040
	errDiskFull      = 1021
	errTableFull     = 1114
	errWriteFailed   = 1026
	errQueryKilled   = 1317
	errNotPrepared   = 1047 // Galera: the node has left the primary component
	errGoneAway      = 2006
	errLost          = 2013
)

func number(err error) uint16 {
	var my *mysql.MySQLError
	if errors.As(err, &my) {
		return my.Number
	}
	return 0
}

// IsDuplicate reports whether a unique key refused the row.
func IsDuplicate(err error) bool { return number(err) == errDuplicate }

// IsRetryable reports whether the server undid the whole transaction for
// reasons of concurrency, so that running it again is right.
func IsRetryable(err error) bool {
	switch number(err) {
	case errDeadlock, errLockWait, errCertification:
		return true
	}
	return false
}

// IsUnavailable reports whether the database could not take the statement now,
// although nothing is wrong with it: away, full, read-only, shutting down, or
// out of time. The caller says "try again later".
func IsUnavailable(err error) bool {
	switch number(err) {
	case errReadOnly, errReadOnlyTx, errReadOnlyNode, errShutdown, errTooMany, errDiskFull,
		errTableFull, errWriteFailed, errQueryKilled, errNotPrepared, errGoneAway, errLost:
		return true
	}
	if IsRetryable(err) {
		return true
	}
	var netErr net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.DeadlineExceeded) || errors.As(err, &netErr)
}
