package license_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onceshop/license"
)

const characters = "0123456789ACDEFGHJKMNPQRTVWXY"

func anyKey(t *rapid.T) string {
	return license.Key([]byte("a secret for tests only"), rapid.String().Draw(t, "license id"))
}

// The keys of sold licenses can't change: this one is for ever.
func TestAKeyStaysWhatItWas(t *testing.T) {
	t.Parallel()
	const id = "0199a0c2-7f3e-7c11-9d2a-3f5e6b7c8d90"
	const want = "WHD1P-J753K-CD8C0-HK7FP-YGGEE"
	if got := license.Key([]byte("a secret for tests only"), id); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestKeysDifferByLicenseAndBySecret(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, secret := range []string{"one secret", "another secret"} {
		for _, id := range []string{"", "a", "A", "a ", "b"} {
			key := license.Key([]byte(secret), id)
			if seen[key] {
				t.Errorf("%s occurs twice", key)
			}
			seen[key] = true
		}
	}
}

func TestEveryKeyHasTheShapeAndReadsAsItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := anyKey(t)
		groups := strings.Split(key, "-")
		if len(groups) != 5 {
			t.Fatalf("%s has %d groups", key, len(groups))
		}
		for _, g := range groups {
			if len(g) != 5 || strings.Trim(g, characters) != "" {
				t.Fatalf("%s has a group %s", key, g)
			}
		}
		if got, err := license.Normalize(key); got != key || err != nil {
			t.Fatalf("%s reads as %s, %v", key, got, err)
		}
	})
}

func TestAllCharactersOfTheAlphabetAreUsed(t *testing.T) {
	t.Parallel()
	seen := ""
	for n := range 100 {
		seen += license.Key([]byte("a secret for tests only"), strconv.Itoa(n))
	}
	for _, c := range characters {
		if !strings.ContainsRune(seen, c) {
			t.Errorf("never seen: %c", c)
		}
	}
}

func TestKeysAreReadAsPeopleTypeThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := anyKey(t)
		var typed strings.Builder
		for _, r := range strings.ReplaceAll(key, "-", "") {
			c := string(r)
			if twins := map[string][]string{"1": {"I", "L", "l"}, "0": {"O", "o"}, "5": {"S", "s"}, "2": {"Z"}, "8": {"B"}, "V": {"U", "u"}}[c]; twins != nil {
				c = rapid.SampledFrom(append(twins, c)).Draw(t, "twin")
			}
			if rapid.Bool().Draw(t, "lower") {
				c = strings.ToLower(c)
			}
			typed.WriteString(c)
			typed.WriteString(rapid.SampledFrom([]string{"", "", "", " ", "-", "–", "\n", "\u00a0", "\u200b"}).Draw(t, "between"))
		}
		if got, err := license.Normalize(typed.String()); got != key || err != nil {
			t.Fatalf("%q reads as %q, %v", typed.String(), got, err)
		}
	})
}

func TestASingleWrongCharacterIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := strings.ReplaceAll(anyKey(t), "-", "")
		for i := range key {
			for _, c := range characters {
				wrong := key[:i] + string(c) + key[i+1:]
				if got, err := license.Normalize(wrong); wrong != key && !errors.Is(err, license.ErrKeyCheck) {
					t.Fatalf("%s for %s reads as %s, %v", wrong, key, got, err)
				}
			}
		}
	})
}

func TestTwoExchangedCharactersAreFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := strings.ReplaceAll(anyKey(t), "-", "")
		for i := range key {
			for j := i + 1; j < len(key); j++ {
				wrong := []byte(key)
				wrong[i], wrong[j] = wrong[j], wrong[i]
				if got, err := license.Normalize(string(wrong)); string(wrong) != key && !errors.Is(err, license.ErrKeyCheck) {
					t.Fatalf("%s for %s reads as %s, %v", wrong, key, got, err)
				}
			}
		}
	})
}

func TestTypedKeysAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	key := license.Key([]byte("a secret for tests only"), "1")
	for _, c := range []struct {
		typed string
		kind  error
		says  string
	}{
		{"", license.ErrKeyShape, "has 25 characters, this one has 0"},
		{key[:28], license.ErrKeyShape, "this one has 24"},
		{key + "A", license.ErrKeyShape, "this one has more"},
		{key + strings.Repeat("A", 1<<20), license.ErrKeyShape, "this one has more"},
		{license.Mask(key), license.ErrKeyShape, `'•' doesn't occur`},
		{"К" + key[1:], license.ErrKeyShape, `'К' doesn't occur`},
		{key[:28] + "\x00", license.ErrKeyShape, `'\x00' doesn't occur`},
		{key[:28] + "\xff", license.ErrKeyShape, "doesn't occur"},
		{strings.Repeat("A", 24) + "C", license.ErrKeyCheck, "typing error"},
	} {
		got, err := license.Normalize(c.typed)
		if got != "" || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.40q: got %q, %v; want one that says %q", c.typed, got, err, c.says)
		}
		if err != nil && len(c.typed) >= 5 && strings.Contains(err.Error(), c.typed[:5]) {
			t.Errorf("the error repeats the key: %v", err)
		}
	}
}

func TestAMaskedKeyShowsItsEndsAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := anyKey(t)
		if got, want := license.Mask(key), key[:5]+"-•••••-•••••-•••••-"+key[24:]; got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		if got, want := license.Mask(strings.ReplaceAll(key, "-", "")), "••••••••••"+key[25:]; got != want {
			t.Fatalf("without dashes: got %s, want %s", got, want)
		}
	})
	for key, want := range map[string]string{
		"":                          "••••••••••",
		"abc":                       "••••••••••",
		"abcdefgh":                  "••••••••••gh",
		"a-key-of-some-other-maker": "••••••••••aker",
		"éééééééé":                  "••••••••••éé",
	} {
		if got := license.Mask(key); got != want {
			t.Errorf("%q: got %q, want %q", key, got, want)
		}
	}
}

// What is looked up is exact; what is typed is normalized first.
func TestHashesAreExact(t *testing.T) {
	t.Parallel()
	key := license.Key([]byte("a secret for tests only"), "1")
	for _, other := range []string{strings.ToLower(key), key + " ", strings.ReplaceAll(key, "-", "")} {
		if license.Hash(other) == license.Hash(key) {
			t.Errorf("%q has the hash of %q", other, key)
		}
	}
	typed, err := license.Normalize(" " + strings.ToLower(key))
	if err != nil || license.Hash(typed) != license.Hash(key) {
		t.Errorf("typed key: %v", err)
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add(license.Key(nil, "1"))
	f.Add("•••••-abc")
	f.Add(strings.Repeat("0", 25))
	f.Fuzz(func(t *testing.T, typed string) {
		key, err := license.Normalize(typed)
		if err != nil {
			return
		}
		if again, err := license.Normalize(key); again != key || err != nil {
			t.Errorf("%q reads as %q, which reads as %q, %v", typed, key, again, err)
		}
		license.Mask(typed)
	})
}
