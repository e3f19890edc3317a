package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"onceshop/operations"
)

type healthcheckCommand struct {
	URL string `help:"What to ask. Default: readyz at SHOP_OPERATIONS_LISTEN." placeholder:"URL"`
}

// Run is for containers, whose image has no curl: exit 0 if the answer is 200.
func (cmd *healthcheckCommand) Run(s *session) error {
	url := cmd.URL
	if url == "" {
		c, err := s.config()
		if err != nil {
			return err
		}
		url = "http://" + reachable(c.OperationsListen) + "/readyz"
	}
	req, err := http.NewRequestWithContext(s.ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := (&http.Client{Timeout: 5 * time.Second}).Do(req)
	if err != nil {
		return fmt.Errorf("no answer: %w", cause(err))
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		fmt.Fprintln(s.stdout, "ready")
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if err != nil {
		return err
	}
	var report operations.Report
	if json.Unmarshal(body, &report) != nil || len(report.Reasons) == 0 {
		return fmt.Errorf("answered %s", res.Status)
	}
	for _, reason := range report.Reasons {
		err = errors.Join(err, errors.New("not ready: "+reason))
	}
	return err
}

// reachable turns an address to listen on into one to call: "every interface" is
// none that can be called.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address
}
