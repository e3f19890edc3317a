package wire

import "github.com/go-json-experiment/json/jsontext"

// Word is a short text, mostly one of the provider's fixed words. Unknown ones
// are kept, as long as our records can hold them.
type Word struct {
	S   string
	Max int
}

// Read refuses a word that is longer than Max bytes.
func (w *Word) Read(dec *jsontext.Decoder) error {
	s, given, err := ReadString(dec)
	if err == nil && given && !IsPlain(s, w.Max) {
		err = Faultf("is not a text of 1 to %d bytes without blanks around it and control characters", w.Max)
	}
	w.S = s
	return err
}

// Type is the word for what an event is, as long as our records hold it.
func Type() Word { return Word{Max: 100} }

// Currency is a code, likewise.
func Currency() Word { return Word{Max: 12} }

// MaxAddress is the longest address of a page that our records hold.
const MaxAddress = 2000

// Address is that of a page.
func Address() Word { return Word{Max: MaxAddress} }

// State is where something stands, or what somebody thinks of its risk. Our records
// hold such a word of a risk as it came; of a payment they hold known ones only.
func State() Word { return Word{Max: 32} }

// Reason is the code of a refusal.
func Reason() Word { return Word{Max: 64} }
