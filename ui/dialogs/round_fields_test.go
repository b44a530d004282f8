package dialogs

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
)

// TestFieldsOfRecords: what tells the answer is not ticked at first; a round that lists its fields
// begins with those.
func TestFieldsOfRecords(t *testing.T) {
	models := []model.Model{
		{Record: []model.Field{{Name: "epochs", Value: "3"}, {Name: "rule_label", Value: "1"}}},
		{Record: []model.Field{{Name: "epochs", Value: "4"}, {Name: "kind", Value: "variant"}}},
	}
	f := fieldsOfRecords(models, label.Round{})
	if !slices.Equal(f.names, []string{"epochs", "rule_label", "kind"}) || !slices.Equal(f.allowed, []string{"epochs"}) {
		t.Errorf("%+v", f)
	}
	if got := f.told([]string{"epochs", "kind"}); !slices.Equal(got, []string{"kind"}) {
		t.Errorf("%q tell the answer", got)
	}
	if got := fieldsOfRecords(models, label.Round{Fields: []string{"kind"}}).allowed; !slices.Equal(got, []string{"kind"}) {
		t.Errorf("a listed round begins with %q", got)
	}
}
