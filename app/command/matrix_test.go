package command

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/matrixfile"
)

// TestExportedMatrices: what chooses among the matrices of a file is obeyed; an interval needs an
// odd number of transformations; an element without a value is null in JSON.
func TestExportedMatrices(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, arrays map[string]any) string {
		testdata.OK(t, npz.Write(filepath.Join(folder, name), arrays))
		return filepath.Join(folder, name)
	}
	five := make([]float64, 25)
	for k := range five {
		five[k] = float64(k)
	}
	path := write("five.npz", map[string]any{
		"V": []float64{-10, -5, 0, 5, 10}, "a/max@CONF": mat.NewDense(5, 5, five),
		"a/mean@CONV-1": mat.NewDense(5, 5, five), "b/max@CONF": mat.NewDense(5, 5, five),
	})
	var read struct {
		Sheets []struct{ Rows []map[string]any }
	}
	out := must(t, "matrix", path, "--model", "a", "--modalities", "max@CONF", "--interval", "5", "--json")
	testdata.OK(t, json.Unmarshal([]byte(out), &read))
	elements := read.Sheets[1].Rows
	if r := elements[0]; len(read.Sheets[0].Rows) != 1 || len(elements) != 3 || r["model_id"] != "a" ||
		r["matrix"] != "max@CONF" || r["V"] != -5.0 || r["-5"] != 6.0 || r["10"] != nil {
		t.Errorf("%+v", elements)
	}
	even := write("even.npz", map[string]any{"a/max@CONF": mat.NewDense(4, 4, nil)})
	if code, text := command("matrix", even, "--interval", "2"); code != exitBadInput ||
		!strings.Contains(text, "none in the middle") {
		t.Errorf("%d, %s", code, text)
	}
	if out := must(t, "matrix", even, "--json"); strings.Count(out, ": 0") < 16 {
		t.Error(out)
	}
	gap := mat.NewDense(3, 3, []float64{0, 1, math.NaN(), 1, 0, 1, 2, 1, 0})
	out = must(t, "matrix", write("gap.npz", map[string]any{"a/max@CONF.I1": gap}), "--json")
	if !strings.Contains(out, "null") || !json.Valid([]byte(out)) {
		t.Error(out)
	}
}

// TestFileIn: --out of a command that writes one file may name a folder everywhere.
func TestFileIn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "v1.2")
	plain := filepath.Join(folder, "plain")
	testdata.OK(t, os.Mkdir(folder, 0o700))
	testdata.OK(t, os.WriteFile(plain, nil, 0o600))
	for out, want := range map[string]string{
		"": "", "new/a.csv": "new/a.csv", "new": "new/t.csv", folder: filepath.Join(folder, "t.csv"), plain: plain,
	} {
		if got := fileIn(out, "t.csv"); got != filepath.FromSlash(want) {
			t.Errorf("%q is %q, not %q", out, got, want)
		}
	}
}

// TestWhatMatricesLackIsSaid: for each matrix its own reason, whatever the others lack.
func TestWhatMatricesLackIsSaid(t *testing.T) {
	c := &matrixCommand{}
	c.Resamples, c.Certainty, c.Element = 100, true, "-5,5"
	made := madeMatrices{Set: &matrixfile.Set{Items: []variance.Of{
		{Model: "few", Modality: "max@CONF", Images: 3},
		{Model: "sent", Modality: "max@CONF", Images: 3},
		{Model: "sent", Modality: "max@CONV-1", Absent: result.Because("absent", "not there")},
		{Model: "all", Modality: "max@CONF", Images: 9, Band: variance.Band{Low: variance.Matrix{N: 3}}},
	}}, packaged: []string{"sent"}}
	const sent = ": a round package has matrices without signals; run the model here"
	want := []string{
		"few, max@CONF: no intervals: fewer than 8 images: resamples of them tell nothing",
		"sent, max@CONF: no intervals" + sent, "sent, max@CONF: no certainty" + sent,
		"sent, max@CONF: no images behind the element" + sent,
	}
	if got := c.unbanded(made); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
