package feature

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

type goldenCase struct {
	Input struct {
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

// TestGoldenFeatures has also small, even and odd numbers of transformations, other thresholds,
// ties, and matrices that are just symmetric enough, computed without rounding
// (testdata/exact.json).
func TestGoldenFeatures(t *testing.T) {
	for _, data := range [][]byte{
		testdata.Golden(t, "features"),
		testdata.Must(os.ReadFile("testdata/exact.json"))(t),
	} {
		var tolerance struct{ Abs, Rel float64 }
		testdata.Cases(t, data, &tolerance, func(t *testing.T, c testdata.Case) {
			g := golden{T: t, allowed: func(want float64) float64 {
				return tolerance.Abs + tolerance.Rel*math.Abs(want)
			}}
			c.Read(t, &g.Input, &g.Expected)
			g.paper()
			g.refcode()
		})
	}
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
	m := testdata.Must(g.measure(Paper))(g)
	g.values(m, g.Expected.Paper)
	testdata.Equal(g, "flags", m.Flags, g.Expected.Flags)
	dctny, asymm := ScaleFree(matrixOf(g.Input.Matrix))
	extra := map[string]float64{"dctny_scale_free": dctny, "asymm_mean": asymm}
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
		testdata.Refused(g, fmt.Sprintf("refcode measures %d transformations", len(g.Input.Matrix)), err)
		return
	}
	if err != nil {
		g.Fatal(err)
	}
	g.values(m, g.Expected.Refcode)
}

func (g golden) values(m Measurement, expected map[string]*float64) {
	testdata.Is(g, "features", len(expected), Count)
	for name, want := range expected {
		f, err := Parse(name)
		if err != nil {
			g.Error(err)
			continue
		}
		testdata.Is(g, fmt.Sprintf("%s is undefined", f), slices.Contains(m.Undefined, f), (want == nil))
		if want == nil {
			g.near(name, m.Values[f], 0)
			continue
		}
		g.near(name, m.Values[f], *want)
	}
}

func (g golden) near(name string, got, want float64) {
	g.Helper()
	testdata.Near(g, name, got, want, g.allowed(want))
}

func matrixOf(rows [][]float64) variance.Matrix {
	m := variance.Matrix{N: len(rows)}
	for _, row := range rows {
		m.Data = append(m.Data, row...)
	}
	return m
}
