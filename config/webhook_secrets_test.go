package config_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/config"
	"onceshop/providers/signing"
)

const (
	firstSecret  = "the-first-secret-of-several"
	secondSecret = "the-second-secret-of-several"
	thirdSecret  = "the-third-secret-of-several"
)

func TestASettingHoldsOneSecretOrSeveral(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	for value, want := range map[string][]signing.Secret{
		firstSecret:                      {{ID: "current", Key: firstSecret}},
		firstSecret + "," + secondSecret: {{ID: "current", Key: firstSecret}, {ID: "previous", Key: secondSecret}},
		firstSecret + "," + secondSecret + "," + thirdSecret: {
			{ID: "current", Key: firstSecret}, {ID: "previous", Key: secondSecret}, {ID: "secret-3", Key: thirdSecret}},
		"2026-12:" + firstSecret + ",old:" + secondSecret + "@2026-12-31T23:59:59Z": {
			{ID: "2026-12", Key: firstSecret}, {ID: "old", Key: secondSecret, ValidUntil: end}},
		firstSecret + "@2026-12-31T23:59:59Z": {{ID: "current", Key: firstSecret, ValidUntil: end}},
		// A name and an end make room for the signs that would begin them.
		"a:with:a-colon-in-the-secret":                 {{ID: "a", Key: "with:a-colon-in-the-secret"}},
		"an@in-the-secret-itself@2026-12-31T23:59:59Z": {{ID: "current", Key: "an@in-the-secret-itself", ValidUntil: end}},
		"": nil,
	} {
		got, err := config.WebhookSecrets(value).List()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", value, err, diff)
		}
	}
}

func TestWhatIsWrongWithSeveralSecretsIsSaidOfTheOneThatItIs(t *testing.T) {
	t.Parallel()
	const name = "SHOP_STABLEIN_WEBHOOK_SECRET"
	long := strings.Repeat("n", 33)
	for value, problem := range map[string]string{
		firstSecret + ", " + secondSecret:                                      "(secret 2 of 2) has white space around it",
		firstSecret + " ," + secondSecret:                                      "(secret 1 of 2) has white space around it",
		"new: " + firstSecret:                                                  "has white space around it",
		firstSecret + " @2026-12-31T23:59:59Z":                                 "has white space around it",
		firstSecret + ",":                                                      "(secret 2 of 2) is empty",
		"," + firstSecret:                                                      "(secret 1 of 2) is empty",
		firstSecret + ",," + secondSecret:                                      "(secret 2 of 3) is empty",
		"new:" + firstSecret + ",new:" + secondSecret:                          "(secret 2 of 2) has the name of another one",
		"previous:" + firstSecret + "," + secondSecret:                         "(secret 2 of 2) has the name of another one",
		firstSecret + "," + firstSecret:                                        "(secret 2 of 2) is the same as another one",
		"new:" + firstSecret + ",old:" + firstSecret + "@2026-12-31T23:59:59Z": "(secret 2 of 2) is the same as another one",
		"@2026-12-31T23:59:59Z":                                                "is an end without a secret",
		"old:@2026-12-31T23:59:59Z":                                            "is an end without a secret",
		firstSecret + ",@2026-12-31T23:59:59Z":                                 "(secret 2 of 2) is an end without a secret",
		"old:":                                                                 "is a name without a secret",
		firstSecret + "@":                                                      "has an end that isn't a time",
		firstSecret + "@tomorrow":                                              "has an end that isn't a time",
		firstSecret + "@2026-12-31":                                            "has an end that isn't a time",
		"Old:" + firstSecret:                                                   "has a name that isn't",
		":" + firstSecret:                                                      "has a name that isn't",
		long + ":" + firstSecret:                                               "has a name that isn't",
		firstSecret + ",REPLACE_ME":                                            "(secret 2 of 2) is a placeholder",
		firstSecret + ",fifteen-bytes-x":                                       "(secret 2 of 2) is shorter than 16 bytes",
		"v1,whsec_c3RhYmxlaW4tc2hvcC1zZWNyZXQtY3VycmVudA==":                    "begins with v1,: that is a signature",
		"new:v1,whsec_c3RhYmxlaW4tc2hvcC1zZWNyZXQtY3VycmVudA==":                "begins with v1,: that is a signature",
		firstSecret + ",v1,whsec_c3RhYmxlaW4tc2hvcC1zZWNyZXQtY3VycmVudA==":     "(secret 2 of 2) begins with v1,: that is a signature",
		firstSecret + ",new:old:v1,whsec_c3RhYmxlaW4tc2hvcC1zZWNyZXQtY3VycmVudA==": "(secret 2 of 3) is shorter than 16 bytes",
		"v1,whsec_c3RhYmxlaW4tc2hvcC1zZWNyZXQtY3VycmVudA==," + secondSecret + "x":  "(secret 1 of 2) begins with v1,: that is a signature",
	} {
		faults := faultsOf(t, environment(map[string]string{name: value}))
		if len(faults) != 1 || !strings.HasPrefix(faults.Of(name), problem) {
			t.Errorf("%s: want %q, got %v", value, problem, faults)
			continue
		}
		for _, part := range []string{firstSecret, secondSecret, "tomorrow", long, "whsec_", "Old"} {
			if strings.Contains(faults.Error(), part) {
				t.Errorf("%s: the fault repeats a part of the value: %s", value, faults)
			}
		}
	}
}

func TestWebhookSecretsAreHiddenWhereverTheyArePrinted(t *testing.T) {
	t.Parallel()
	w := config.WebhookSecrets("named:" + firstSecret + "," + secondSecret)
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("config", "secrets", w)
	asJSON, err := json.Marshal(map[string]any{"secrets": w})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{w.String(), fmt.Sprintf("%v %+v %#v %s %q %x %d", w, w, w, w, w, w, w), log.String(), string(asJSON)} {
		for _, part := range []string{"named", firstSecret, secondSecret} {
			if strings.Contains(text, part) || strings.Contains(text, fmt.Sprintf("%x", part)) {
				t.Errorf("%q is printed in %s", part, text)
			}
		}
		mustContain(t, text, "(secret)")
	}
}

func TestSecretsHaveEndedWhenNoneOfThemCounts(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	const ending = firstSecret + "@2026-12-31T23:59:59Z"
	for _, tt := range []struct {
		value config.WebhookSecrets
		at    time.Time
		want  bool
	}{
		{ending, end, false},
		{ending, end.Add(time.Second), true},
		{ending + "," + secondSecret, end.Add(time.Second), false},
		{ending + "," + secondSecret + "@2027-01-01T00:00:01Z", end.Add(2 * time.Second), false},
		{ending + "," + secondSecret + "@2027-01-01T00:00:01Z", end.Add(3 * time.Second), true},
		{"", end, false}, // none is another fault
	} {
		if got := tt.value.Ended(tt.at); got != tt.want {
			t.Errorf("%d letters at %s: ended %t, want %t", len(tt.value), tt.at, got, tt.want)
		}
	}
}
