package dscore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
)

// losses of a model whose loss is known in all layers and, alone, in the first.
func someLosses(t *testing.T) Losses {
	layer := func(number int, variants ...float64) score.Layer {
		l := score.Layer{
			N: 2, Mask: "mask:2", FeatureMap: model.FeatureMap{Number: number}, Original: 0.9, Variants: variants,
		}
		for _, v := range variants {
			l.Intervals = append(l.Intervals, score.Interval{Low: 0.9 - v - 0.005, High: 0.9 - v + 0.005})
		}
		return l
	}
	l := Losses{Row: Row{Model: model.Model{Graph: model.Graph{Convs: []string{"c1", "c2"}}}}}
	l.Layers = []score.Layer{layer(0, 0.9, 0.8, 0.5, 0.95), layer(1, 0.95, 0.95, 0.95, 0.95), layer(2)}
	l.Layers[2].Reason = result.Because(signal.NoSignals, "no signals yet")
	return l
}

func TestLosses(t *testing.T) {
	l := someLosses(t)
	if got := l.missing(); !slices.Equal(got, []int{2}) {
		t.Errorf("missing %v", got)
	}
	if hint := l.Hint(0); !strings.Contains(hint,
		"1 of 4 regions can be deleted from all layers without any loss, each alone") ||
		!strings.Contains(hint, "layer 1 has the most such regions, 4 of 4") ||
		!strings.Contains(hint, "smaller network") {
		t.Errorf("%q", hint)
	}
	if line := lineOf(l.Layers[0], 4,
		0); line != "all layers, region 4: deleting it costs -5.0 pp (-5.5..-4.5): nothing is lost" ||
		lineOf(l.Layers[0], 9, 0) != "" {
		t.Errorf("%q", line)
	}
	l.note([]model.FeatureMap{{Number: 2, Height: 1, Width: 1, Empty: []int{1, 2}}, {Number: 1}}, []int{3})
	if len(l.Notes) != 2 || !strings.Contains(l.Notes[0], "layer 2 has maps of 1 × 1: regions 1, 2 hold nothing") ||
		!strings.Contains(l.Notes[1], "layers 3 have no maps") {
		t.Errorf("%q", l.Notes)
	}
	l.Layers = l.Layers[:1]
	l.Layers[0].Variants = []float64{0.1, 0.1, 0.1, 0.1}
	if hint := l.Hint(0.01); !strings.HasPrefix(hint, "No region can be deleted at a loss of at most 1 point") ||
		strings.Contains(hint, "smaller") {
		t.Errorf("%q", hint)
	}
	if hint := (Losses{Layers: []score.Layer{{}}}).Hint(0); hint != "" {
		t.Errorf("of nothing: %q", hint)
	}
}

func TestOrder(t *testing.T) {
	models := []model.Model{
		{Hash: "a", Graph: model.Graph{Convs: []string{"1", "2", "3"}}},
		{Hash: "b", Graph: model.Graph{Convs: []string{"1"}}},
	}
	sets := func(o Order) (list []string) {
		runs, err := o.Runs()
		if err != nil {
			return []string{err.Error()}
		}
		for _, r := range runs {
			list = append(list, fmt.Sprint(r.Family, r.Models))
		}
		return list
	}
	o := usualOrder("s", models)
	if got := sets(o); !slices.Equal(got, []string{"mask:3;layers=auto[a b]", "shift:3:5[a b]"}) {
		t.Errorf("%q", got)
	}
	o.N, o.T, o.PerLayer, o.AfterBatchnorm = []int{4, 2}, []int{3, 5}, true, true
	want := []string{}
	for _, n := range []string{"2", "4"} {
		want = append(want, "mask:"+n+";layers=auto;after=batchnorm[a b]", "mask:"+n+";layers=1;after=batchnorm[a b]",
			"mask:"+n+";layers=2;after=batchnorm[a]",
			"mask:"+n+";layers=3;after=batchnorm[a]", "shift:"+n+":3[a b]", "shift:"+n+":5[a b]")
	}
	if got := sets(o); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	o.N, o.Alone = []int{3}, true
	if got := sets(o); len(got) != 3 || strings.Contains(got[2], "shift") {
		t.Errorf("each alone needs %q", got)
	}
	for what, change := range map[string]func(*Order){
		"no models": func(o *Order) { o.Models = nil }, "no n": func(o *Order) { o.N = nil },
		"no t": func(o *Order) { o.T = nil }, "n too large": func(o *Order) { o.N = []int{99} },
	} {
		bad := usualOrder("s", models)
		change(&bad)
		if _, err := bad.Runs(); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}
