package saved

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// ofScenes is a file with an assessor of interpolated matrices.
func ofScenes(t *testing.T, s assess.Settings) (File, assess.Data) {
	t.Helper()
	layout := feature.DefaultBackgroundLayout()
	d := assess.Data{Layout: layout, Names: layout.Names(), Classes: label.Values(3)}
	random := rand.New(rand.NewPCG(4, 4))
	for i := range 30 {
		r := assess.Row{ID: fmt.Sprint("s", i), Hash: fmt.Sprintf("%064x", i), Label: d.Classes[i%3]}
		for range d.Names {
			r.X = append(r.X, random.Float64()+0.4*float64(i%3))
		}
		r.Scores.CorrectProduct = 1 - 0.3*float64(i%3) - 0.2*random.Float64()
		d.Rows = append(d.Rows, r)
	}
	f := trained(t, d, s)
	f.Family, f.Layout = "scenes:"+fmt.Sprintf("%064x", 5)+":32", layout
	f.Labels.Counts = map[string]int{"invariant": 10, "borderline": 10, "variant": 10}
	return f, d
}

func TestScenesSurviveAFile(t *testing.T) {
	for _, s := range settings() {
		f, d := ofScenes(t, s)
		survives(t, f, d)
	}
}

// Programs before interpolated matrices read all that they can: assessors of variance matrices are
// written as they always were.
func TestFormsOfFiles(t *testing.T) {
	f, _ := ofScenes(t, settings()[0])
	if data := encoded(t, f); !bytes.Contains(data, []byte(`"format": 2,`)) ||
		!bytes.Contains(data, []byte(`"background"`)) {
		t.Errorf("interpolated matrices are written as %.60s", data)
	}
	data := encoded(t, trained(t, madeUp(20, 2, 1), settings()[0]))
	if !bytes.Contains(data, []byte(`"format": 1,`)) || bytes.Contains(data, []byte(`"background"`)) {
		t.Errorf("variance matrices are written as %.60s", data)
	}
	got, err := Decode("old", data)
	if err != nil || got.Layout.OfBackground() || got.Unknown() == "" || got.From(assess.Data{}).Seen != nil {
		t.Errorf("an old file: %v", err)
	}
	d := madeUp(20, 2, 1)
	got, err = Decode("new", encoded(t, keeping(got, d)))
	if err != nil || got.format() != 3 || got.Unknown() != "" {
		t.Fatalf("a new file: %v", err)
	}
	if far := got.From(d).Seen.Distance(assess.Row{X: slices.Repeat([]float64{9}, len(d.Names))}); !far.Outside ||
		len(far.Beyond) != 32 {
		t.Errorf("%+v", far)
	}
}

func TestValidateScenesRefuses(t *testing.T) {
	for want, change := range map[string]func(*File){
		"has no testing scenes, and interpolated": func(f *File) { f.Family = "rot90" },
		"its family: transformation set":          func(f *File) { f.Family = "scenes:12:3" },
		"the assessor has 42 columns":             func(f *File) { f.Layout.Background.Interpolants = []string{"I1"} },
		"its matrices max@CONF.16,5,32": func(f *File) {
			f.Layout.Background.Interpolants = []string{"16,5,32", "I2", "I3"}
		},
		"are not written as (I1 I2 I3 raster 64": func(f *File) { f.Layout.Background.Raster = 0 },
		"is no signal of interpolated matrices": func(f *File) {
			f.Layout.Modalities = []string{"max@CONF", "max@CONV-1"}
		},
		"42 columns and its choice of features 32": func(f *File) { f.Layout.Background = feature.Background{} },
	} {
		f, _ := ofScenes(t, settings()[0])
		change(&f)
		testdata.Refused(t, "it", f.Validate(), want)
	}
	f := trained(t, madeUp(20, 2, 1), settings()[0])
	f.Family = fmt.Sprintf("scenes:%064x:32", 5)
	testdata.ErrorIs(t, "variance matrices of scenes", f.Validate(), transform.ErrSet)
}

func TestScenesFit(t *testing.T) {
	f, _ := ofScenes(t, settings()[0])
	plain := trained(t, madeUp(20, 2, 1), settings()[0])
	other := fmt.Sprintf("scenes:%064x:50", 6)
	raster, set, threshold, seed := f.Layout, f.Layout, f.Layout, f.Layout
	raster.Background.Raster, set.Background.Set, threshold.Background.Threshold = 32, feature.AllSet, 0.2
	seed.Seed = 9 // nothing of the features is drawn
	testdata.OK(t, errors.Join(f.Fits(f.Family, f.Layout), f.Fits(other, f.Layout), f.Fits(other, seed)))
	for _, test := range []struct {
		file   File
		family string
		layout feature.Layout
		want   string
	}{
		{f, plain.Family, plain.Layout, "judges interpolated matrices of testing scenes; these are variance matrices"},
		{f, plain.Family, f.Layout, "rotation:-15:15:1;interpolation=bilinear;border=zero has no testing scenes"},
		{plain, f.Family, f.Layout, "first judges variance matrices of a family; these are interpolated matrices"},
		{plain, f.Family, plain.Layout, "assessor first judges variance matrices of a family; these are interpolated"},
		{f, other, f.Layout.Only("I2"), "needs the matrix max@CONF.I1: it was trained on max@CONF.I1, max@CONF.I2"},
		{f, other, raster, "with a raster of 64; these have 32"},
		{f, other, set, "with the set of measurements scene; these have all"},
		{f, other, threshold, "with a threshold of error_rate of 0.15; these have 0.2"},
	} {
		testdata.Refused(t, test.want, test.file.Fits(test.family, test.layout), test.want)
	}
}
