package invariance

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

type goldenTolerance struct {
	Pairs       float64 `json:"pairs_abs"`
	Correlation float64 `json:"corr_abs"`
	Huber       float64 `json:"huber_abs"`
}

func TestGoldenEffectiveInvariance(t *testing.T) {
	for _, data := range [][]byte{
		testdata.Golden(t, "ei"), testdata.Further(t, "ei"),
		testdata.Further(t, "ei-lines"),
	} {
		var tolerance goldenTolerance
		testdata.Cases(t, data, &tolerance, func(t *testing.T, c testdata.Case) {
			switch c.Kind {
			case "pairs":
				goldenPairs(t, c, tolerance)
			case "study":
				goldenStudy(t, c, tolerance)
			default:
				t.Errorf("kind %q is not known", c.Kind)
			}
		})
	}
}

type goldenPair struct {
	Prediction  int     `json:"pred"`
	Transformed int     `json:"pred_t"`
	Confidence  float64 `json:"conf"`
	After       float64 `json:"conf_t"`
	Consistent  bool
	EI          float64
	Product     float64 `json:"ei_product"`
	JS          float64
	Bits        float64 `json:"js_bits"`
	L2          float64
	KL          float64
	KLReverse   float64 `json:"kl_reverse"`
}

func goldenPairs(t *testing.T, c testdata.Case, tolerance goldenTolerance) {
	var in struct {
		Kind  string
		P     [][]float64
		Q     [][]float64
		Floor float64 `json:"kl_floor"`
	}
	var want struct {
		Pairs []goldenPair
		Mean  map[string]float64
	}
	c.Read(t, &in, &want)
	if in.Floor != klFloor || len(in.P) != len(want.Pairs) || len(in.Q) != len(want.Pairs) {
		t.Fatalf("floor %v, %d and %d vectors for %d pairs", in.Floor, len(in.P), len(in.Q), len(want.Pairs))
	}
	var sum Values
	for k, pair := range want.Pairs {
		v := testdata.Must(Compare(in.P[k], in.Q[k]))(t)
		for m, value := range v {
			sum[m] += value
		}
		pair.check(t, k, v, in.P[k], in.Q[k], tolerance.Pairs)
	}
	for name, mean := range want.Mean {
		m := measureNamed(name)
		if m < 0 {
			t.Errorf("measure %q is not known", name)
		} else {
			testdata.Near(t, "mean "+name, sum[m]/float64(len(in.P)), mean, tolerance.Pairs)
		}
	}
}

func (g goldenPair) check(t *testing.T, k int, v Values, p, q []float64, tolerance float64) {
	t.Helper()
	a, b := newVector(len(p)), newVector(len(q))
	testdata.OK(t, set(a, p))
	testdata.OK(t, set(b, q))
	if stats.Largest(a.share) != g.Prediction || stats.Largest(b.share) != g.Transformed ||
		(v[Consistent] == 1) != g.Consistent {
		t.Errorf("pair %d: predictions %d and %d, consistent %v, want %+v", k, stats.Largest(a.share),
			stats.Largest(b.share), v[Consistent], g)
	}
	for name, c := range map[string][2]float64{
		"conf": {a.share[stats.Largest(a.share)], g.Confidence}, "conf_t": {b.share[stats.Largest(b.share)], g.After},
		"ei": {v[EI], g.EI}, "ei_product": {v[Product], g.Product}, "js": {v[JS], g.JS},
		"js_bits": {v[JS] / math.Ln2, g.Bits}, "l2": {v[L2], g.L2}, "kl": {v[KL], g.KL},
		"kl_reverse": {v[KLReverse], g.KLReverse},
	} {
		testdata.Near(t, fmt.Sprintf("pair %d: %s", k, name), c[0], c[1], tolerance)
	}
}

func measureNamed(name string) Measure {
	for m := range Measures {
		if m.String() == name {
			return m
		}
	}
	return -1
}

type goldenStudyInput struct {
	Kind      string
	Score     []float64
	Accuracy  []float64
	Eps       float64 `json:"logit_eps"`
	Bootstrap [][]int `json:"bootstrap_index"`
	Grid      []float64
}

func goldenStudy(t *testing.T, c testdata.Case, tolerance goldenTolerance) {
	var in goldenStudyInput
	var want map[string]json.RawMessage
	c.Read(t, &in, &want)
	points := make([]Point, len(in.Score))
	for k := range points {
		points[k] = Point{ID: fmt.Sprint("model ", k), Score: in.Score[k], Accuracy: in.Accuracy[k]}
	}
	options := StudyOptions{Eps: in.Eps, Given: in.Bootstrap, Grid: in.Grid}
	s := testdata.Must(Examine(t.Context(), points, options))(t)
	d := testdata.Must(newData(points, options))(t)
	g := goldenStudyCheck{t, s, d, in, tolerance}
	for key, data := range want {
		g.check(key, data)
	}
}

type goldenStudyCheck struct {
	*testing.T
	study     Study
	data      data
	in        goldenStudyInput
	tolerance goldenTolerance
}

func (g goldenStudyCheck) check(key string, data []byte) {
	s := g.study
	ols := stats.Line{Reason: s.Line.Reason}
	if s.Line.Defined() {
		ols = stats.LeastSquares(g.data.x, g.data.y)
	}
	correlations := map[string]stats.Correlation{
		"pearson": s.Pearson, "spearman": s.Spearman, "pearson_unscaled": s.RawPearson,
		"spearman_unscaled": s.RawSpearman,
	}
	numbers := map[string]struct {
		value  float64
		reason string
	}{
		"huber_intercept": {s.Line.Intercept, s.Line.Reason}, "huber_slope": {s.Line.Slope, s.Line.Reason},
		"huber_scale": {s.Line.Scale, s.Line.Reason}, "ols_intercept": {ols.Intercept, ols.Reason},
		"ols_slope": {ols.Slope, ols.Reason},
	}
	lists := map[string][]float64{
		"intercept_interval": {s.Intercept.Low, s.Intercept.High}, "slope_interval": {s.Slope.Low, s.Slope.High},
		"band_low": s.Low, "band_high": s.High,
	}
	name, isP := strings.CutSuffix(key, "_p")
	c, isCorrelation := correlations[name]
	number, isNumber := numbers[key]
	list, isList := lists[key]
	switch {
	case isCorrelation && isP:
		g.p(key, data, c)
	case isCorrelation:
		g.number(key, data, c.Value, c.Reason, g.tolerance.Correlation)
	case isNumber:
		g.number(key, data, number.value, number.reason, g.tolerance.Huber)
	case isList:
		g.list(key, data, list, g.tolerance.Huber)
	case key == "logit_accuracy":
		g.list(key, data, s.Y, g.tolerance.Correlation)
	case key == "replicates":
		g.replicates(data)
	default:
		g.Errorf("expected key %q is not known", key)
	}
}

// p compares a p-value. For few pairs it is exact, where files may have the t formula of
// spec/ei.md: then that is compared.
func (g goldenStudyCheck) p(key string, data []byte, c stats.Correlation) {
	var want *float64
	testdata.Strict(g, data, &want)
	if c.PBy == stats.Exact && want != nil && math.Abs(c.P-*want) > g.tolerance.Correlation {
		c.P = stats.StudentP(c.Value, c.N)
	}
	g.number(key, data, c.P, c.Reason, g.tolerance.Correlation)
}

func (g goldenStudyCheck) number(key string, data []byte, got float64, reason string, tolerance float64) {
	var want *float64
	testdata.Strict(g, data, &want)
	switch {
	case want == nil && reason == "":
		g.Errorf("%s = %v, want undefined", key, got)
	case want != nil && (reason != "" || !(math.Abs(got-*want) <= tolerance)):
		g.Errorf("%s = %v (%s), want %v", key, got, reason, *want)
	}
}

func (g goldenStudyCheck) list(key string, data []byte, got []float64, tolerance float64) {
	var want []float64
	testdata.Strict(g, data, &want)
	testdata.NearAll(g, key, got, want, tolerance)
}

// replicates are the lines of the resamples; null stands for one that is dropped.
func (g goldenStudyCheck) replicates(data []byte) {
	var want [][]float64
	testdata.Strict(g, data, &want)
	defined := 0
	for b, coefficients := range want {
		line := g.data.through(g.in.Bootstrap[b])
		if line.Defined() != (coefficients != nil) {
			g.Errorf("resample %d: %+v, want %v", b, line, coefficients)
		}
		if coefficients == nil {
			continue
		}
		defined++
		if !(math.Abs(line.Intercept-coefficients[0]) <= g.tolerance.Huber) ||
			!(math.Abs(line.Slope-coefficients[1]) <= g.tolerance.Huber) {
			g.Errorf("resample %d: %+v, want %v", b, line, coefficients)
		}
	}
	if len(want) == len(g.in.Bootstrap) && g.study.Defined != defined {
		g.Errorf("%d resamples gave a line, want %d", g.study.Defined, defined)
	}
}
