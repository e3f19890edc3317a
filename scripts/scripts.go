// Package scripts carries the repository's shell scripts inside the program, so
// that an installed shop works outside of a clone.
package scripts

import _ "embed"

// MySQL prints the path of a database server, getting one if need be.
//
//go:embed mysql.sh
var MySQL string
