package shoptest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/uuid"
)

const apiKey = "platform-api-key"

// Order is a payment as the platform has it, in StableIn's words. Empty fields
// are filled in by Set: an undisturbed order of 50000 USDC that may be delivered.
type Order struct {
	ID                  string         `json:"id"`
	MerchantOrderID     string         `json:"merchantOrderId,omitempty"`
	Revision            string         `json:"revision"`
	PaymentStatus       string         `json:"paymentStatus"`
	RefundStatus        string         `json:"refundStatus"`
	Amount              string         `json:"amount"`
	RefundedAmount      string         `json:"refundedAmount"`
	ReceivedAmount      string         `json:"receivedAmount,omitempty"`
	Currency            string         `json:"currency"`
	Confirmations       int            `json:"-"`
	FulfillmentDecision string         `json:"fulfillmentDecision"`
	MerchantRisk        map[string]any `json:"merchantRisk"`
}

// With returns the order with what f changes.
func (o Order) With(f func(*Order)) Order {
	f(&o)
	return o
}

func (o Order) filled() Order {
	fill := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	fill(&o.Revision, "1")
	fill(&o.PaymentStatus, "pending")
	fill(&o.RefundStatus, "none")
	fill(&o.Amount, "50000")
	fill(&o.RefundedAmount, "0")
	fill(&o.Currency, "USDC")
	fill(&o.FulfillmentDecision, "allow")
	if o.MerchantRisk == nil {
		o.MerchantRisk = map[string]any{"serviceStatus": "enabled", "chainEnforcement": "allowed"}
	}
	return o
}

// Platform is a scripted payment platform behind StableIn's API: it says what the
// test has set, and counts what it was asked.
type Platform struct {
	mu      sync.Mutex
	orders  map[string]Order
	raw     map[string]map[string]any // instead of orders
	created map[string]string         // idempotency key -> id
	nextID  string
	creates int
	fetches int
	before  func(r *http.Request) // called before each answer, outside of the lock
	status  int                   // answered instead of a record; 0: none
	server  *httptest.Server
}

func newPlatform(t testing.TB) *Platform {
	p := &Platform{orders: map[string]Order{}, raw: map[string]map[string]any{}, created: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/orders", p.create)
	mux.HandleFunc("GET /v1/orders/{id}", p.get)
	p.server = httptest.NewServer(mux)
	t.Cleanup(p.server.Close)
	return p
}

// Set makes the platform's record of a payment what o says.
func (p *Platform) Set(o Order) Order {
	p.mu.Lock()
	defer p.mu.Unlock()
	o = o.filled()
	p.orders[o.ID] = o
	return o
}

// Order returns the platform's record.
func (p *Platform) Order(id string) Order {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.orders[id]
}

// NextID is the id that the next created payment gets.
func (p *Platform) NextID(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nextID = id
}

// Fail makes the platform answer with status from now on; 0 ends it.
func (p *Platform) Fail(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = status
}

// Before calls f before each answer; f may block until the test lets it go.
func (p *Platform) Before(f func(r *http.Request)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = f
}

// Fetches is how often a record was asked for.
func (p *Platform) Fetches() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fetches
}

// Creates is how many payments were created.
func (p *Platform) Creates() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.creates
}

func (p *Platform) enter(w http.ResponseWriter, r *http.Request) bool {
	p.mu.Lock()
	before, status := p.before, p.status
	p.mu.Unlock()
	if before != nil {
		before(r)
	}
	switch {
	case r.Header.Get("Authorization") != "Bearer "+apiKey:
		status = http.StatusUnauthorized
	case status == 0:
		return true
	}
	http.Error(w, `{"code":"SCRIPTED"}`, status)
	return false
}

func (p *Platform) create(w http.ResponseWriter, r *http.Request) {
	if !p.enter(w, r) {
		return
	}
	var body struct{ MerchantOrderID, Amount, Currency, Description, ReturnURL, CancelURL, ExpiresAt string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	id, known := p.created[key]
	if !known {
		id = p.nextID
		if id == "" {
			id = uuid.NewString()
		}
		p.nextID = ""
		p.created[key] = id
		p.creates++
		p.orders[id] = Order{ID: id, MerchantOrderID: body.MerchantOrderID, Amount: body.Amount, Currency: body.Currency}.filled()
	}
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(map[string]any{"order": p.orders[id], "paymentUrl": p.server.URL + "/pay/" + id})
}

func (p *Platform) get(w http.ResponseWriter, r *http.Request) {
	if !p.enter(w, r) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fetches++
	o, ok := p.orders[r.PathValue("id")]
	if !ok {
		http.Error(w, `{"code":"NOT_FOUND"}`, http.StatusNotFound)
		return
	}
	body, _ := json.Marshal(o)
	if raw := p.raw[o.ID]; raw != nil {
		body, _ = json.Marshal(raw)
	}
	if o.Confirmations > 0 {
		body = fmt.Appendf(body[:len(body)-1], `,"confirmations":"%d"}`, o.Confirmations)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

// SetRaw makes the platform's record exactly the given members.
func (p *Platform) SetRaw(id string, members map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.raw[id] = members
}
