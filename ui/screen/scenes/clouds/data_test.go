package clouds

import (
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

// someData are models a, b and so on, which ran in the scenes or did not.
func someData(ran ...bool) Data {
	d := Data{Selection: store.SelectionRecord{Hash: "s", Name: "near", Targets: "t"}, Family: "scenes:s:8"}
	for k, is := range ran {
		r := Row{
			Model:  model.Model{Hash: string(rune('a' + k)), ID: "m" + string(rune('0'+k))},
			Reason: result.Because("no_run", "no signals"),
		}
		if is {
			r.Key, r.Reason, r.Outcome = "k"+r.Model.Hash, result.Reason{},
				background.Outcome{Targets: 12, WorstCase: 0.25}
		}
		d.Rows = append(d.Rows, r)
	}
	return d
}

func TestChoiceOfModels(t *testing.T) {
	d := someData(false, true, true, true)
	for _, test := range []struct {
		selected, remembered, want string
	}{{"", "c", "c"}, {"d", "c", "d"}, {"a", "gone", "b"}, {"", "", "b"}} {
		if got := d.choose(test.selected, test.remembered); got != test.want {
			t.Errorf("%s is looked at after %q and %q, want %s", got, test.selected, test.remembered, test.want)
		}
	}
	if got := someData(false).choose("a", ""); got != "" {
		t.Errorf("%s did not run", got)
	}
	if r, ok := d.second("b", "c"); !ok || r.Model.Hash != "c" {
		t.Errorf("compared with %+v", r)
	}
	if r, ok := d.second("b", "b"); !ok || r.Model.Hash != "c" {
		t.Errorf("a model is compared with itself: %+v", r)
	}
	if _, ok := someData(true, false).second("a", ""); ok {
		t.Error("one model is compared with nothing")
	}
}
