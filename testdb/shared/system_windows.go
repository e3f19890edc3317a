package shared

import "os/exec"

func Detach(*exec.Cmd) {}

func checkOwner(string) error { return nil }
