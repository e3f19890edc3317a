package main

import "time"

// faultFlags spoil the deliveries that a change causes.
type faultFlags struct {
	Duplicate      int           `help:"Send the event so many times more." group:"What goes wrong on the way"`
	Delay          time.Duration `help:"Wait before the first attempt." group:"What goes wrong on the way"`
	Reorder        bool          `help:"Hold the event back until a newer one has overtaken it." group:"What goes wrong on the way"`
	Corrupt        bool          `help:"Turn one bit over after signing." group:"What goes wrong on the way"`
	Conflict       bool          `help:"Send other content under the same event id as well." group:"What goes wrong on the way"`
	WrongSignature bool          `help:"Sign with a secret that nobody has." group:"What goes wrong on the way"`
	Stale          bool          `help:"Sign with a timestamp of ten minutes ago." group:"What goes wrong on the way"`
	PreviousSecret bool          `help:"Sign with the second secret, where the shop has two." group:"What goes wrong on the way"`
	DropAnswer     bool          `help:"Never hear the shop's answer." group:"What goes wrong on the way"`
	FirstAttempts  int           `help:"Spoil only so many attempts, so that a repeat heals it." group:"What goes wrong on the way"`
}

// faultsJSON is what the sandbox's API takes.
type faultsJSON struct {
	Duplicate      int   `json:"duplicate,omitzero"`
	DelayMS        int64 `json:"delay_ms,omitzero"`
	Reorder        bool  `json:"reorder,omitzero"`
	CorruptByte    bool  `json:"corrupt_byte,omitzero"`
	Conflict       bool  `json:"conflict,omitzero"`
	WrongSignature bool  `json:"wrong_signature,omitzero"`
	StaleTimestamp bool  `json:"stale_timestamp,omitzero"`
	PreviousSecret bool  `json:"previous_secret,omitzero"`
	DropAnswer     bool  `json:"drop_answer,omitzero"`
	FirstAttempts  int   `json:"first_attempts,omitzero"`
}

func (f faultFlags) json() *faultsJSON {
	if f == (faultFlags{}) {
		return nil // the sandbox's own switches apply
	}
	return &faultsJSON{f.Duplicate, f.Delay.Milliseconds(), f.Reorder, f.Corrupt, f.Conflict, f.WrongSignature, f.Stale,
		f.PreviousSecret, f.DropAnswer, f.FirstAttempts}
}
