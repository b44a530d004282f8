package export

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/ratings"
)

// counter is a Progress.
type counter struct{ total, done atomic.Int64 }

func (c *counter) SetTotal(n int64) { c.total.Store(n) }
func (c *counter) Add(n int64)      { c.done.Add(n) }

func exported(t *testing.T, d *desk, opts Options) []string {
	t.Helper()
	p := &counter{}
	files, err := Export(t.Context(), d.Workspace, opts, p)
	if err != nil {
		t.Fatal(err)
	}
	if p.done.Load() != p.total.Load() || p.total.Load() == 0 {
		t.Errorf("progress ended at %d of %d", p.done.Load(), p.total.Load())
	}
	for k, file := range files {
		inside, err := filepath.Rel(opts.Out, file)
		if err != nil {
			t.Fatal(err)
		}
		files[k] = filepath.ToSlash(inside)
	}
	return files
}

func content(t *testing.T, folder, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestExportRound(t *testing.T) {
	d := newDesk(t)
	r := d.addRound("first", "all")
	out := filepath.Join(t.TempDir(), "out")
	files := exported(t, d, Options{Out: out, Round: "first", Version: "0.1.0"})
	want := []string{
		"README.md", "agreement.csv", "agreement.json", "agreement_counts.csv", "agreement_items.csv",
		"agreement_rounds.csv", "axes.json", "calibration/calibration.csv", "calibration/calibration_bins.csv",
		"calibration/calibration_transformations.csv", "calibration/left_out.csv",
		"calibration/reliability_s10_pets.svg", "calibration/reliability_s1_pets.svg", "columns.csv", "features.csv",
		"features.parquet", "invariance/ei.csv", "invariance/ei_transformations.csv", "invariance/left_out.csv",
		"label_studio.json", "labels.parquet", "labels_long.csv", "labels_wide.csv", "matrices.npz",
		"matrices/s1/max@CONF.png", "matrices/s1/max@CONV-1.png", "matrices/s1/max@CONV-2.png",
		"matrices/s1/mean@CONV-1.png", "matrices/s1/mean@CONV-2.png", "matrices/s10/max@CONF.png",
		"matrices/s10/max@CONV-1.png", "matrices/s10/mean@CONV-1.png", "models.csv",
	}
	if !slices.Equal(files, want) {
		t.Errorf("files %v, want %v", files, want)
	}
	d.checkLabels(r, out)
	wide := content(t, out, "labels_wide.csv")
	for _, line := range []string{
		"round_id,model_id,model_hash,r1,r2,=r3,majority,final\n",
		r.ID + ",s1," + r.Models[0] + ",variant,variant,variant,variant,variant\n",
		r.ID + ",s10," + r.Models[1] + ",invariant,variant,invariant,invariant,invariant\n",
		r.ID + ",=s2," + r.Models[2] + ",variant,,,variant,variant\n",
	} {
		if !strings.Contains(wide, line) {
			t.Errorf("labels_wide.csv lacks %q:\n%s", line, wide)
		}
	}
	models, seen := content(t, out, "models.csv"), ","+d.suite.Name+","+r.Suite+","+r.Family
	for _, part := range []string{
		"s1,321,1x8x8,", "-20..20", r.Models[0] + seen + ",ready,6,2,1,0.8333333333333334,\n",
		r.Models[1] + seen + ",ready,6,2,1,0.8333333333333334,max@CONV-2;mean@CONV-2\n",
		r.Models[2] + seen + ",none,,,,,\n",
	} {
		if !strings.Contains(models, part) {
			t.Errorf("models.csv lacks %q:\n%s", part, models)
		}
	}
	d.checkMatrices(out)
	d.checkCard(out, r)
}

// checkLabels reads the long table back and merges it into the workspace: nothing is new, and the
// kappas are the same.
func (d *desk) checkLabels(r label.Round, out string) {
	d.tb.Helper()
	path := filepath.Join(out, "labels_long.csv")
	data, err := os.ReadFile(path)
	if err != nil {
		d.tb.Fatal(err)
	}
	events, err := ReadLabelsLong(bytes.NewReader(data), path)
	if err != nil || len(events) != 7 {
		d.tb.Fatalf("%d events, %v", len(events), err)
	}
	if added, err := d.Merge(events); added != 0 || err != nil {
		d.tb.Errorf("merging the export back added %d, %v", added, err)
	}
	list, err := AgreementFromFile(path, 0, ratings.Options{}, agreement.Options{})
	if err != nil {
		d.tb.Fatal(err)
	}
	have, err := d.Events(r.ID)
	if err != nil {
		d.tb.Fatal(err)
	}
	want := agreement.OfRound(r, have, nil, r.Annotators, agreement.Options{}).Report.Fleiss
	if got := list[0].Report.Fleiss; got.Value != want.Value || got.N != 2 {
		d.tb.Errorf("fleiss %+v, want %+v", got, want)
	}
}

func (d *desk) checkMatrices(out string) {
	d.tb.Helper()
	in, err := npz.Open(filepath.Join(out, "matrices.npz"))
	if err != nil {
		d.tb.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	summary, ok, err := d.Summary(d.models[0], d.suite.Hash, canonical(d.tb, "rotation:-15:15:15"))
	if err != nil || !ok {
		d.tb.Fatal(ok, err)
	}
	for name, m := range summary.Matrices {
		var got []float64
		if err := in.Read("s1/"+name+".npy", &got); err != nil || !slices.Equal(got, m.Data) {
			d.tb.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func (d *desk) checkCard(out string, r label.Round) {
	d.tb.Helper()
	data, err := os.ReadFile(filepath.Join(out, cardName))
	if err != nil {
		d.tb.Fatal(err)
	}
	for _, part := range []string{
		cardMark + "\n# quiet\n", "Variscope 0.1.0", d.Desk(), d.suite.Hash, r.ID, r.GuidelineHash(), r.Models[2],
		"models: 3 (1 none, 2 ready)", "signals of 2 models: ONNX Runtime 1.27.0, amd64 v3, batch 32",
		"corrupt images left out: 2", "colour range of max@CONF: 0..0.3", "| r1 | 1 | 2 | 0 |", "| =r3 | 1 | 1 | 1 |",
		"| final | 1 | 2 | 0 |", "| Fleiss' kappa, generalised |",
		"<Choice value=\"variant\"/>", "- `matrices/s1/max@CONF.png` sha256 ", "biased upward",
		"\n> Look at CONF first.\n",
	} {
		if !strings.Contains(string(data), part) {
			d.tb.Errorf("the card lacks %q:\n%s", part, data)
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
	current := store.Current{Suite: d.suite.Hash, Family: canonical(t, "brightness:-0.3:0.3:0.3")}
	if err := d.SetCurrent(current); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	files := exported(t, d, Options{Out: out, Without: []Part{Pictures, Parquet}})
	want := []string{
		"README.md", "agreement.csv", "agreement.json", "agreement_counts.csv", "agreement_items.csv",
		"agreement_rounds.csv", "axes.json", "calibration/calibration.csv", "calibration/calibration_bins.csv",
		"calibration/calibration_transformations.csv", "calibration/left_out.csv",
		"calibration/reliability_s10_pets.svg", "calibration/reliability_s1_pets.svg", "columns.csv", "features.csv",
		"features.parquet", "invariance/ei.csv", "invariance/ei_transformations.csv", "invariance/left_out.csv",
		"label_studio.json", "labels_long.csv", "labels_wide.csv", "matrices.npz", "models.csv", "rotation-2/axes.json",
		"rotation-2/features.csv", "rotation-2/features.parquet", "rotation-2/matrices.npz", "rotation-2/models.csv",
		"rotation/axes.json", "rotation/features.csv", "rotation/features.parquet", "rotation/matrices.npz",
		"rotation/models.csv",
	}
	if !slices.Equal(files, want) {
		t.Errorf("files %v, want %v", files, want)
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
	ws, err := store.Create(filepath.Join(t.TempDir(), "empty"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	}()
	out := filepath.Join(t.TempDir(), "out")
	if _, err := Export(t.Context(), ws, Options{Out: out}, nil); err != nil {
		t.Fatal(err)
	}
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
		if _, err := Export(t.Context(), d.Workspace, Options{Out: out, Round: round}, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if got := listing(t, filepath.Dir(out)); len(got) != 0 {
			t.Errorf("a refused export left %v", got)
		}
	}
	if _, err := Export(t.Context(), d.Workspace, Options{}, nil); err == nil {
		t.Error("an export to nowhere succeeds")
	}
}

func TestEachPartHasAName(t *testing.T) {
	fields := option.Fields(&Options{})
	at := slices.IndexFunc(fields, func(f option.Field) bool { return f.Name == "without" })
	for _, choice := range fields[at].Choices {
		if Part(choice).Name() == "" {
			t.Errorf("%s has no name", choice)
		}
	}
	if len(fields[at].Choices) != len(parts)-1 { // signals are asked for
		t.Errorf("%d choices for %d parts", len(fields[at].Choices), len(parts))
	}
}
