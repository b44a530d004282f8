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
	"github.com/variscope/variscope/engine/stats"
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

// eiJSON is what the tests read of ei --json.
type eiJSON struct {
	Rows []struct {
		Model    string              `json:"model_id"`
		Suite    string              `json:"suite"`
		Family   string              `json:"family"`
		Labelled int                 `json:"labelled"`
		Accuracy *float64            `json:"accuracy"`
		Mean     map[string]*float64 `json:"mean"`
		Scores   map[string]*float64 `json:"scores"`
		Steps    []struct {
			Name string              `json:"name"`
			V    *float64            `json:"v"`
			Mean map[string]*float64 `json:"mean"`
		} `json:"transformations"`
	} `json:"rows"`
	Studies []struct {
		Of         string            `json:"of"`
		Points     []json.RawMessage `json:"points"`
		Dropped    int               `json:"dropped"`
		Pearson    struct{ Value, P *float64 }
		Line       *struct{ Intercept, Slope float64 }
		Grid       []float64 `json:"grid"`
		Low        []float64 `json:"band_low"`
		Prediction *struct {
			Estimates []struct {
				Suite          string
				Predicted      float64 `json:"predicted_accuracy"`
				Low, High      *float64
				Accuracy       *float64
				ExtrapolatedIs bool `json:"extrapolated"`
			} `json:"estimates"`
			LeaveOneOut []json.RawMessage `json:"leave_one_suite_out"`
			Error       *float64          `json:"mean_absolute_error"`
		} `json:"prediction"`
	} `json:"studies"`
	LeftOut []struct{ Reason string } `json:"left_out"`
}

func (b *eiBench) json(args ...string) eiJSON {
	b.tb.Helper()
	text, _ := b.ei(0, append(args, "--json")...)
	var read eiJSON
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		b.tb.Fatalf("%v: %s", err, text)
	}
	return read
}

func TestEITable(t *testing.T) {
	b := newEIBench(t)
	got := b.json("--suite", "pets", "--suite", "wild")
	if len(got.Rows) != 11 || len(got.LeftOut) != 1 { // gray has no signals on wild
		t.Fatalf("%d rows, left out %+v", len(got.Rows), got.LeftOut)
	}
	for _, r := range got.Rows {
		if r.Family != "rot90" || len(r.Steps) != 3 || r.Steps[1].Name != "rot90 180°" || r.Steps[0].V != nil {
			t.Errorf("%+v", r)
		}
		if wild := r.Suite == "wild"; wild != (r.Accuracy == nil) || wild != (r.Scores["correct_product"] == nil) || r.Scores["consistency_mean"] == nil {
			t.Errorf("%s on %s: accuracy %v", r.Model, r.Suite, r.Accuracy)
		}
		sum := 0.0
		for _, step := range r.Steps {
			sum += *step.Mean["ei"]
		}
		if ei := *r.Mean["ei"]; math.Abs(ei-sum/3) > 1e-12 || !(ei > 0 && ei < 1) || *r.Mean["js"] <= 0 {
			t.Errorf("%s on %s: %v", r.Model, r.Suite, ei)
		}
	}
	table, _ := b.ei(0, "--suite", "pets", "--models", "m1,m3")
	if lines := strings.Split(strings.TrimSpace(table), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], "m1     pets   rot90   260 ") {
		t.Errorf("%s", table)
	}
	table, _ = b.ei(0, "--suite", "pets", "--models", "m1", "--each")
	if !strings.Contains(table, "rot90 270°") || strings.Count(table, "\n") != 4 {
		t.Errorf("%s", table)
	}
}

func TestEIStudyOverModels(t *testing.T) {
	b := newEIBench(t)
	rows := b.json("--suite", "pets").Rows
	var x, y []float64
	for _, r := range rows {
		x, y = append(x, *r.Mean["ei"]), append(y, invariance.Logit(*r.Accuracy, 1.0/(2*eiImages)))
	}
	got := b.json("--suite", "pets", "--study", "ei")
	s := got.Studies[0]
	want, line := stats.Pearson(x, y), stats.Huber(x, y)
	if len(got.Studies) != 1 || s.Of != "pets" || len(s.Points) != 6 || *s.Pearson.Value != want.Value || *s.Pearson.P != want.P {
		t.Errorf("%+v, want %+v", s, want)
	}
	if s.Line == nil || s.Line.Slope != line.Slope || s.Line.Intercept != line.Intercept || len(s.Grid) != 101 || len(s.Low) != 101 {
		t.Errorf("line %+v, want %+v", s.Line, line)
	}
	folder := t.TempDir()
	text, _ := b.ei(0, "--suite", "pets", "--study", "ei", "--column", "optimizer", "--out", folder)
	if !strings.Contains(text, "6 rows, 4 tables and 2 figures") || !strings.Contains(text, "pets   rot90   ei     6 ") {
		t.Errorf("%s", text)
	}
	points := readTable(t, filepath.Join(folder, "study.csv"))
	if len(points) != 7 || points[2][4] != "m0" || points[2][6] != "Adam" || points[3][6] != "SGD" {
		t.Errorf("%v", points)
	}
	correlations := readTable(t, filepath.Join(folder, "study_correlations.csv"))
	value := strconv.FormatFloat(want.Value, 'g', -1, 64)
	if len(correlations) != 5 || correlations[1][5] != "pearson" || correlations[1][6] != value || correlations[1][10] != "6" || correlations[1][12] != stats.Exact {
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

// Every study has its own figures, and the numbers in the tables are those of the JSON.
func TestEIFiles(t *testing.T) {
	b := newEIBench(t)
	folder := filepath.Join(t.TempDir(), "new", "folder")
	b.ei(0, "--study", "js", "--unscaled", "--resamples", "20", "--out", folder, "--images", "--models", "m0,m1,m2,m3")
	names, err := filepath.Glob(filepath.Join(folder, "study_*.svg"))
	if err != nil || len(names) != 6 || !slices.Contains(names, filepath.Join(folder, "study_pets, fog 3_rot90.svg")) {
		t.Errorf("%v, %v", names, err)
	}
	got := b.json("--models", "m0,m1,m2,m3")
	means := readTable(t, filepath.Join(folder, "ei.csv"))
	if len(means) != len(got.Rows)+1 || len(means) != 4*7+1 {
		t.Fatalf("%d rows in ei.csv, %d in JSON", len(means)-1, len(got.Rows))
	}
	at := slices.Index(means[0], "ei")
	for i, r := range got.Rows {
		if v, err := strconv.ParseFloat(means[i+1][at], 64); err != nil || v != *r.Mean["ei"] || means[i+1][0] != r.Model || means[i+1][2] != r.Suite {
			t.Errorf("row %d: %v, want %+v", i, means[i+1], r)
		}
	}
	if steps := readTable(t, filepath.Join(folder, "ei_transformations.csv")); len(steps) != 3*len(got.Rows)+1 {
		t.Errorf("%d rows of transformations", len(steps)-1)
	}
	each := readTable(t, filepath.Join(folder, "ei_images.csv"))
	if len(each) != len(got.Rows)*3*eiImages+1 {
		t.Fatalf("%d rows of images", len(each)-1)
	}
	sum := 0.0
	column := slices.Index(each[0], "ei")
	for _, row := range each[1 : 3*eiImages+1] {
		v, err := strconv.ParseFloat(row[column], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += v
	}
	if want := *got.Rows[0].Mean["ei"]; math.Abs(sum/(3*eiImages)-want) > 1e-12 {
		t.Errorf("mean of the images %v, want %v", sum/(3*eiImages), want)
	}
}

func TestEIPredicts(t *testing.T) {
	b := newEIBench(t)
	got := b.json("--predict", "--models", "m4,m3", "--resamples", "200")
	if len(got.Studies) != 2 {
		t.Fatalf("%+v", got.Studies)
	}
	for _, s := range got.Studies {
		p := s.Prediction
		if len(s.Points) != 7 || s.Dropped != 1 || p == nil || len(p.Estimates) != 1 || len(p.LeaveOneOut) != 6 || p.Error == nil {
			t.Fatalf("%+v", s)
		}
		if e := p.Estimates[0]; e.Suite != "wild" || e.Accuracy != nil || !(*e.Low < e.Predicted && e.Predicted < *e.High) {
			t.Errorf("%+v", e)
		}
	}
	folder := t.TempDir()
	text, _ := b.ei(0, "--predict", "--models", "m4", "--resamples", "200", "--out", folder)
	for _, want := range []string{"each labelled suite predicted without it: mean error", "wild ", "m4 ", "suite without labels"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	rows := readTable(t, filepath.Join(folder, "prediction.csv"))
	if len(rows) != 8 || rows[1][3] != "wild" || rows[1][9] != "" || rows[2][3] != "pets" || rows[2][9] == "" {
		t.Errorf("%v", rows)
	}
	checkPNG(t, filepath.Join(folder, "study.png"))
}

// Each bad input is one clear sentence: 1 for what is wrong with the data, 2 for the command line.
func TestEIRefuses(t *testing.T) {
	b := newEIBench(t)
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{1, "--suite nowhere", "suite nowhere is not in"},
		{1, "--models zz", "zz"},
		{1, "--family rot45", `family "rot45": unknown name`},
		{1, "--family mask:3", "mask:3 deletes regions inside the model"},
		{1, "--family shift:3", "shift needs n and t: shift:3:5"},
		{1, "--family plain", "plain holds the images as they are"},
		{1, "--family grayscale", "no signals for this suite and family yet"},
		{1, "--family rotation:-15:15:1 --models m0", "m0 on pets, rotation -15..15°: no signals"},
		{1, "--study ei --models m0,m1 --suite pets", "no study over models: pets, rot90: fewer than 3 points"},
		{1, "--study ei --suite wild", "no suite has labels"},
		{1, "--predict --models m0 --suite pets --suite wild", "fewer than 4 labelled suites"},
		{2, "--study kindness", `unknown score "kindness"; known are ei, ei_product`},
		{2, "--predict --over models", "--predict goes from suite to suite"},
		{2, "--study ei --over suites", "name it with --models"},
		{2, "--column optimizer", "go with --study"},
		{2, "--images", "say where with --out"},
		{2, "--study ei --resamples 0", "--resamples takes a whole number from 1 to 100000"},
		{2, "--out table.csv", "--out takes a folder"},
	} {
		stdout, stderr := b.ei(c.code, strings.Fields(c.args)...)
		if !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("ei %s: %s%s, want %q", c.args, stdout, stderr, c.want)
		}
	}
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
