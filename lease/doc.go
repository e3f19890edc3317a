// Package lease is one fenced queue over any table with the lease columns.
package lease
