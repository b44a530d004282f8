package doctor

import (
	"errors"
	"testing"
)

func TestTables(t *testing.T) {
	if err := errors.Join(RepairTable.Check(), CheckedTable.Check()); err != nil {
		t.Error(err)
	}
	same := Finding{Kind: "record", Where: "model a", What: "is gone"}
	if err := FindingSheet("problems", "Wrong", []Finding{same, same}).Check(); err != nil {
		t.Error(err)
	}
}
