package payment

// Clause is one condition of a decision, with what it has and what it wants, so
// that a page can show why something was or wasn't done.
type Clause struct {
	Name  string `json:"name"`
	Has   string `json:"has"`
	Wants string `json:"wants"`
	OK    bool   `json:"ok"`
}
