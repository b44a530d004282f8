package training

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/export"
)

// exported writes the fixture's set and returns the folder.
func (b *fixture) exported() string {
	b.tb.Helper()
	out := b.tb.TempDir()
	testdata.Must(export.Export(b.tb.Context(), b.Workspace,
		export.Options{Out: out, Without: []export.Part{export.Pictures}}, nil))(b.tb)
	return out
}

// What an export wrote is gathered again as the workspace gives it, but for the scores that files
// do not hold.
func TestFromFileIsWhatTheWorkspaceGives(t *testing.T) {
	b := newFixture(t, 6)
	r := b.addRound(nil)
	out := b.exported()
	records := filepath.Join(out, "models.csv")
	for _, c := range []struct{ workspace, files Labels }{
		{Labels{Round: r.ID}, Labels{File: filepath.Join(out, "labels_long.csv")}},
		{
			Labels{Round: r.ID, Borderline: Keep, Ties: true},
			Labels{File: filepath.Join(out, "labels_wide.csv"), Borderline: Keep, Ties: true},
		},
		{
			Labels{Column: "rule_label", HoldoutColumn: "fold", HoldoutValue: "holdout", Group: "optimizer"},
			Labels{Column: "rule_label", HoldoutColumn: "fold", HoldoutValue: "holdout", Group: "optimizer"},
		},
	} {
		want, _ := b.label(b.measured(), c.workspace)
		for _, name := range []string{"features.csv", "features.parquet"} {
			got, left, err := FromFile(filepath.Join(out, name), records, c.files)
			must(t, err)
			for i := range want.Rows {
				w := want.Rows[i]
				w.Scores.CorrectMean, w.Scores.ConsistencyMean, w.Scores.ConsistencyProduct = math.NaN(), math.NaN(),
					math.NaN()
				w.Basis, got.Rows[i].Basis, w.NoLabel, got.Rows[i].NoLabel = "", "", result.Reason{}, result.Reason{}
				if diff := cmp.Diff(w, got.Rows[i], cmpopts.EquateNaNs()); diff != "" {
					t.Errorf("%s, row %d: %s", name, i, diff)
				}
			}
			want.Rows, got.Rows = want.Rows[:0:0], got.Rows[:0:0]
			testdata.NoDiff(t, name, cmp.Diff(want, got))
			if left == nil {
				t.Error("models without label must be listed")
			}
			want, _ = b.label(b.measured(), c.workspace)
		}
	}
}

func TestFromFileTakesItsOwnLabels(t *testing.T) {
	b := newFixture(t, 3)
	b.addRound(nil)
	out := b.exported()
	for _, from := range []Labels{{}, {Column: "final"}} {
		d, left, err := FromFile(filepath.Join(out, "features.csv"), "", from)
		must(t, err)
		if labels(d) != "variant - -" || !math.IsNaN(d.Rows[0].Accuracy) ||
			d.Rows[0].Basis != "column final of features.csv" {
			t.Errorf("%s: %+v", labels(d), d.Rows[0].Basis)
		}
		if got := reasonsOf(left); got != "m1: "+leftBorderline.Text+
			"\nm2: it has no label in column final of features.csv" {
			t.Error(got)
		}
	}
	d, _, err := FromFile(filepath.Join(out, "features.csv"), "", Labels{Borderline: Keep})
	if err != nil || labels(d) != "variant borderline -" || !slices.Equal(d.Classes, label.Values(3)) {
		t.Errorf("%v, %v", err, d.Classes)
	}
}

// A table of others: columns in any order and not all of them, no hashes, holes where the
// published code has some.
func TestFromFileOfOthers(t *testing.T) {
	b := newFixture(t, 0)
	h := sums.Hash("z")
	features := b.file("f.csv",
		"mean@CONV-1.mean,CONF.max.g_overall,model_id,HEAD.max.std,max@CONF.svm,model_hash\n4,,a,9,1,\n5,3,z,8,2,"+h+
			"\n")
	records := b.file("models.csv", "id,group,truth,robust_accuracy,test_accuracy\na,x,1,0.5,0.75\nc,y,0,1,1\n")
	d, left, err := FromFile(features, records, Labels{Column: "truth", Group: "group"})
	must(t, err)
	must(t, d.Validate())
	want := []string{"max@CONF.svm", "max@CONF.g_overall", "mean@CONV-1.mean", "max@HEAD.std"}
	if !slices.Equal(d.Names, want) || !slices.Equal(d.Layout.Modalities,
		[]string{"max@CONF", "mean@CONV-1", "max@HEAD"}) || d.Layout.Profile != feature.Paper {
		t.Errorf("%v, %+v", d.Names, d.Layout)
	}
	if !slices.Equal(d.Rows[0].X, []float64{1, 0, 4, 9}) || !slices.Equal(d.Rows[1].X, []float64{2, 3, 5, 8}) {
		t.Errorf("%v, %v", d.Rows[0].X, d.Rows[1].X)
	}
	a, z := d.Rows[0], d.Rows[1]
	if a.Label != label.Variant || a.Group != "x" || a.Scores.CorrectProduct != 0.5 || a.Accuracy != 0.75 ||
		!math.IsNaN(a.Scores.CorrectMean) {
		t.Errorf("%+v", a)
	}
	if z.Label != "" || z.Group != "" || !math.IsNaN(z.Scores.CorrectProduct) || len(left) != 1 || left[0].ID != "z" {
		t.Errorf("%+v, %v", z, left)
	}
	wide := b.file("w.csv",
		wideHeader+roundA+",a,"+sums.Hash("a")+",variant,variant,variant,variant\n"+roundA+",other,"+h+
			",,,,invariant\n")
	d, left, err = FromFile(features, "", Labels{File: wide})
	if err != nil || labels(d) != "variant invariant" || left != nil {
		t.Errorf("without a hash the id counts, with one the hash: %v, %s, %v", err, labels(d), left)
	}
}

func TestFromFileRefuses(t *testing.T) {
	b := newFixture(t, 0)
	good := b.file("f.csv", "model_id,model_hash,max@CONF.svm\na,,1\n")
	for _, c := range []struct {
		features, records string
		from              Labels
		want              string
	}{
		{good, "", Labels{Round: roundA}, "files have no rounds"},
		{good, "", Labels{Column: "x", File: "y"}, "name only one"},
		{good, "", Labels{Column: "rule_label"}, "have no training records"},
		{good, b.file("m.csv", "id,fold\na,x\n"), Labels{Column: "rule_label"}, "there are fold"},
		{good, b.file("m.csv", "fold\nx\n"), Labels{}, `m.csv, line 1: there is no column "id"`},
		{
			good, b.file("m.csv", "id,robust_accuracy\na,-1\n"),
			Labels{},
			`m.csv: model a, column robust_accuracy: "-1" is no share`,
		},
		{good, b.file("m.csv", "id,test_accuracy\na,NaN\n"), Labels{}, `column test_accuracy: "NaN" is no share`},
		{good, "absent.csv", Labels{}, "absent.csv"},
		{"absent.parquet", "", Labels{}, "absent.parquet"},
		{
			b.file("f.csv", "model_id,model_hash,max@CONF.svm\na,,inf\n"), "",
			Labels{},
			"f.csv, line 2: model a, column max@CONF.svm: +Inf is not finite",
		},
	} {
		if d, _, err := FromFile(c.features, c.records, c.from); err == nil || !strings.Contains(err.Error(), c.want) ||
			d.Rows != nil {
			t.Errorf("%+v: %v, want %q", c.from, err, c.want)
		}
	}
}
