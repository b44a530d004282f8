package shards

import (
	"errors"
	"testing"
)

func TestTables(t *testing.T) {
	must(t, errors.Join(Plans.Check(), Collected.Check(), Reports.Check(), Failures.Check()))
}
