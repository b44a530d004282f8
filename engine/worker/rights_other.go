//go:build !linux

package worker

import "github.com/variscope/variscope/engine/device"

// restrict has nothing that works on these systems: a worker may do what the program may.
func restrict(device.Device, string) (rights string, err error) {
	return "what the program may: this system bounds no process", nil
}
