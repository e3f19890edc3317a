package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"onceshop/config"
)

// sandboxClient speaks to the practice routes of a sandbox, which a real provider
// doesn't have.
type sandboxClient struct {
	base, key string
	http      *http.Client
}

func newSandboxClient(c *config.Config) (*sandboxClient, error) {
	if c.StableIn.BaseURL == "" || c.StableIn.APIKey == "" {
		return nil, errors.New("SHOP_STABLEIN_BASE_URL and SHOP_STABLEIN_API_KEY name the sandbox; with the demo running: --env-file .data/demo.env")
	}
	return &sandboxClient{strings.TrimRight(c.StableIn.BaseURL, "/"), c.StableIn.APIKey.Reveal(), &http.Client{Timeout: 10 * time.Second}}, nil
}

// call sends in as JSON and reads the answer into out; either may be nil.
func (c *sandboxClient) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("the sandbox doesn't answer: %w", cause(err))
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return fmt.Errorf("the sandbox's answer broke off: %w", err)
	}
	if res.StatusCode >= 300 {
		var problem struct{ Code, Detail string }
		if json.Unmarshal(answer, &problem) != nil || problem.Code == "" {
			return fmt.Errorf("the sandbox answers %s; is it one?", res.Status)
		}
		return fmt.Errorf("the sandbox refuses: %s (%s)", problem.Detail, problem.Code)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer, out)
}
