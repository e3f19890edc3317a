package sandbox

import (
	"cmp"
	"net/http"
	"strconv"
	"time"
)

// faultsJSON shows all switches: the general ones and the endpoints' own.
type faultsJSON struct {
	Faults    Faults         `json:"faults"`
	Endpoints []endpointJSON `json:"endpoints"`
}

type endpointJSON struct {
	ID        string    `json:"id"`
	Dialect   string    `json:"dialect"`
	URL       string    `json:"url"`
	Faults    *Faults   `json:"faults"` // null: the general ones apply
	CreatedAt timestamp `json:"createdAt"`
}

func (e Endpoint) json() endpointJSON {
	return endpointJSON{e.ID, e.Dialect, e.URL, e.Faults, timestamp(e.CreatedAt)}
}

func (s *Server) getFaults(r *http.Request) (int, any, error) {
	general, err := generalFaults(r.Context(), s.db)
	if err != nil {
		return 0, nil, err
	}
	answer := faultsJSON{Faults: general, Endpoints: []endpointJSON{}}
	endpoints, err := s.Endpoints(r.Context())
	for _, e := range endpoints {
		answer.Endpoints = append(answer.Endpoints, e.json())
	}
	return http.StatusOK, answer, err
}

// putFaults sets the general switches or, with ?endpoint=, those of one
// endpoint; null gives an endpoint's own switches up.
func (s *Server) putFaults(r *http.Request) (int, any, error) {
	var f *Faults
	if err := ReadJSON(r, &f); err != nil {
		return 0, nil, err
	}
	var err error
	if id := r.URL.Query().Get("endpoint"); id != "" {
		err = s.SetEndpointFaults(r.Context(), id, f)
	} else {
		err = s.SetFaults(r.Context(), f.or())
	}
	if err != nil {
		return 0, nil, err
	}
	return s.getFaults(r)
}

type deliveriesJSON struct {
	Deliveries []deliveryJSON `json:"deliveries"`
}

type deliveryJSON struct {
	ID            string        `json:"id"`
	Kind          string        `json:"kind"`
	EventID       string        `json:"eventId"`
	OrderID       string        `json:"orderId"`
	EndpointID    string        `json:"endpointId"`
	URL           string        `json:"url"`
	Faults        *Faults       `json:"faults"`
	Status        string        `json:"status"`
	Attempts      int           `json:"attempts"`
	NextAttemptAt timestamp     `json:"nextAttemptAt"`
	LastError     string        `json:"lastError"`
	CreatedAt     timestamp     `json:"createdAt"`
	Log           []attemptJSON `json:"log"`
}

type attemptJSON struct {
	Attempt    int       `json:"attempt"`
	SignedAt   time.Time `json:"signedAt"`
	StatusCode int       `json:"statusCode"` // 0: no answer
	DurationMS int64     `json:"durationMs"`
	Error      string    `json:"error"`
	Fault      string    `json:"fault"`
	At         timestamp `json:"at"`
}

func (d Delivery) json() deliveryJSON {
	out := deliveryJSON{
		ID: strconv.FormatUint(d.Seq, 10), Kind: d.Kind, EventID: d.EventID, OrderID: d.OrderID,
		EndpointID: d.EndpointID, URL: d.URL, Faults: d.Faults, Status: d.Status, Attempts: d.Attempts,
		NextAttemptAt: timestamp(d.NextAttemptAt), LastError: d.LastError, CreatedAt: timestamp(d.CreatedAt),
		Log: []attemptJSON{},
	}
	for _, a := range d.Log {
		out.Log = append(out.Log, attemptJSON{a.Number, time.Unix(a.SignedAt, 0).UTC(), a.StatusCode,
			a.Duration.Milliseconds(), a.Error, a.Fault, timestamp(a.At)})
	}
	return out
}

func (s *Server) getDeliveries(r *http.Request) (int, any, error) {
	q := r.URL.Query()
	_, limit, err := window(q, "since")
	if err != nil {
		return 0, nil, err
	}
	order := q.Get("order")
	if order != "" {
		// By whatever name it goes; one that nobody knows has no deliveries.
		if id, err := s.named(r.Context(), order); err == nil {
			order = id
		}
	}
	list, err := s.Deliveries(r.Context(), q.Get("event"), order, limit)
	answer := deliveriesJSON{[]deliveryJSON{}}
	for _, d := range list {
		answer.Deliveries = append(answer.Deliveries, d.json())
	}
	return http.StatusOK, answer, err
}

func (s *Server) postResend(r *http.Request) (int, any, error) {
	seq, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err != nil || seq == 0 {
		return 0, nil, NotFound("delivery")
	}
	var body struct {
		Faults *Faults `json:"faults"`
	}
	if err := ReadJSON(r, &body); err != nil {
		return 0, nil, err
	}
	d, err := s.Resend(r.Context(), seq, body.Faults)
	return http.StatusAccepted, d.json(), err
}

func (s *Server) postEndpoint(r *http.Request) (int, any, error) {
	var body struct {
		Dialect string   `json:"dialect"` // default: StableIn
		URL     string   `json:"url"`
		Secrets []string `json:"secrets"`
	}
	if err := ReadJSON(r, &body); err != nil {
		return 0, nil, err
	}
	e, err := s.AddEndpoint(r.Context(), cmp.Or(body.Dialect, StableIn), body.URL, body.Secrets...)
	return http.StatusCreated, e.json(), err
}

func (s *Server) getEndpoints(r *http.Request) (int, any, error) {
	answer := struct {
		Endpoints []endpointJSON `json:"endpoints"`
	}{[]endpointJSON{}}
	endpoints, err := s.Endpoints(r.Context())
	for _, e := range endpoints {
		answer.Endpoints = append(answer.Endpoints, e.json())
	}
	return http.StatusOK, answer, err
}

func (s *Server) deleteEndpoint(r *http.Request) (int, any, error) {
	err := s.RemoveEndpoint(r.Context(), r.PathValue("id"))
	return http.StatusOK, struct{}{}, err
}
