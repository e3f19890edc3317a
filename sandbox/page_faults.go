package sandbox

import (
	"net/http"
	"strconv"

	"github.com/a-h/templ"

	"onceshop/sandbox/pages"
)

func (s *Server) faultsPage(_ http.ResponseWriter, r *http.Request) (templ.Component, int, error) {
	view, err := s.faultsView(r)
	view.Saved = r.URL.Query().Has("saved")
	return pages.FaultsPage(view), http.StatusOK, err
}

func (s *Server) faultsView(r *http.Request) (view pages.Faults, err error) {
	general, err := generalFaults(r.Context(), s.db)
	if err != nil {
		return view, err
	}
	view.Sets = []pages.FaultSet{{
		Title: "General", Lead: "For every endpoint without switches of its own, and for the API.",
		Groups: append(sendGroups(general, Profile{}), apiGroup(general)),
	}}
	endpoints, err := s.Endpoints(r.Context())
	for _, e := range endpoints {
		set := pages.FaultSet{
			Endpoint: e.ID, Title: e.URL, Own: e.Faults != nil,
			Lead:   "Follows the general switches until something is saved here.",
			Groups: sendGroups(e.Faults.or(&general), s.profile(e.Dialect)),
		}
		if provider := s.among(e.Dialect); provider != "" {
			set.Title = provider + ": " + e.URL
		}
		if set.Own {
			set.Lead = "Has switches of its own; the general ones don't reach it."
		}
		view.Sets = append(view.Sets, set)
	}
	return view, err
}

func toggle(name, label, hint string, on bool) pages.Switch {
	return pages.Switch{Name: name, Label: label, Hint: hint, On: on}
}

func count(name, label, hint string, value, limit int) pages.Switch {
	return pages.Switch{Name: name, Label: label, Hint: hint, Number: true, Value: strconv.Itoa(value), Max: strconv.Itoa(limit)}
}

// sendGroups leaves out what has no effect at a provider.
func sendGroups(f Faults, p Profile) []pages.FaultGroup {
	spoiled := []pages.Switch{
		toggle("drop_answer", "Drop the answer", "the shop answers, nobody hears it, it is sent again", f.DropAnswer),
		toggle("corrupt_byte", "Corrupt a byte", "one bit turns over after signing", f.CorruptByte),
		toggle("wrong_signature", "Wrong signature", "signed with a secret nobody has", f.WrongSignature),
	}
	if !p.Untimed {
		spoiled = append(spoiled, toggle("stale_timestamp", "Stale timestamp", "correctly signed, ten minutes ago", f.StaleTimestamp))
	}
	spoiled = append(spoiled,
		toggle("previous_secret", "Second secret", "signed with the endpoint's other secret, if it has one", f.PreviousSecret),
		count("first_attempts", "Only the first attempts", "so many are spoiled, later ones heal; 0 spoils all", f.FirstAttempts, maxDuplicates),
	)
	return []pages.FaultGroup{
		{Title: "Which events are sent", Switches: []pages.Switch{
			count("duplicate", "Duplicates", "so many more sends of each event", f.Duplicate, maxDuplicates),
			toggle("conflict", "Conflict", "one more send under the same id with another body, validly signed", f.Conflict),
			toggle("reorder", "Reorder", "an event is held back until a newer one of its order is out", f.Reorder),
			count("delay_ms", "Delay", "milliseconds before the first attempt", f.DelayMS, int(maxDelay.Milliseconds())),
		}},
		{Title: "What is spoiled", Switches: spoiled},
	}
}

func apiGroup(f Faults) pages.FaultGroup {
	return pages.FaultGroup{Title: "The API", Switches: []pages.Switch{
		toggle("api_behind", "Behind", "answers with the revision before the newest", f.APIBehind),
		toggle("api_down", "Down", "answers 503", f.APIDown),
		count("api_slow_ms", "Slow", "milliseconds before each answer", f.APISlowMS, int(maxSlow.Milliseconds())),
	}}
}

// faultsForm saves one set of switches.
func (s *Server) faultsForm(w http.ResponseWriter, r *http.Request) (templ.Component, int, error) {
	f, err := readFaults(r)
	endpoint := r.PostForm.Get("endpoint")
	if err == nil {
		switch do := r.PostForm.Get("do"); {
		case endpoint == "" && do == "off":
			err = s.SetFaults(r.Context(), Faults{})
		case endpoint == "":
			err = s.SetFaults(r.Context(), f)
		case do == "general":
			err = s.SetEndpointFaults(r.Context(), endpoint, nil)
		case do == "off":
			err = s.SetEndpointFaults(r.Context(), endpoint, &Faults{})
		default:
			err = s.SetEndpointFaults(r.Context(), endpoint, &f)
		}
	}
	if err == nil {
		return redirect(w, r, "/faults?saved")
	}
	e := asError(err)
	if e.Status != http.StatusUnprocessableEntity {
		return nil, 0, err
	}
	view, err := s.faultsView(r)
	for i := range view.Sets {
		if view.Sets[i].Endpoint == endpoint {
			view.Sets[i].Attention = sentence(e.Detail)
		}
	}
	return pages.FaultsPage(view), e.Status, err
}

func readFaults(r *http.Request) (f Faults, err error) {
	if err := r.ParseForm(); err != nil {
		return f, &Error{http.StatusBadRequest, "BAD_FORM", "the form can't be read"}
	}
	for name, on := range map[string]*bool{
		"conflict": &f.Conflict, "reorder": &f.Reorder, "drop_answer": &f.DropAnswer, "corrupt_byte": &f.CorruptByte,
		"wrong_signature": &f.WrongSignature, "stale_timestamp": &f.StaleTimestamp, "previous_secret": &f.PreviousSecret,
		"api_behind": &f.APIBehind, "api_down": &f.APIDown,
	} {
		*on = r.PostForm.Has(name)
	}
	for name, n := range map[string]*int{
		"duplicate": &f.Duplicate, "delay_ms": &f.DelayMS, "first_attempts": &f.FirstAttempts, "api_slow_ms": &f.APISlowMS,
	} {
		if text := r.PostForm.Get(name); text != "" {
			if *n, err = strconv.Atoi(text); err != nil {
				return f, Invalid(name, "must be a whole number")
			}
		}
	}
	return f, nil
}
