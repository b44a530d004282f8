//go:build unix

package store

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain serves as the child process of the tests that need another process (child_test.go).
func TestMain(m *testing.M) {
	if task, ok := children[os.Getenv(childTask)]; ok {
		os.Exit(task(os.Getenv(childPath)))
	}
	goleak.VerifyTestMain(m)
}

// The environment through which a test tells its child process what to do, and where.
const (
	childTask = "VARISCOPE_STORE_CHILD"
	childPath = "VARISCOPE_STORE_CHILD_PATH"
)
