package label

import (
	"strings"
	"testing"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
)

// TestTheRecordIsThatOfTheRound: the record beside the matrices has the fields that the round
// shows, and says how many it leaves out; a round of an older version leaves out what tells the
// answer.
func TestTheRecordIsThatOfTheRound(t *testing.T) {
	for _, c := range []struct {
		fields       []string
		shows, keeps string
		withheld     string
	}{
		{nil, "epochs", "rule label", "left out by the round: 2 fields"},
		{[]string{"rule_label"}, "rule label", "epochs", ""},
	} {
		r := newRig(t, 3)
		for _, m := range r.store.Imported {
			err := r.store.UpdateModel(m.Hash, func(m *model.Model) error {
				m.Record = []model.Field{
					{Name: "epochs", Value: "3"},
					{Name: "rule_label", Value: "1"},
					{Name: "rule_reason", Value: "it is flat"},
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		r.signIn(r.store.NewRound(t, func(x *labels.Round) {
			x.Models, x.Fields, x.Blind = x.Models[:2], c.fields, true
		}), "r1")
		var text strings.Builder
		for _, line := range r.screen.widgets.evidence.Facts() {
			text.WriteString(line.Name + ": " + line.Value + "\n")
		}
		if got := text.String(); !strings.Contains(got, c.shows+": ") || strings.Contains(got, c.keeps) ||
			!strings.Contains(got, c.withheld) {
			t.Errorf("fields %q: the record is\n%s", c.fields, got)
		}
		if blind := r.screen.Blind(); blind == nil {
			t.Error("nobody labels in a blind round")
		}
		r.screen.SignOut()
		r.stage.Until("nobody is signed in", func() bool { return r.screen.Session() == nil })
		if r.screen.Blind() != nil {
			t.Error("a blind round is labelled by nobody")
		}
	}
}
