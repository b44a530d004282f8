package shards

import (
	"errors"
	"testing"
)

func TestTables(t *testing.T) {
	if err := errors.Join(Plans.Check(), Collected.Check(), Reports.Check(), Failures.Check()); err != nil {
		t.Error(err)
	}
}
