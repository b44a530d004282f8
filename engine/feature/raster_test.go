package feature

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// slowRaster is the table of spec/features.md read on a raster, formula by formula: row b is y,
// column a is x.
func slowRaster(m, reduced scatter.Matrix, tau float64) map[string]float64 {
	n := m.R - 1
	f := func(i, j int) float64 { return m.At(j, i) }
	v := map[string]float64{}
	lower := func(visit func(i, j int)) {
		for i := range m.R {
			for j := range i {
				visit(i, j)
			}
		}
	}
	mean, _ := numbers(func(add func(float64)) { lower(func(i, j int) { add(f(i, j)) }) })
	half, _ := numbers(func(add func(float64)) {
		for _, e := range m.Values {
			add(e * e / 2)
		}
	})
	v["svm"] = half
	v["asv"], _ = numbers(func(add func(float64)) {
		lower(func(i, j int) {
			if f(i, j) > tau {
				add(1)
			} else {
				add(0)
			}
		})
	})
	v["ssty"], _ = numbers(func(add func(float64)) {
		lower(func(i, j int) { add(math.Pow(f(i, j)-reduced.At(j, i), 2)) })
	})
	// One gradient: its lines, and how one line is walked.
	gradient := func(name, lines string, first, last int, walk func(line int, add func(float64))) float64 {
		mean, std := numbers(func(add func(float64)) {
			for line := first; line <= last; line++ {
				walk(line, add)
			}
		})
		v[name+"_mean"], v[name+"_std"] = mean, std
		if lines != "" {
			v[lines], _ = numbers(func(add func(float64)) {
				for line := first; line <= last; line++ {
					_, std := numbers(func(add func(float64)) { walk(line, add) })
					add(std)
				}
			})
		}
		return mean / std
	}
	ratios := gradient("hg", "hg_rstd", 1, n, func(i int, add func(float64)) {
		for j := 1; j <= i; j++ {
			add(f(i, j-1) - f(i, j))
		}
	})
	ratios += gradient("vg", "vg_cstd", 0, n-1, func(j int, add func(float64)) {
		for i := j; i <= n-1; i++ {
			add(f(i+1, j) - f(i, j))
		}
	})
	ratios += gradient("dg", "", 1, n-1, func(i int, add func(float64)) {
		for j := 1; j <= i; j++ {
			add(f(i+1, j-1) - f(i, j))
		}
	})
	v["g_overall"] = ratios / 3
	for r := 1; r <= n-1; r++ {
		_, std := numbers(func(add func(float64)) {
			for j := 0; j <= n-r; j++ {
				add(f(j+r, j))
			}
		})
		v["dctny"] += std * std * float64(n-r+1) / mean
	}
	return v
}

// madeRaster is a symmetric raster that grows with both distances.
func madeRaster(side int, random *rand.Rand) scatter.Matrix {
	m := scatter.Matrix{R: side, Values: make([]float64, side*side)}
	for b := range side {
		for a := range b + 1 {
			v := 0.3*random.Float64() + 0.2*float64(a+b)/float64(side) + 0.1*float64(b-a)/float64(side)
			m.Values[b*side+a], m.Values[a*side+b] = v, v
		}
	}
	return m
}

// layoutOf has one matrix of a side, measured by a set.
func layoutOf(side int, set Set) Layout {
	l := DefaultBackgroundLayout()
	l.Modalities, l.Background.Interpolants = []string{"max@CONF"}, []string{"I2"}
	l.Background.Raster, l.Background.Set = side, set
	return l
}

func TestRastersEqualTheFormulas(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 7))
		side := 4 + random.IntN(20)
		m, reduced := madeRaster(side, random), madeRaster(side, random)
		want := slowRaster(m, reduced, 0.15)
		seven := testdata.Must(scatter.Measure(m, scatter.DefaultThreshold))(t)
		for f, v := range seven {
			want[scatter.Feature(f).String()] = v
		}
		for _, set := range Sets() {
			l := layoutOf(side, set)
			v := testdata.Must(l.Rasters([]scatter.Matrix{m}, []scatter.Matrix{reduced}))(t)
			for c, name := range l.Names() {
				short := strings.TrimPrefix(name, "max@CONF.I2.")
				if math.Abs(v.Values[c]-want[short]) > 1e-10*(1+math.Abs(want[short])) {
					t.Errorf("seed %d, set %s: %s is %v, want %v", seed, set, name, v.Values[c], want[short])
				}
			}
			if len(v.Flags) != 0 || !reflect.DeepEqual(v.Matrices,
				map[string]variance.Matrix{"max@CONF.I2": {N: side, Data: m.Values}}) {
				t.Errorf("seed %d: flags %v, matrices %v", seed, v.Flags, v.Matrices)
			}
		}
	}
}

func TestRastersOfNothingAndOfOneValue(t *testing.T) {
	for value, flags := range map[float64][]Flag{
		0:   {NoReducedMatrix, HGRatioUndefined, VGRatioUndefined, DGRatioUndefined, MeanZero},
		0.4: {NoReducedMatrix, HGRatioUndefined, VGRatioUndefined, DGRatioUndefined},
	} {
		l := layoutOf(5, AllSet)
		v, err := l.Rasters([]scatter.Matrix{{R: 5, Values: slices.Repeat([]float64{value}, 25)}}, nil)
		if err != nil || !slices.Equal(v.Flags["max@CONF.I2"], flags) {
			t.Fatalf("all %v: flags %v, %v", value, v.Flags, err)
		}
		for c, name := range l.Names() {
			if math.IsNaN(v.Values[c]) || math.IsInf(v.Values[c], 0) || strings.Contains(name, "g_") &&
				v.Values[c] != 0 {
				t.Errorf("all %v: %s is %v", value, name, v.Values[c])
			}
		}
	}
}

func TestRastersRefuse(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	good := madeRaster(5, random)
	changed := func(at int, v float64) scatter.Matrix {
		m := scatter.Matrix{R: 5, Values: slices.Clone(good.Values)}
		m.Values[at] = v
		return m
	}
	nan := math.NaN()
	empty := changed(3, nan)
	empty.Values[24] = nan
	for want, m := range map[string]scatter.Matrix{
		"max@CONF.I2: the interpolated matrix has 4 elements along a side": madeRaster(4, random),
		"2 of the 25 elements of the interpolated matrix have no value":    empty,
		"row 1, column 2 of the interpolated matrix: -0.5 is negative":     changed(7, -0.5),
		"+Inf is not a finite number":                                      changed(7, math.Inf(1)),
		"the interpolated matrix is not symmetric":                         changed(7, 9),
		"24 in all": {R: 5, Values: good.Values[:24]},
	} {
		for _, set := range Sets() {
			testdata.Refused(t, fmt.Sprintf("set %s", set),
				testdata.Err(layoutOf(5, set).Rasters([]scatter.Matrix{m}, nil)), want)
		}
		testdata.Refused(t, "a sub-sample",
			testdata.Err(layoutOf(5, AllSet).Rasters([]scatter.Matrix{good}, []scatter.Matrix{m})), "the sub-sample: ")
	}
	testdata.Refused(t, "no matrices", testdata.Err(layoutOf(5, AllSet).Rasters(nil, nil)), "0 interpolated matrices")
	if _, err := layoutOf(5, AllSet).Rasters([]scatter.Matrix{good}, []scatter.Matrix{}); err == nil {
		t.Error("a sub-sample without matrices was taken")
	}
}
