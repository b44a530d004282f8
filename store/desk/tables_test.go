package desk

import (
	"errors"
	"testing"

	"github.com/variscope/variscope/engine/label"
)

func TestTablesOfFilesAndConflicts(t *testing.T) {
	must(t, errors.Join(Files.Check(), Conflicting.Check(), Opened.Check(), Sent.Check()))
	seen := ConflictReport{
		Round: "R1", Model: "m1", Annotator: "a", Labels: []label.Value{label.Variant, label.Invariant},
	}
	blind := seen
	blind.Model, blind.Labels = "m2", nil
	sheet := Conflicting.Sheet([]ConflictReport{seen, blind})
	if f := sheet.Fields[sheet.Field("labels")]; f.Say(0) != "variant, then invariant" || f.Why(1).Code != "blind" {
		t.Errorf("labels %q, and hidden: %v", f.Say(0), f.Why(1))
	}
	sent := Sent.Sheet([]Written{{Path: "x.vlabels", Events: 3}})
	if !sent.Fields[sent.Field("models")].Missing(0) || sent.Fields[sent.Field("events")].Number(0) != 3 {
		t.Error("a file of labels has models")
	}
}
