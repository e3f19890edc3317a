package stablein_test

import (
	"strings"
	"testing"

	"onceshop/providers/signing"
	"onceshop/providers/stablein"
)

func TestNewRefusesWhatWouldVerifyAnything(t *testing.T) {
	t.Parallel()
	good := []signing.Secret{{ID: "current", Key: current}}
	for name, c := range map[string]stablein.Config{
		"no secret":               {},
		"an empty secret":         {Secrets: []signing.Secret{{ID: "current"}}},
		"one of two empty":        {Secrets: append(good[:1:1], signing.Secret{ID: "previous"})},
		"no id":                   {Secrets: []signing.Secret{{Key: current}}},
		"the same id twice":       {Secrets: append(good[:1:1], good...)},
		"an address without host": {Secrets: good, BaseURL: "http://"},
		"another scheme":          {Secrets: good, BaseURL: "ftp://pay.example"},
		"a user in the address":   {Secrets: good, BaseURL: "http://" + current + "@pay.example"},
		"a query in the address":  {Secrets: good, BaseURL: "http://pay.example?key=" + current},
		"a broken address":        {Secrets: good, BaseURL: "http://" + current + ":x"},
		"a newline in the key":    {Secrets: good, APIKey: current + "\n"},
	} {
		_, err := stablein.New(c)
		if err == nil || strings.Contains(err.Error(), current) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
