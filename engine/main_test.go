package engine

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when an engine leaves goroutines behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
