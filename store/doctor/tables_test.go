package doctor

import (
	"errors"
	"testing"
)

func TestTables(t *testing.T) {
	must(t, errors.Join(RepairTable.Check(), CheckedTable.Check()))
	same := Finding{Kind: "record", Where: "model a", What: "is gone"}
	must(t, FindingSheet("problems", "Wrong", []Finding{same, same}).Check())
}
