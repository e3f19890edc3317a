// Package providertest is the one suite that every adapter passes. Whoever writes
// the next one describes it as a [Subject] and runs [Run] until it is green:
//
//	func TestConformance(t *testing.T) {
//		providertest.Run(t, providertest.Subject{
//			Name: mypay.Name,
//			New: func(s providertest.Setup) (providertest.Adapter, error) {
//				return mypay.New(mypay.Config{Secrets: s.Secrets, BaseURL: s.BaseURL, HTTP: s.HTTP, APIKey: "sk_test_1"})
//			},
//			…
//		})
//	}
//
// testdata holds the provider's vectors.json, events.json and mapping.json (package
// vectortest). The suite asks, one subtest for each:
//
//   - Vectors are accepted and rejected as they say, and explained likewise.
//   - Nothing that was touched after signing is let in: no bit of the signed bytes
//     and headers may differ, and no header be missing, repeated or out of form.
//   - Secrets: an empty one and two under one id are refused, a new and an old one
//     both count until the old one's end, and none appears in an error, an
//     explanation or a request.
//   - The clock: 300 seconds count and 301 don't, where there is a signed time.
//   - JSON that two readers could understand in two ways is refused although its
//     signature holds; names we don't know are accepted.
//   - Samples read as they say, and every rule from event to state is kept.
//   - A repeat is recognised, and whatever matters makes it another content.
//   - Money is asked for exactly or not at all.
//   - Create asked twice with one key makes one payment, and says by kind what
//     went wrong.
//
// What is peculiar to a provider, its own traps and its API, stays in its own tests.
package providertest
