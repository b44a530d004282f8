package inspect

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/ui/kit/evidence"
)

func TestPlaces(t *testing.T) {
	m := model.Model{Graph: model.Graph{
		Convs: []string{"c1"}, Head: "flat", Tensors: []string{"c1", "r1", "flat"},
		Outputs: []model.Output{{Name: "y"}},
	}}
	computed := []signal.Position{{Name: model.CONF, Tensor: "y"}, {Name: "r1", Tensor: "r1"}}
	got := places(m, computed, []string{"max@CONF", "mean@c1", "mean@gone", "nonsense"})
	want := []place{
		{Name: model.CONF},
		{Name: model.Conv1, Reason: "not computed yet"},
		{Name: model.Conv2, Reason: "no second convolution", Absent: true},
		{Name: model.Head, Reason: "not computed yet"},
		{Name: "r1"},
		{Name: "c1", Reason: "not computed yet"},
		{Name: "gone", Reason: "no tensor gone", Absent: true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("places %+v", got)
	}
}

func TestArranged(t *testing.T) {
	rows := places(model.Model{}, nil, nil)
	for _, c := range []struct{ chosen, want []string }{
		{nil, evidence.DefaultModalities()},
		{[]string{"nonsense"}, evidence.DefaultModalities()},
		{[]string{"mean@CONV-1", "max@CONF"}, []string{"max@CONF", "mean@CONV-1"}},
		{
			[]string{"L2@CONF", "std@HEAD", "min@CONF", "max@CONV-2", "std@HEAD"},
			[]string{"max@CONV-2", "min@CONF", "std@HEAD", "L2@CONF"},
		},
	} {
		if got := arranged(c.chosen, rows); !slices.Equal(got, c.want) {
			t.Errorf("%v becomes %v", c.chosen, got)
		}
	}
}

func TestShownWith(t *testing.T) {
	if got := shownWith([]string{"max@CONF", "mean@r1"}, "r1"); !slices.Equal(got,
		[]string{"max@CONF", "mean@r1", "max@r1"}) {
		t.Errorf("%v", got)
	}
	if got := shownWith([]string{"std@CONF"}, model.CONF); !slices.Equal(got, []string{"std@CONF", "max@CONF"}) {
		t.Errorf("%v", got)
	}
	if len(reducerNames()) != 9 || reducerNames()[8] != "mean_abs" || reducerNames()[0] != "mean" {
		t.Errorf("reducers %v", reducerNames())
	}
}
