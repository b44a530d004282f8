package dialogs

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/uitest/stage"
)

// TestFieldTicks: what tells the answer is not ticked at first; a blind round warns where it is
// ticked, an open one does not; a round that lists its fields begins with those.
func TestFieldTicks(t *testing.T) {
	stage.New(t)
	models := []model.Model{
		{Record: []model.Field{{Name: "epochs", Value: "3"}, {Name: "rule_label", Value: "1"}}},
		{Record: []model.Field{{Name: "epochs", Value: "4"}, {Name: "kind", Value: "variant"}}},
	}
	changes := 0
	f := newFieldTicks(models, label.Round{}, func() { changes++ })
	f.warn(true)
	if got := f.fields(); !slices.Equal(got, []string{"epochs"}) || f.warned.Visible() {
		t.Errorf("%q, warned %v", got, f.warned.Visible())
	}
	f.ticks.SetSelected([]string{"rule_label (tells the answer)", "kind (tells the answer)"})
	f.warn(true)
	if got := f.fields(); !slices.Equal(got, []string{"rule_label", "kind"}) || !f.warned.Visible() || !strings.Contains(f.warned.Text, "rule_label, kind") || changes == 0 {
		t.Errorf("%q, %q", got, f.warned.Text)
	}
	f.warn(false)
	if f.warned.Visible() {
		t.Error("an open round warns")
	}
	if got := newFieldTicks(models, label.Round{Fields: []string{"kind"}}, func() {}).fields(); !slices.Equal(got, []string{"kind"}) {
		t.Errorf("a listed round begins with %q", got)
	}
	if got := newFieldTicks(nil, label.Round{}, func() {}).fields(); got != nil {
		t.Errorf("without records %q", got)
	}
}
