package feature

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/internal/testdata"
)

func TestOneInterpolant(t *testing.T) {
	one := DefaultBackgroundLayout().Only("I2")
	testdata.Equal(t, "matrices", one.Matrices(), []string{"max@CONF.I2", "max@HEAD.I2"})
	testdata.Equal(t, "interpolants", one.Interpolants(), []scatter.Interpolant{{Size: 32, Sigma: 2, K: 32}})
}

func TestSetsOfMeasurements(t *testing.T) {
	l := DefaultBackgroundLayout()
	for set, want := range map[Set]string{
		SceneSet: "mean std max error_rate corner grad continuity",
		SixteenSet: "svm mean std asv ssty hg_mean hg_std hg_rstd vg_mean vg_std vg_cstd dg_mean dg_std " +
			"g_overall dctny",
		AllSet: "mean std max error_rate corner grad continuity svm asv ssty hg_mean hg_std hg_rstd vg_mean vg_std " +
			"vg_cstd dg_mean dg_std g_overall dctny",
	} {
		l.Background.Set = set
		testdata.Is(t, fmt.Sprintf("set %s", set), strings.Join(l.Measurements(), " "), want)
		if l.NeedsReduced() != (set != SceneSet) || l.Width() != 6*len(strings.Fields(want)) ||
			len(l.Names()) != l.Width() {
			t.Errorf("set %s: %d columns", set, l.Width())
		}
	}
	if !DefaultLayout().NeedsReduced() || len(DefaultLayout().Measurements()) != Count {
		t.Error("variance matrices have other measurements than sixteen")
	}
}

func TestSplitBackground(t *testing.T) {
	for text, want := range map[string]string{
		"max@CONF.I1.mean":          "max@CONF.I1 mean",
		"mean@HEAD.I3.error_rate":   "mean@HEAD.I3 error_rate",
		"true@CONF.32,2,32.corner":  "true@CONF.I2 corner",
		"max@HEAD.16,2.5,0.hg_mean": "max@HEAD.16,2.5,0 hg_mean",
		"max@CONF.I1.asymm":         `"asymm" is none of mean, std, max`,
		"max@CONF.I4.mean":          "interpolant",
		"max@CONF.mean":             "names no measurement",
		"max@CONF.svm":              "names no measurement",
		"max@CONV-1.I1.mean":        "its modality is none of max@CONF, max@HEAD, true@CONF, mean@HEAD",
		"mean@CONF.I1.mean":         "its modality is none of",
		"":                          "its modality is none of",
	} {
		matrix, measurement, err := SplitBackground(text)
		got := matrix + " " + measurement
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || err == nil && got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for name, want := range map[string]string{
		"max@CONF.svm": "max@CONF", "max@CONF.I1.mean": "max@CONF.I1",
		"L2@a.b.svm": "L2@a.b", "age": "",
	} {
		if got, ok := MatrixOf(name); got != want || ok != (want != "") {
			t.Errorf("%s is of matrix %q, %v", name, got, ok)
		}
	}
}

func FuzzSplitBackground(f *testing.F) {
	for _, text := range append(DefaultBackgroundLayout().Names(), "max@CONF.16,2.5,0.mean", "max@CONF..mean",
		"max@HEAD.I1.", "max@CONF.1e3,1,1.std") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		matrix, measurement, err := SplitBackground(text)
		if err != nil {
			return
		}
		again, same, err := SplitBackground(matrix + "." + measurement)
		if err != nil || again != matrix || same != measurement {
			t.Errorf("%q is %s and %s, which is read as %s and %s: %v", text, matrix, measurement, again, same, err)
		}
	})
}

func TestValidateBackgroundLayout(t *testing.T) {
	with := func(change func(*Layout)) Layout {
		l := DefaultBackgroundLayout()
		change(&l)
		return l
	}
	for want, l := range map[string]Layout{
		"at least one matrix":                   with(func(l *Layout) { l.Modalities = nil }),
		"std@CONF is no signal of interpolated": with(func(l *Layout) { l.Modalities = []string{"std@CONF"} }),
		"max@CONV-1 is no signal":               with(func(l *Layout) { l.Modalities = []string{"max@CONV-1"} }),
		"max@HEAD is twice": with(func(l *Layout) {
			l.Modalities = []string{"max@HEAD", "HEAD.max"}
		}),
		"names no interpolant": with(func(l *Layout) { l.Background.Interpolants = nil }),
		"interpolant": with(func(l *Layout) {
			l.Background.Interpolants = []string{"I9"}
		}),
		"interpolant I2 is twice": with(func(l *Layout) {
			l.Background.Interpolants = []string{"I2", "32,2,32"}
		}),
		"a raster of 3 elements along a side": with(func(l *Layout) { l.Background.Raster = 3 }),
		"a raster of 513 elements":            with(func(l *Layout) { l.Background.Raster = 513 }),
		`no set of measurements "many"`:       with(func(l *Layout) { l.Background.Set = "many" }),
		"threshold -1 of error_rate":          with(func(l *Layout) { l.Background.Threshold = -1 }),
		"the formulas of the published code":  with(func(l *Layout) { l.Profile = Refcode }),
		"share 2 of the images":               with(func(l *Layout) { l.Share = 2 }),
		"true@CONF":                           {Modalities: []string{"true@CONF"}, Share: 1},
		"matrix 1 of the feature vector: modality ": {
			Modalities: []string{"sum@CONF"}, Share: 1, Background: Background{Raster: 8},
		},
	} {
		testdata.Refused(t, "it", testdata.Err(l.Validate()), want)
	}
	asked := Layout{
		Modalities: []string{"true@CONF", "HEAD.max"}, Share: 0.5,
		Background: Background{Interpolants: []string{"16,4,0", "16,5,32"}},
	}
	got, err := asked.Validate()
	want := Layout{
		Modalities: []string{"true@CONF", "max@HEAD"}, Profile: Paper, Tau: DefaultTau, Share: 0.5,
		Background: Background{Interpolants: []string{"16,4,0", "I1"}, Raster: 64, Set: SceneSet, Threshold: 0.15},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	testdata.Is(t, "the layout that was asked for has changed", asked.Background.Interpolants[1], "16,5,32")
}

func TestBackgroundLayoutJSON(t *testing.T) {
	want := `{"modalities":["max@CONF","max@HEAD"],"profile":"paper","tau":0.15,"share":0.9,"seed":1,` +
		`"background":{"interpolants":["I1","I2","I3"],"raster":64,"set":"scene","threshold":0.15}}`
	text, err := json.Marshal(DefaultBackgroundLayout())
	if err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
	var again Layout
	if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, DefaultBackgroundLayout()) {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestArrange(t *testing.T) {
	for _, l := range []Layout{DefaultLayout(), DefaultBackgroundLayout()} {
		names := l.Names()
		slices.Reverse(names)
		got, err := Arrange(names, nil)
		if err != nil || !reflect.DeepEqual(got, l) {
			t.Errorf("%+v, %v; want %+v", got, err, l)
		}
	}
	known := DefaultBackgroundLayout()
	known.Background.Raster, known.Background.Set = 32, AllSet
	got, err := Arrange([]string{"max@HEAD.I3.svm", "max@HEAD.16,4,0.mean"}, &known)
	if err != nil || got.Background.Raster != 32 || got.Background.Set != SixteenSet ||
		!slices.Equal(got.Matrices(), []string{"max@HEAD.I3", "max@HEAD.16,4,0"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = Arrange([]string{"max@HEAD.I3.svm", "max@HEAD.I3.corner"}, nil); err != nil ||
		got.Background.Set != AllSet {
		t.Errorf("%+v, %v", got, err)
	}
	for want, names := range map[string][]string{
		"beside those of interpolated matrices": {"max@CONF.svm", "max@CONF.I1.mean"},
		"is no feature of a matrix":             {"age"},
		"no feature \"mean_of\"":                {"max@CONF.mean_of"},
	} {
		testdata.Refused(t, fmt.Sprintf("%v", names), testdata.Err(Arrange(names, nil)), want)
	}
}
