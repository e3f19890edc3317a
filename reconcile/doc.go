// Package reconcile asks providers about payments that they have been silent
// about, and applies their answer through the same command as live traffic
// (promise 11). An event that was lost, or never sent, costs time and nothing
// else. A payment changes only on the provider's positive word: an error, an
// empty answer or a silent provider leaves it as it is.
package reconcile
