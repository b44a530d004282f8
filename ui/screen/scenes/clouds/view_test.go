package clouds

import (
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

// someData are models with these worst-case accuracies; NaN stands for no labels, -1 for no run.
func someData(worst ...float64) Data {
	d := Data{Selection: store.SelectionRecord{Hash: "s", Name: "near", Targets: "t"}, Family: "scenes:s:8"}
	for k, v := range worst {
		r := Row{
			Model:   model.Model{Hash: string(rune('a' + k)), ID: "m" + string(rune('0'+k)), Record: []model.Field{{Name: "architecture", Value: []string{"vgg6", "ViT"}[k%2]}}},
			Outcome: background.Outcome{Targets: 12, Accuracy: 0.9, MeanComposite: 1 - v, WorstCase: v, ChangedShare: 0.25},
		}
		if v < 0 {
			r.Reason, r.Outcome = "no signals", background.Outcome{}
		} else {
			r.Key = "k" + r.Model.Hash
		}
		d.Rows = append(d.Rows, r)
	}
	return d
}

// ids are the models that a filter shows, in an order.
func ids(v *View, filter string, by result.Order) (list []string) {
	sheet := v.table().Sheet(v.Rows)
	for _, row := range sheet.Arrange(result.ParseFilter(filter), by) {
		list = append(list, v.Rows[row].Model.ID)
	}
	return list
}

func TestViewOrders(t *testing.T) {
	v := NewView()
	v.Take(someData(0.3, -1, math.NaN(), 0.5, 0.1), "")
	if err := v.table().Check(); err != nil {
		t.Fatal(err)
	}
	if got := ids(v, "", result.Order{Key: "worst_case_accuracy", Descending: true}); !slices.Equal(got,
		[]string{"m3", "m0", "m4", "m1", "m2"}) {
		t.Errorf("the best first, what has no value behind: %v", got)
	}
	for _, test := range []struct {
		filter string
		want   []string
	}{
		{"vit", []string{"m1", "m3"}},
		{"-vit worst>0.2", []string{"m0"}},
		{"clean<0.95", []string{"m0", "m2", "m3", "m4"}},
		{"m4", []string{"m4"}},
		{"nothing", nil},
	} {
		if got := ids(v, test.filter, v.table().First); !slices.Equal(got, test.want) {
			t.Errorf("filter %q: %v, want %v", test.filter, got, test.want)
		}
	}
}

func TestViewKeepsWhatIsSelected(t *testing.T) {
	v := NewView()
	d := someData(-1, 0.3, 0.5, 0.1)
	v.Take(d, "c")
	if r, ok := v.Selected(); !ok || r.Model.Hash != "c" {
		t.Errorf("the remembered model is %v, %+v", ok, r.Model.ID)
	}
	v.Select("d")
	v.Take(d, "c")
	if r, _ := v.Selected(); r.Model.Hash != "d" {
		t.Errorf("%s is selected, want d", r.Model.Hash)
	}
	v.Take(someData(-1, 0.3, 0.5, -1), "a") // its run is gone, and the remembered one has none
	if r, _ := v.Selected(); r.Model.Hash != "b" {
		t.Errorf("%s is selected, want the first with a run", r.Model.Hash)
	}
	if r, ok := v.second("c"); !ok || r.Model.Hash != "c" {
		t.Errorf("compared with %+v", r)
	}
	if r, ok := v.second("b"); !ok || r.Model.Hash != "c" {
		t.Errorf("a model is compared with itself: %+v", r)
	}
	v.Take(someData(0.5, -1), "")
	if _, ok := v.second(""); ok {
		t.Error("one model is compared with nothing")
	}
}

func TestViewTexts(t *testing.T) {
	v := NewView()
	v.Take(someData(0.25, -1), "")
	sheet := v.table().Sheet(v.Rows)
	worst := sheet.Fields[sheet.Field("worst_case_accuracy")]
	if got := worst.Say(0) + "; " + worst.Tell(1); got != "25.0 %; worst is missing: no signals" {
		t.Error(got)
	}
	if got := v.Rows[0].Detail(); got != "m0: 90.0 % clean, 75.0 % in scenes, worst case 25.0 %; the prediction changes in 25.0 % of the composites" {
		t.Error(got)
	}
	if got := v.Rows[1].Detail(); got != "m1: no signals" {
		t.Error(got)
	}
	if got := v.run(v.without()); !slices.Equal(got.Models, []string{"b"}) || got.Family != "scenes:s:8" || got.Suite != "t" || len(got.Positions) != 2 {
		t.Errorf("the run is %+v", got)
	}
}

func TestVacancies(t *testing.T) {
	v := NewView()
	for _, test := range []struct {
		d    Data
		want string
	}{
		{Data{}, "There are no testing scenes yet: choose some on the page Scenes."},
		{Data{Selection: store.SelectionRecord{Hash: "s"}}, "This workspace has no models yet. Import some."},
		{someData(-1, -1), "No model ran in the scenes of near yet. A run puts every target into its scenes and keeps what the models say."},
		{someData(0.5, -1), ""},
	} {
		v.Take(test.d, "")
		if got, empty := v.vacancy(); got != test.want || empty != (test.want != "") {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
