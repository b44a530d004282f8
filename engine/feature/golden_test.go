package feature

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

type goldenCase struct {
	Name  string
	How   string
	Input struct {
		Kind    string
		Matrix  [][]float64
		Reduced [][]float64 `json:"matrix_r90"`
		Tau     float64
	}
	Expected struct {
		Paper   map[string]*float64
		Extra   map[string]*float64
		Flags   []Flag
		Refcode map[string]*float64
	}
}

// goldenFile is read strictly, so that a form of case that this test does not know fails it.
type goldenFile struct {
	Topic, Spec, Note      string
	Format                 int
	Tolerance              struct{ Abs, Rel float64 }
	Published, Information json.RawMessage
	Cases                  []goldenCase
}

func TestGoldenFeatures(t *testing.T) {
	fmt.Printf("golden features: %d cases\n", runCases(t, testdata.Golden(t, "features")))
}

// TestExactFeatures has small, even and odd numbers of transformations, other thresholds, ties, and matrices that are just
// symmetric enough, computed without rounding.
func TestExactFeatures(t *testing.T) {
	data, err := os.ReadFile("testdata/exact.json")
	if err != nil {
		t.Fatal(err)
	}
	runCases(t, data)
}

// runCases runs a file of cases and returns how many there are.
func runCases(t *testing.T, data []byte) int {
	var file goldenFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		t.Fatalf("cases of features: %v", err)
	}
	if len(file.Cases) == 0 {
		t.Error("no cases")
	}
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			if c.Input.Kind != "" {
				t.Fatalf("unknown kind %q", c.Input.Kind)
			}
			g := golden{t, c, func(want float64) float64 { return file.Tolerance.Abs + file.Tolerance.Rel*math.Abs(want) }}
			g.paper()
			g.refcode()
		})
	}
	return len(file.Cases)
}

// golden is one case on test.
type golden struct {
	*testing.T
	goldenCase
	allowed func(want float64) float64
}

func (g golden) measure(p Profile) (Measurement, error) {
	var reduced *variance.Matrix
	if g.Input.Reduced != nil {
		m := matrixOf(g.Input.Reduced)
		reduced = &m
	}
	return Measure(matrixOf(g.Input.Matrix), reduced, Options{Tau: g.Input.Tau, Profile: p})
}

func (g golden) paper() {
	m, err := g.measure(Paper)
	if err != nil {
		g.Fatal(err)
	}
	g.values(m, g.Expected.Paper)
	if !slices.Equal(m.Flags, g.Expected.Flags) {
		g.Errorf("flags %v, want %v", m.Flags, g.Expected.Flags)
	}
	extra := map[string]float64{"dctny_scale_free": m.DctnyScaleFree, "asymm_mean": m.AsymmMean}
	for name, want := range g.Expected.Extra {
		got, ok := extra[name]
		if !ok || want == nil {
			g.Errorf("extra number %q with value %v is not known", name, want)
			continue
		}
		g.near(name, got, *want)
	}
}

func (g golden) refcode() {
	m, err := g.measure(Refcode)
	if g.Expected.Refcode == nil {
		if err == nil {
			g.Errorf("refcode measures %d transformations", len(g.Input.Matrix))
		}
		return
	}
	if err != nil {
		g.Fatal(err)
	}
	g.values(m, g.Expected.Refcode)
}

func (g golden) values(m Measurement, expected map[string]*float64) {
	if len(expected) != Count {
		g.Errorf("%d features, want %d", len(expected), Count)
	}
	for name, want := range expected {
		f, err := Parse(name)
		if err != nil {
			g.Error(err)
			continue
		}
		if undefined := slices.Contains(m.Undefined, f); undefined != (want == nil) {
			g.Errorf("%s is undefined: %v", f, undefined)
		}
		if want == nil {
			g.near(name, m.Values[f], 0)
			continue
		}
		g.near(name, m.Values[f], *want)
	}
}

func (g golden) near(name string, got, want float64) {
	g.Helper()
	if !(math.Abs(got-want) <= g.allowed(want)) {
		g.Errorf("%s = %v, want %v", name, got, want)
	}
}

func matrixOf(rows [][]float64) variance.Matrix {
	m := variance.Matrix{N: len(rows)}
	for _, row := range rows {
		m.Data = append(m.Data, row...)
	}
	return m
}
