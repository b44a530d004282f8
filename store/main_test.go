//go:build unix

package store

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/internal/kill"
)

// TestMain serves as the child process of the tests that need another process (child_test.go).
func TestMain(m *testing.M) {
	kill.Serve(children)
	goleak.VerifyTestMain(m)
}
