package app_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/app"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/study"
)

// ei runs the command and returns what it prints.
func (b *eiBench) ei(code int, args ...string) (stdout, stderr string) {
	b.tb.Helper()
	var out, problems bytes.Buffer
	if got := app.Run(append([]string{"ei", b.path}, args...), &out, &problems); got != code {
		b.tb.Fatalf("ei %v exits %d, want %d\n%s%s", args, got, code, &out, &problems)
	}
	return out.String(), problems.String()
}

// eiJSON is what the tests read of ei --json: the sheets' rows by the sheets' names.
type eiJSON map[string][]map[string]any

func (b *eiBench) json(args ...string) eiJSON {
	b.tb.Helper()
	text, _ := b.ei(0, append(args, "--json")...)
	var read struct {
		Sheets []struct {
			Name string
			Rows []map[string]any
		}
	}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		b.tb.Fatalf("%v: %s", err, text)
	}
	sheets := eiJSON{}
	for _, s := range read.Sheets {
		sheets[s.Name] = s.Rows
	}
	return sheets
}

// number is a number of a row, NaN for null.
func number(row map[string]any, key string) float64 {
	if v, ok := row[key].(float64); ok {
		return v
	}
	return math.NaN()
}

func TestEITable(t *testing.T) {
	b := newEIBench(t)
	got := b.json("--suite", "pets", "--suite", "wild")
	if len(got["ei"]) != 11 || len(got["left_out"]) != 1 || got["left_out"][0]["code"] != "no_signals" { // gray has no signals on wild
		t.Fatalf("%d rows, left out %+v", len(got["ei"]), got["left_out"])
	}
	for k, r := range got["ei"] {
		steps := got["ei_transformations"][3*k : 3*k+3]
		if r["family"] != "rot90" || steps[1]["name"] != "rot90 180°" || steps[0]["v"] != nil || steps[0]["model_hash"] != r["model_hash"] {
			t.Errorf("%+v", r)
		}
		wild, _ := r["missing"].(map[string]any)
		if want := r["suite"] == "wild"; want != (r["accuracy"] == nil) || want != (r["robust_accuracy"] == nil) || r["consistency_mean"] == nil ||
			want != (wild["accuracy"] == "the suite wild has no labels") {
			t.Errorf("%s on %s: accuracy %v, missing %v", r["model_id"], r["suite"], r["accuracy"], wild)
		}
		sum := 0.0
		for _, step := range steps {
			sum += number(step, "ei")
		}
		if ei := number(r, "ei"); !(math.Abs(ei-sum/3) <= 1e-12 && ei > 0 && ei < 1 && number(r, "js") > 0) {
			t.Errorf("%s on %s: %v", r["model_id"], r["suite"], ei)
		}
	}
	table, _ := b.ei(0, "--suite", "pets", "--models", "m1,m3")
	if lines := strings.Split(strings.TrimSpace(table), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], "m1     pets   rot90            0.") || !strings.HasSuffix(lines[1], " 260") {
		t.Errorf("%s", table)
	}
	table, _ = b.ei(0, "--suite", "pets", "--models", "m1", "--each")
	if !strings.Contains(table, "rot90 270°") || strings.Count(table, "\n") != 4 {
		t.Errorf("%s", table)
	}
}

func TestEIStudyOverModels(t *testing.T) {
	b := newEIBench(t)
	var x, y []float64
	for _, r := range b.json("--suite", "pets")["ei"] {
		x, y = append(x, number(r, "ei")), append(y, invariance.Logit(number(r, "accuracy"), 1.0/(2*eiImages)))
	}
	got := b.json("--suite", "pets", "--study", "ei")
	s := got["studies"][0]
	want, line := stats.Pearson(x, y), stats.Huber(x, y)
	if len(got["studies"]) != 1 || s["of"] != "pets" || s["model_id"] != nil || len(got["study"]) != 6 || s["pearson"] != want.Value || s["pearson_p"] != want.P {
		t.Errorf("%+v, want %+v", s, want)
	}
	if s["slope"] != line.Slope || s["intercept"] != line.Intercept || len(got["study_lines"]) != 101 || got["study_lines"][0]["y_low"] == nil {
		t.Errorf("line %+v, want %+v", s, line)
	}
	folder := t.TempDir()
	text, _ := b.ei(0, "--suite", "pets", "--study", "ei", "--column", "optimizer", "--out", folder)
	if !strings.Contains(text, "6 rows, 7 tables and 2 figures") || !strings.Contains(text, "pets  rot90            EI          6 ") {
		t.Errorf("%s", text)
	}
	points := readRows(t, filepath.Join(folder, "study.csv"))
	if len(points) != 6 || points[1]["model_id"] != "m0" || points[1]["group"] != "Adam" || points[2]["group"] != "SGD" {
		t.Errorf("%v", points)
	}
	correlations := readRows(t, filepath.Join(folder, "study_correlations.csv"))
	value := strconv.FormatFloat(want.Value, 'g', -1, 64)
	if c := correlations[0]; len(correlations) != 4 || c["correlation"] != "pearson" || c["value"] != value || c["n"] != "6" || c["p_by"] != stats.Exact || c["q"] == "" {
		t.Errorf("%v", correlations)
	}
	checkPNG(t, filepath.Join(folder, "study.png"))
	svg, err := os.ReadFile(filepath.Join(folder, "study.svg"))
	if err != nil || !bytes.Contains(svg, []byte("Adam")) || !bytes.Contains(svg, []byte("<svg")) {
		t.Errorf("%v, %d bytes", err, len(svg))
	}
}

func readTable(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// readRows reads the rows of a CSV file by its columns.
func readRows(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	cells := readTable(t, path)
	for _, line := range cells[1:] {
		row := map[string]string{}
		for k, cell := range line {
			row[cells[0][k]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

func checkPNG(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(bytes.NewReader(data)); err != nil || img.Bounds().Dx() < 300 {
		t.Errorf("%s: %v", path, err)
	}
}

// Every study has its own figures, and the numbers in the tables are those of the JSON. --images is
// the old spelling of --per-image, correct_product that of robust_accuracy.
func TestEIFiles(t *testing.T) {
	b := newEIBench(t)
	folder := filepath.Join(t.TempDir(), "new", "folder")
	b.ei(0, "--study", "correct_product", "--unscaled", "--resamples", "20", "--out", folder, "--images", "--models", "m0,m1,m2,m3")
	names, err := filepath.Glob(filepath.Join(folder, "study_*.svg"))
	if err != nil || len(names) != 6 || !slices.Contains(names, filepath.Join(folder, "study_pets, fog 3_rot90.svg")) {
		t.Errorf("%v, %v", names, err)
	}
	if points := readRows(t, filepath.Join(folder, "study.csv")); points[0]["score_name"] != "robust_accuracy" {
		t.Errorf("%v", points[0])
	}
	got := b.json("--models", "m0,m1,m2,m3")["ei"]
	means := readRows(t, filepath.Join(folder, "ei.csv"))
	if len(means) != len(got) || len(means) != 4*7 {
		t.Fatalf("%d rows in ei.csv, %d in JSON", len(means), len(got))
	}
	for i, r := range got {
		if v, err := strconv.ParseFloat(means[i]["ei"], 64); err != nil || v != r["ei"] || means[i]["model_id"] != r["model_id"] || means[i]["suite"] != r["suite"] {
			t.Errorf("row %d: %v, want %+v", i, means[i], r)
		}
	}
	if steps := readRows(t, filepath.Join(folder, "ei_transformations.csv")); len(steps) != 3*len(got) {
		t.Errorf("%d rows of transformations", len(steps))
	}
	each := readRows(t, filepath.Join(folder, "ei_images.csv"))
	if len(each) != len(got)*3*eiImages {
		t.Fatalf("%d rows of images", len(each))
	}
	sum := 0.0
	for _, row := range each[:3*eiImages] {
		v, err := strconv.ParseFloat(row["ei"], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += v
	}
	if want := number(got[0], "ei"); !(math.Abs(sum/(3*eiImages)-want) <= 1e-12) {
		t.Errorf("mean of the images %v, want %v", sum/(3*eiImages), want)
	}
}

// The file of the command line has the bytes that the window saves: both are the sheet of one
// table.
func TestEIWritesWhatTheWindowSaves(t *testing.T) {
	b := newEIBench(t)
	folder := t.TempDir()
	b.ei(0, "--family", "rot90", "--out", folder)
	ws, err := store.Open(b.path)
	b.must(err)
	rows, left, err := study.Measure(t.Context(), ws, study.Ask{}, nil)
	b.must(err)
	b.must(ws.Close())
	for _, s := range []*result.Sheet{
		invariance.Results.Sheet(rows), invariance.Transformations.Sheet(invariance.Steps(rows, false)), invariance.LeftOuts.Sheet(left),
	} {
		var want bytes.Buffer
		b.must(s.CSV(&want, false))
		got, err := os.ReadFile(filepath.Join(folder, s.Name+".csv"))
		if err != nil || !bytes.Equal(got, want.Bytes()) || s.Len() == 0 {
			t.Errorf("%s.csv has %d bytes, the window's %d: %v", s.Name, len(got), want.Len(), err)
		}
	}
}

func TestEIPredicts(t *testing.T) {
	b := newEIBench(t)
	got := b.json("--predict", "--models", "m4,m3", "--resamples", "200")
	if len(got["studies"]) != 2 || len(got["prediction"]) != 14 || len(got["study"]) != 14 {
		t.Fatalf("%+v", got["studies"])
	}
	for k, s := range got["studies"] {
		if s["dropped"] != 1.0 || s["mean_absolute_error"] == nil || s["of"] != s["model_id"] || s["suite"] != nil {
			t.Errorf("%+v", s)
		}
		e := got["prediction"][7*k]
		if v := number(e, "predicted_accuracy"); e["suite"] != "wild" || e["role"] != "unlabelled" || e["accuracy"] != nil ||
			!(number(e, "predicted_accuracy_low") < v && v < number(e, "predicted_accuracy_high")) {
			t.Errorf("%+v", e)
		}
	}
	folder := t.TempDir()
	text, _ := b.ei(0, "--predict", "--models", "m4", "--resamples", "200", "--out", folder)
	for _, want := range []string{"leaving one suite out: error ", "% of the 95 % intervals hold the true accuracy", "wild ", "m4 ", "no labels"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	rows := readRows(t, filepath.Join(folder, "prediction.csv"))
	if len(rows) != 7 || rows[0]["suite"] != "wild" || rows[0]["accuracy"] != "" || rows[1]["role"] != "fit" || rows[1]["accuracy"] == "" {
		t.Errorf("%v", rows)
	}
	checkPNG(t, filepath.Join(folder, "study.png"))
}

func TestEIOfAnEmptyWorkspace(t *testing.T) {
	b := &eiBench{tb: t, path: filepath.Join(t.TempDir(), "no.variscope")}
	if _, stderr := b.ei(1); !strings.Contains(stderr, "no.variscope") {
		t.Errorf("%s", stderr)
	}
	full := newEIBench(t)
	_, stderr := full.ei(1, "--models", "gray", "--family", "grayscale")
	if !strings.Contains(stderr, "gray on pets, grayscale: one channel: grayscale changes nothing") {
		t.Errorf("%s", stderr)
	}
}
