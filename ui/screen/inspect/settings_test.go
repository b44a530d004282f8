package inspect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
)

func tiny() model.Model {
	return model.Model{
		ID: "m1", Graph: model.Graph{
			Input:   model.Input{Channels: 3},
			Outputs: []model.Output{{Name: "scores", Classes: 3}, {Name: "aux", Classes: 3}},
			Convs:   []string{"c1"}, Tensors: []string{"c1", "r1", "scores"},
		},
		Record: []model.Field{
			{Name: "output_kind", Value: "logits"}, {Name: "mean", Value: "0.5"}, {Name: "std", Value: "0.25"},
		},
	}
}

func TestFormCorrects(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(f *Form)
		want model.Correction
		err  string
	}{
		{"nothing", func(*Form) {}, model.Correction{}, ""},
		{"kind", func(f *Form) { f.Kind = "probabilities" }, model.Correction{OutputKind: model.Probabilities}, ""},
		{
			"std alone keeps the mean", func(f *Form) { f.Std = "1" },
			model.Correction{Mean: []float64{0.5}, Std: []float64{1}},
			"",
		},
		{
			"three channels", func(f *Form) { f.Mean, f.Std = "0.1;0.2;0.3", "1;1;1" },
			model.Correction{Mean: []float64{.1, .2, .3}, Std: []float64{1, 1, 1}},
			"",
		},
		{"two channels", func(f *Form) { f.Mean = "0.1;0.2" }, model.Correction{}, "need 1 or 3 numbers"},
		{"zero std", func(f *Form) { f.Std = "0" }, model.Correction{}, "must not be 0"},
		{"no number", func(f *Form) { f.Mean = "half" }, model.Correction{}, "mean"},
		{
			"names", func(f *Form) { f.Names = "cat; dog;bird" },
			model.Correction{ClassNames: []string{"cat", "dog", "bird"}},
			"",
		},
		{"too few names", func(f *Form) { f.Names = "cat;dog" }, model.Correction{}, "2 class names for 3 classes"},
		{"output", func(f *Form) { f.Output = "aux" }, model.Correction{Output: "aux"}, ""},
		{"resize", func(f *Form) { f.Resize = "crop" }, model.Correction{Resize: model.Crop}, ""},
		{
			"position", func(f *Form) { f.Positions = []string{" CONV-2 = r1 "} },
			model.Correction{Positions: map[string]string{"CONV-2": "r1"}},
			"",
		},
		{"unknown tensor", func(f *Form) { f.Positions = []string{"CONV-2=zz"} }, model.Correction{}, "no tensor"},
		{"unknown position", func(f *Form) { f.Positions = []string{"CONF=r1"} }, model.Correction{}, "CONV-1=NAME"},
		{"unknown kind", func(f *Form) { f.Kind = "odds" }, model.Correction{}, "output kind"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := tiny()
			f := FormOf(m)
			c.edit(&f)
			got, err := f.Correction(m)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			// What was corrected is in force, and taking it back corrects nothing.
			m.Correction = got
			again, err := FormOf(m).Correction(m)
			if err != nil || cmp.Diff(got, again) != "" {
				t.Errorf("the corrected form says %+v, %v", again, err)
			}
		})
	}
}
