//go:build !linux

package worker

// restrict has nothing that works on these systems: a worker may do what the program may.
func restrict() (rights string, err error) {
	return "what the program may: this system bounds no process", nil
}
