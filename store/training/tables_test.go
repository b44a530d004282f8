package training

import (
	"math"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
)

func TestTablesOfFeatures(t *testing.T) {
	var o Options
	must(t, option.Verify(&o))
	layout := feature.Layout{
		Modalities: []string{"max@CONF", "mean@CONV-1"}, Profile: feature.Paper, Tau: 0.15, Share: 0.9, Seed: 1,
	}
	r := Row{
		Shown: make([]float64, layout.Width()), NoLabel: result.Because(assess.Unlabelled, "nobody has labelled it"),
	}
	r.Model.ID, r.Model.Hash, r.Accuracy, r.Scores = "m1", "h1", math.NaN(), unknown()
	r.Shown[layout.Width()-1] = 0.25
	r.Vector.Flags = map[string][]feature.Flag{"mean@CONV-1": {feature.HGRatioUndefined}}
	models, matrices := Models(layout, "", []Row{r}), MatricesOf(layout, []Row{r})
	for _, err := range []error{models.Check(), Matrices.Check()} {
		must(t, err)
	}
	for _, c := range []struct {
		sheet     *result.Sheet
		row       int
		key, want string
	}{
		{models.Sheet([]Row{r}), 0, "accuracy", "accuracy is missing: the suite has no labels"},
		{models.Sheet([]Row{r}), 0, "final", "label is missing: nobody has labelled it"},
		{models.Sheet([]Row{r}), 0, "mean@CONV-1.asymm", "mean@CONV-1.asymm 0.250, in full 0.25"},
		{Matrices.Sheet(matrices), 1, "asymm", "asymm 0.250, in full 0.25"},
		{Matrices.Sheet(matrices), 1, "flags", "flags hg_ratio_undefined"},
		{Matrices.Sheet(matrices), 0, "flags", "flags is missing"},
	} {
		if f := c.sheet.Fields[c.sheet.Field(c.key)]; f.Tell(c.row) != c.want {
			t.Errorf("%s of row %d is told as %q, want %q", c.key, c.row, f.Tell(c.row), c.want)
		}
	}
}

// TestAllLeftOutNameEveryModelOnce: without features its label is of no use.
func TestAllLeftOutNameEveryModelOnce(t *testing.T) {
	left := []LeftOut{{ID: "m8", Hash: "h8", Reason: result.Because("no_signals", "no signals")}}
	unlabelled := []LeftOut{
		{ID: "m8", Hash: "h8", Reason: result.Because(assess.WithoutFeatures, "labelled, but without features here")},
		{ID: "m0", Hash: "h0", Reason: result.Because(assess.Unlabelled, "nobody has labelled it")},
	}
	if got := AllLeftOut(left, unlabelled); !slices.Equal(got, []LeftOut{left[0], unlabelled[1]}) {
		t.Errorf("%v", got)
	}
}
