package view

// Way is a provider that a buyer may pay with: all that pages know of one.
type Way struct {
	Name  string // as forms and records have it: "stablein"
	Label string // for people: "StableIn"
	Hint  string // one line more: "Stablecoins, from your own wallet"; may be empty
}

// wayID is the id of the field that chooses a way.
func wayID(w Way) string { return "way-" + w.Name }

// wayChosen tells which of the ways is chosen: the one that the buyer took last
// time, if it is still offered, else the first.
func wayChosen(v Cart) string {
	for _, w := range v.Ways {
		if w.Name == v.Way {
			return w.Name
		}
	}
	return v.Ways[0].Name
}
