package feature

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestDefaultLayouts(t *testing.T) {
	for _, c := range []struct {
		layout     Layout
		background bool
		width      int
		names      map[int]string
	}{
		{DefaultLayout(), false, 80, map[int]string{
			0: "max@CONF.svm", 15: "max@CONF.asymm", 16: "max@CONV-1.svm", 32: "mean@CONV-1.svm",
			48: "max@CONV-2.svm", 64: "mean@CONV-2.svm", 79: "mean@CONV-2.asymm",
		}},
		{DefaultBackgroundLayout(), true, 42, map[int]string{
			0: "max@CONF.I1.mean", 3: "max@CONF.I1.error_rate", 6: "max@CONF.I1.continuity",
			7: "max@CONF.I2.mean", 21: "max@HEAD.I1.mean", 41: "max@HEAD.I3.continuity",
		}},
	} {
		l, names := c.layout, c.layout.Names()
		if checked, err := l.Validate(); err != nil || !reflect.DeepEqual(checked, l) {
			t.Errorf("the default layout is not valid, or not canonical: %+v, %v", checked, err)
		}
		if l.Width() != c.width || len(names) != c.width || l.OfBackground() != c.background {
			t.Fatalf("%d columns, %d names", l.Width(), len(names))
		}
		for at, want := range c.names {
			testdata.Is(t, fmt.Sprintf("column %d", at), names[at], want)
		}
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"max@CONF.svm":               "max@CONF svm",
		"CONF.max.svm":               "max@CONF svm",
		"CONV-1/mean_max.dctny":      "mean_max@CONV-1 dctny",
		"L2@/block.1/Conv_out.asymm": "L2@/block.1/Conv_out asymm",
		"Linf@CONF.hg_mean":          "Linf@CONF hg_mean",
		"max@CONF":                   `"max@CONF" is no feature of a matrix; write MODALITY.FEATURE`,
		"max@CONF.":                  `no feature ""`,
		".svm":                       "is no modality",
		"max@.svm":                   "names no position",
		"max@CONF.dctny_scale_free":  `no feature "dctny_scale_free"`,
		"":                           "is no feature of a matrix",
		"average@CONF.svm":           `column "average@CONF.svm"`,
	} {
		modality, f, err := Split(text)
		got := modality + " " + f.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, text := range append(DefaultLayout().Names(), "CONF.max.svm", "L2@a.b.c.mean", "..svm", "@.svm", "Linf@.x") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		modality, feature, err := Split(text)
		if err != nil {
			return
		}
		again, sameFeature, err := Split(modality + "." + feature.String())
		if err != nil || again != modality || sameFeature != feature {
			t.Errorf("%q is %s and %s, which is read as %s and %s: %v",
				text, modality, feature, again, sameFeature, err)
		}
	})
}

func TestValidateLayout(t *testing.T) {
	good := DefaultLayout()
	with := func(change func(*Layout)) Layout {
		l := good
		l.Modalities = slices.Clone(good.Modalities)
		change(&l)
		return l
	}
	for name, c := range map[string]struct {
		layout Layout
		want   string
	}{
		"no matrix": {with(func(l *Layout) { l.Modalities = nil }), "at least one matrix"},
		"unknown kind": {
			with(func(l *Layout) { l.Modalities[1] = "median@CONF" }), "matrix 2 of the feature vector: modality",
		},
		"twice":           {with(func(l *Layout) { l.Modalities[4] = "CONF/max" }), "max@CONF is twice"},
		"profile":         {with(func(l *Layout) { l.Profile = "code" }), `no profile "code"`},
		"negative tau":    {with(func(l *Layout) { l.Tau = -0.1 }), "threshold -0.1"},
		"no share":        {with(func(l *Layout) { l.Share = 0 }), "share 0 of the images"},
		"share above one": {with(func(l *Layout) { l.Share = 1.1 }), "share 1.1"},
		"NaN share":       {with(func(l *Layout) { l.Share = math.NaN() }), "share NaN"},
	} {
		testdata.Refused(t, name, testdata.Err(c.layout.Validate()), c.want)
	}
	asked := Layout{Modalities: []string{"CONF.max", " L2@CONV-1 "}, Share: 0.5}
	got, err := asked.Validate()
	if err != nil || !slices.Equal(got.Modalities, []string{"max@CONF", "L2@CONV-1"}) || got.Profile != Paper ||
		got.Tau != DefaultTau {
		t.Errorf("%+v, %v", got, err)
	}
	testdata.Is(t, "the layout that was asked for has changed", asked.Modalities[0], "CONF.max")
}

func TestLayoutJSON(t *testing.T) {
	text, err := json.Marshal(DefaultLayout())
	want := `{"modalities":["max@CONF","max@CONV-1","mean@CONV-1","max@CONV-2","mean@CONV-2"],"profile":"paper","tau":0.15,"share":0.9,"seed":1}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}

// slowNearest is the definition: z-scores, distances, one row after the other taken out of the
// rest.
func slowNearest(x [][]float64, row, k int) []Neighbour {
	z := make([][]float64, len(x))
	used := 0
	for c := range x[0] {
		_, std := numbers(func(add func(float64)) {
			for r := range x {
				add(x[r][c])
			}
		})
		if std < 1e-12 {
			continue
		}
		used++
		for r := range x {
			z[r] = append(z[r], x[r][c]/std)
		}
	}
	var all []Neighbour
	for r := range x {
		d := 0.0
		for c := range z[r] {
			d += (z[r][c] - z[row][c]) * (z[r][c] - z[row][c]) / float64(used)
		}
		all = append(all, Neighbour{r, math.Sqrt(d)})
	}
	all = slices.Delete(all, row, row+1)
	slices.SortStableFunc(all, func(a, b Neighbour) int {
		if math.Abs(a.Distance-b.Distance) < 1e-9 {
			return a.Row - b.Row
		}
		return int(math.Copysign(1, a.Distance-b.Distance))
	})
	return all[:min(k, len(all))]
}

func TestNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, columns := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "columns")
		x := make([][]float64, rows)
		for r := range x {
			for c := range columns {
				x[r] = append(x[r], 100*float64(c)+float64(rapid.IntRange(0, 2+c).Draw(t, "value")))
			}
		}
		row, k := rapid.IntRange(0, rows-1).Draw(t, "row"), rapid.IntRange(0, 10).Draw(t, "k")
		got, want := Nearest(x, row, k), slowNearest(x, row, k)
		if len(got) != len(want) {
			t.Fatalf("%v, want %v", got, want)
		}
		for i := range got {
			if got[i].Row == row || math.Abs(got[i].Distance-want[i].Distance) > 1e-9 {
				t.Fatalf("%v, want %v", got, want)
			}
		}
	})
}

func TestNearestEdges(t *testing.T) {
	for _, c := range []struct {
		name   string
		x      [][]float64
		row, k int
		want   []Neighbour
	}{
		{"alone", [][]float64{{1, 2}}, 0, 3, []Neighbour{}},
		{"no columns vary", [][]float64{{0.1, 7}, {0.1, 7}, {0.1, 7}}, 1, 5, []Neighbour{{0, 0}, {2, 0}}},
		{
			"lower row first",
			[][]float64{{0}, {1}, {-1}, {1}},
			0, 2,
			[]Neighbour{{1, 2 / math.Sqrt(2.75)}, {2, 2 / math.Sqrt(2.75)}},
		},
		{"constant column does not count", [][]float64{{0, 5}, {2, 5}}, 0, 1, []Neighbour{{1, 2}}},
		{"largest numbers", [][]float64{{-math.MaxFloat64}, {math.MaxFloat64}}, 0, 1, []Neighbour{{1, 2}}},
		{"smallest numbers", [][]float64{{1e-300}, {3e-300}}, 1, 1, []Neighbour{{0, 2}}},
		{"none asked for", [][]float64{{0}, {1}}, 0, 0, []Neighbour{}},
		{"fewer than none", [][]float64{{0}, {1}}, 0, -1, []Neighbour{}},
	} {
		got := Nearest(c.x, c.row, c.k)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			continue
		}
		for i, n := range got {
			if n.Row != c.want[i].Row || math.Abs(n.Distance-c.want[i].Distance) > 1e-12 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}
}

func BenchmarkNearest600x80(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	x := make([][]float64, 600)
	for r := range x {
		for range 80 {
			x[r] = append(x[r], random.NormFloat64())
		}
	}
	for b.Loop() {
		Nearest(x, 17, 5)
	}
}
