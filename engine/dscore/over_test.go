package dscore

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

// Models stand over the numbers of their records, those of each suite and grid apart; models
// whose record has none are left out, and lines go through the means of those that share a
// number.
func TestScoresOverAColumn(t *testing.T) {
	all := append(someScores(t, 5, 2), someScores(t, 2, 3)...)
	for k, p := range []string{"0.5", "0.25", "none", "0.25", "", "1", " 0 "} {
		all[k].Model.Record = []model.Field{{Name: "p", Value: p}, {Name: "kind", Value: "cnn"}}
	}
	all[3].Intervals = Intervals{Samples: 9, DScore: Interval{Low: 0.3, High: 0.5}, Original: noInterval}
	rows := testdata.Must(OverOf(all, "p"))(t)
	sheet := OverTable("p").Sheet(rows)
	testdata.OK(t, sheet.Check())
	var at []string
	for k := range rows {
		var cells []string
		for _, key := range []string{"record.p", "model_id", "n", "d_score"} {
			cells = append(cells, said(sheet, key, k))
		}
		at = append(at, strings.Join(cells, " "))
	}
	testdata.NoDiff(t, "rows", cmp.Diff([]string{
		"0.250 m1 2 0.8000", "0.250 m3 2 0.4000 (0.3000..0.5000)", "0.500 m0 2 1.0000",
		"0.000 m1 3 0.8000", "1.000 m0 3 1.0000",
	}, at))
	figures := OverFigures(rows, "p")
	for _, f := range figures {
		testdata.OK(t, f.Check())
	}
	if len(figures) != 2 || len(figures[0].Points) != 6 || len(figures[1].Points) != 4 {
		t.Fatalf("%d figures", len(figures))
	}
	f := figures[0]
	testdata.NoDiff(t, "places", cmp.Diff([]float64{0.25, 0.5}, f.Lines[0].X))
	testdata.NearAll(t, "mean D-Scores", f.Lines[0].Y, []float64{0.6, 1}, 1e-12)
	testdata.NearAll(t, "mean accuracies", f.Lines[1].Y, []float64{0.7, 0.9}, 1e-12)
	if p := f.Points[1]; p.Name != "m3" || p.Low != 0.3 || p.High != 0.5 || f.Points[4].Low != f.Points[4].High {
		t.Errorf("%+v", f.Points)
	}
	for column, want := range map[string]string{
		"q":    "column q; the columns are p, kind",
		"kind": "no training record has",
	} {
		testdata.Refused(t, column, testdata.Err(OverOf(all, column)), want)
	}
}
