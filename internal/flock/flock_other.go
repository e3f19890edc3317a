//go:build !unix

package flock

import "os"

func Exclusive(*os.File) (bool, error) { return false, ErrUnsupported }

func Shared(*os.File) (bool, error) { return false, ErrUnsupported }

func Free(*os.File) error { return ErrUnsupported }

func Alive(int) bool { return false }
