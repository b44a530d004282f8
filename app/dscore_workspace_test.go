package app_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Scores of kept signals need neither models that run nor ONNX Runtime.
func TestDScoreOfKeptSignals(t *testing.T) {
	b := newDScoreBench(t)
	got := b.json("--suite", "pets", "--n", "2", "--samples", "100")
	if len(got.Scores) != 2 || len(got.LeftOut) != 1 || got.LeftOut[0]["model_id"] != "none" ||
		got.LeftOut[0]["code"] != "not_run" {
		t.Fatalf("%+v", got)
	}
	for k, s := range got.Scores {
		if fault := s.fault(); fault != "" {
			t.Errorf("%s: %s: %+v", s.Model, fault, s)
		}
		for i := range 4 {
			if s.Variants[i] != float64(rightMasked[k][i+1])/eiImages || s.Shifted[i] != float64(rightShifted[k][i+1])/eiImages {
				t.Errorf("%s, region %d: %v, %v", s.Model, i+1, s.Variants[i], s.Shifted[i])
			}
		}
	}
	first, second := got.Scores[0], got.Scores[1]
	if first.Baseline != 0.8 || !close4(first.Features, 0, 1./3, 2./3, 0) || !close4(first.Attention, 0.5, 0.25, 0.125, 0.125) {
		t.Errorf("%+v", first)
	}
	if !slices.Equal(second.Flags, []string{"no_region_matters", "no_attention"}) || !close4(second.Features, 0.25, 0.25, 0.25, 0.25) {
		t.Errorf("%+v", second)
	}
}

func close4(got []float64, want ...float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
}

func TestDScoreForPeople(t *testing.T) {
	b := newDScoreBench(t)
	text, _ := b.dscore(0, "--suite", "pets", "--n", "2", "--models", "m1", "--samples", "0")
	for _, want := range []string{
		"m1     pets   2  5 ", " 50.0 % ", "no region matters, no attention", "\nregion  row  column",
		"\n     4    2       2 ",
		"m1 on pets, n = 2, t = 5: no region matters", "m1 on pets, n = 2, t = 5: no attention",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	text, _ = b.dscore(0, "--suite", "pets", "--n", "2")
	if strings.Contains(text, "region  row") || !strings.Contains(text, "m0, m1: no interval: fewer than 500 images") || !strings.Contains(text, "left out: none on pets: ") {
		t.Errorf("%s", text)
	}
}

func TestDScoreFiles(t *testing.T) {
	b := newDScoreBench(t)
	folder := filepath.Join(t.TempDir(), "new")
	got := b.json("--suite", "pets", "--n", "2", "--models", "m0,m1", "--samples", "50", "--out", folder)
	scores, regions := readTable(t, filepath.Join(folder, "scores.csv")), readTable(t, filepath.Join(folder, "regions.csv"))
	if len(scores) != 3 || len(regions) != 9 {
		t.Fatalf("%d scores, %d regions", len(scores)-1, len(regions)-1)
	}
	robust, feature := slices.Index(scores[0], "v_robust"), slices.Index(regions[0], "feature")
	for k, s := range got.Scores {
		if v, err := strconv.ParseFloat(scores[k+1][robust], 64); err != nil || v != s.Robust || scores[k+1][0] != s.Model {
			t.Errorf("%v, want %v", scores[k+1], s.Robust)
		}
		for i, f := range s.Features {
			row := regions[1+4*k+i]
			if v, err := strconv.ParseFloat(row[feature], 64); err != nil || v != f || row[6] != strconv.Itoa(i+1) {
				t.Errorf("%v, want %v", row, f)
			}
		}
		for _, name := range []string{"features", "attention", "difference"} {
			checkPNG(t, filepath.Join(folder, name+"_"+s.Model+"_n2_t5.png"))
		}
		if _, err := os.Stat(filepath.Join(folder, "recipe_"+s.Model+"_n2_t5.json")); err != nil {
			t.Error(err)
		}
	}
}
