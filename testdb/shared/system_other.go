//go:build !linux

package shared

func roomy(string) bool { return false }
