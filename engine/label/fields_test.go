package label

import (
	"fmt"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

func TestTellsAnswer(t *testing.T) {
	for _, telling := range []string{
		"rule_label=0", "rule_reason=", "Label=", "label_reason=", "final label=", "labels=", "verdict=",
		"assessor.verdict=", "judgement=", "judgment_by_3=", "majority=", "is-invariant=1", "expert_ratings=",
		"class= Variant ", "x=borderline",
	} {
		name, value, _ := strings.Cut(telling, "=")
		testdata.Is(t, telling+" tells the answer", TellsAnswer(name, value), true)
	}
	for _, plain := range []string{
		"architecture=VGG4", "label_smoothing=0.1", "label-noise=0.2", "test_accuracy=0.9", "tested=rotation",
		"anomaly_detail=", "invariance_loss=3", "rules=2", "=", "augmentation=none",
	} {
		name, value, _ := strings.Cut(plain, "=")
		testdata.Is(t, plain+" tells the answer", TellsAnswer(name, value), false)
	}
}

// TestRoundShows: a round without a list shows what does not tell the answer, one with a list
// shows that, and what the model is run with stays.
func TestRoundShows(t *testing.T) {
	m := model.Model{
		Record: []model.Field{
			{Name: "mean", Value: "0.5"},
			{Name: "epochs", Value: "3"},
			{Name: "rule_label", Value: "1"},
			{Name: "kind", Value: "variant"},
		},
		Graph: model.Graph{Metadata: map[string]string{"class_names": "a,b", "verdict": "fine"}},
	}
	names := func(r Round) (list []string) {
		for _, f := range r.Shown(m).Record {
			list = append(list, f.Name)
		}
		return list
	}
	for _, c := range []struct {
		fields, want []string
	}{
		{nil, []string{"mean", "epochs"}},
		{[]string{}, []string{"mean"}},
		{[]string{"rule_label"}, []string{"mean", "rule_label"}},
		{[]string{"kind", "epochs"}, []string{"mean", "epochs", "kind"}},
	} {
		r := Round{Fields: c.fields}
		testdata.Equal(t, fmt.Sprintf("%q shows", c.fields), names(r), c.want)
		if shown := r.Shown(m).Graph.Metadata; len(shown) != 1 || shown["class_names"] == "" {
			t.Errorf("metadata %q", shown)
		}
	}
	if len(m.Record) != 4 || len(m.Graph.Metadata) != 2 {
		t.Error("the model itself has changed")
	}
}

func TestRoundShowsCurves(t *testing.T) {
	m := model.Model{Curves: []model.Epoch{
		{Epoch: 1, Values: map[string]float64{"train_loss": 2, "test_loss": 3}},
		{Epoch: 2, Values: map[string]float64{"train_loss": 1}},
	}}
	for _, c := range []struct {
		curves []string
		want   string
	}{
		{nil, "[{1 map[test_loss:3 train_loss:2]} {2 map[train_loss:1]}]"},
		{[]string{}, "[]"},
		{[]string{"test_loss"}, "[{1 map[test_loss:3]}]"},
	} {
		testdata.Is(t, fmt.Sprintf("%q shows", c.curves), fmt.Sprint(Round{Curves: c.curves}.Shown(m).Curves), c.want)
	}
	testdata.Is(t, "the model itself has", len(m.Curves[0].Values), 2)
}
