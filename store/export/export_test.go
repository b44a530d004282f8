package export

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/ratings"
)

func exported(t *testing.T, d *desk, opts Options) []string {
	t.Helper()
	p := &testdata.Progress{}
	files := testdata.Must(Export(t.Context(), d.Workspace, opts, p))(t)
	if p.Done.Load() != p.Total.Load() || p.Total.Load() == 0 {
		t.Errorf("progress ended at %d of %d", p.Done.Load(), p.Total.Load())
	}
	for k, file := range files {
		files[k] = filepath.ToSlash(testdata.Must(filepath.Rel(opts.Out, file))(t))
	}
	return files
}

func content(t *testing.T, folder, name string) string {
	t.Helper()
	return string(testdata.Must(os.ReadFile(filepath.Join(folder, name)))(t))
}

func TestExportRound(t *testing.T) {
	d := newDesk(t)
	r := d.addRound("first", "all")
	out := filepath.Join(t.TempDir(), "deep", "out")
	exported(t, d, Options{Out: out, Round: "first", Version: "0.1.0"})
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder is private: %v, %v", info.Mode(), err)
	}
	d.checkLabels(r, out)
	lacks(t, content(t, out, "labels_wide.csv"),
		"round_id,model_id,model_hash,r1,r2,=r3,majority,final\n",
		r.ID+",s1,"+r.Models[0]+",variant,variant,variant,variant,variant\n",
		r.ID+",s10,"+r.Models[1]+",invariant,variant,invariant,invariant,invariant\n",
		r.ID+",=s2,"+r.Models[2]+",variant,,,variant,variant\n")
	seen := "," + d.suite.Name + "," + r.Suite + "," + r.Family
	lacks(t, content(t, out, "models.csv"), "s1,321,1x8x8,", "-20..20",
		r.Models[0]+seen+",ready,6,2,1,0.8333333333333334,\n",
		r.Models[1]+seen+",ready,6,2,1,0.8333333333333334,max@CONV-2;mean@CONV-2\n",
		r.Models[2]+seen+",none,,,,,\n")
	lacks(t, content(t, out, cardName),
		"Variscope 0.1.0", d.Desk(), d.suite.Hash, r.ID, r.GuidelineHash(), r.Models[2], "models: 3 (1 none, 2 ready)",
		"signals of 2 models: ONNX Runtime 1.27.0, amd64 v3, batch 32", "corrupt images left out: 2",
		"| r1 | 1 | 2 | 0 |", "| =r3 | 1 | 1 | 1 |", "| Fleiss' kappa, generalised |", "biased upward")
	d.checkMatrices(out)
}

// checkLabels reads the long table back and merges it into the workspace: nothing is new, and the
// kappas are the same.
func (d *desk) checkLabels(r label.Round, out string) {
	d.tb.Helper()
	path := filepath.Join(out, "labels_long.csv")
	data := testdata.Must(os.ReadFile(path))(d.tb)
	events, err := ReadLabelsLong(bytes.NewReader(data), path)
	if err != nil || len(events) != 7 {
		d.tb.Fatalf("%d events, %v", len(events), err)
	}
	if added, err := d.Merge(events); added != 0 || err != nil {
		d.tb.Errorf("merging the export back added %d, %v", added, err)
	}
	list := testdata.Must(AgreementFromFile(path, 0, ratings.Options{}, agreement.Options{}))(d.tb)
	have := testdata.Must(d.Events(r.ID))(d.tb)
	want := agreement.OfRound(r, have, nil, r.Annotators, agreement.Options{}).Report.Fleiss
	if got := list[0].Report.Fleiss; got.Value != want.Value || got.N != 2 {
		d.tb.Errorf("fleiss %+v, want %+v", got, want)
	}
}

func (d *desk) checkMatrices(out string) {
	d.tb.Helper()
	in := testdata.Must(npz.Open(filepath.Join(out, "matrices.npz")))(d.tb)
	defer func() { _ = in.Close() }()
	summary, ok, err := d.Summary(d.models[0], d.suite.Hash, canonical(d.tb, "rotation:-15:15:15"))
	if err != nil || !ok {
		d.tb.Fatal(ok, err)
	}
	var v []float64
	if err := in.Read("V.npy", &v); err != nil || !slices.Equal(v, []float64{-15, 0, 15}) {
		d.tb.Errorf("V is %v, %v", v, err)
	}
	for name, m := range summary.Matrices {
		var got []float64
		if err := in.Read("s1/"+name+".npy", &got); err != nil || !slices.Equal(got, m.Data) {
			d.tb.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// The same workspace gives the same bytes, also into the folder of an earlier export.
func TestExportIsDeterministic(t *testing.T) {
	d := newDesk(t)
	d.addRound("first", "all")
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	files := exported(t, d, Options{Out: one, Without: []Part{Pictures}}) // render's own tests hold pictures to it
	exported(t, d, Options{Out: two, Without: []Part{Pictures}})
	exported(t, d, Options{Out: two, Without: []Part{Pictures}})
	for _, name := range files {
		if content(t, one, name) != content(t, two, name) {
			t.Errorf("%s differs", name)
		}
	}
	if got, want := listing(t, two), listing(t, one); !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
}

func TestExportAll(t *testing.T) {
	d := newDesk(t)
	d.run(d.models[0], "brightness:-0.3:0.3:0.3")
	d.addRound("first", "all")
	d.addRound("second", "correct")
	testdata.OK(t, d.SetCurrent(store.Current{Suite: d.suite.Hash, Family: canonical(t, "brightness:-0.3:0.3:0.3")}))
	out := t.TempDir()
	files := exported(t, d, Options{Out: out, Without: []Part{Pictures, Parquet}})
	for _, in := range []string{"", "rotation/", "rotation-2/"} {
		for _, name := range []string{"axes.json", "features.csv", "features.parquet", "matrices.npz", "models.csv"} {
			if !slices.Contains(files, in+name) {
				t.Errorf("%s%s is missing: %v", in, name, files)
			}
		}
	}
	if !strings.Contains(content(t, out, "axes.json"), "brightness:") ||
		!strings.Contains(content(t, out, "rotation-2/axes.json"), `"images": "correct`) {
		t.Error("the current family must lie at the top, the filtered round in a folder of its own")
	}
	if content(t, out, "rotation/matrices.npz") != content(t, out, "rotation-2/matrices.npz") {
		t.Error("all images are right without transformation, so both filters choose the same")
	}
	if n := strings.Count(content(t, out, "labels_long.csv"), "\n"); n < 1+14 {
		t.Errorf("%d lines of labels", n)
	}
}

func TestExportEmptyWorkspace(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	testdata.Must(Export(t.Context(), sums.Empty(t), Options{Out: out}, nil))(t)
	if got := content(t, out, "labels_long.csv"); got != strings.Join(longHeader(), ",")+"\n" {
		t.Errorf("labels %q", got)
	}
}

func TestExportRefuses(t *testing.T) {
	d := newDesk(t)
	d.addRound("twin", "all")
	d.addRound("twin", "all")
	for round, want := range map[string]string{
		"gone": "has no round \"gone\"", "twin": "has 2 rounds named \"twin\"; give the id",
	} {
		out := filepath.Join(t.TempDir(), "out")
		_, err := Export(t.Context(), d.Workspace, Options{Out: out, Round: round}, nil)
		testdata.Refused(t, "error", err, want)
		if got := listing(t, filepath.Dir(out)); len(got) != 0 {
			t.Errorf("a refused export left %v", got)
		}
	}
	if _, err := Export(t.Context(), d.Workspace, Options{}, nil); err == nil {
		t.Error("an export to nowhere succeeds")
	}
}
