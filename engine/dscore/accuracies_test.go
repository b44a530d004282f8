package dscore

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

// What the paper's Tables III, IV and VI give is what its Tables V, VI and VII print, but for
// these cells.
func TestPublishedTables(t *testing.T) {
	read := func(name string) []byte {
		return testdata.Must(os.ReadFile(filepath.Join(testdata.Root(), "docs", "published", name)))(t)
	}
	found := map[string]Score{}
	for _, file := range []string{"dscore-tables-3-4.csv", "dscore-table-6.csv"} {
		for _, d := range testdata.Must(ReadAccuracies(bytes.NewReader(read(file))))(t) {
			found[fmt.Sprint(strings.Contains(file, "6"), d.Model.ID, d.N)] = d.Score
		}
	}
	rows := testdata.Must(csv.NewReader(bytes.NewReader(read("dscore-printed.csv"))).ReadAll())(t)
	var differ []string
	for _, row := range rows[1:] {
		s, there := found[fmt.Sprint(row[0] == "VI", row[1], row[2])]
		if !there {
			t.Errorf("no accuracies for %v", row)
		}
		for k, v := range []float64{s.Robust, s.Fitness, s.DScore, s.Bound, s.P} {
			printed := row[3+k]
			_, digits, _ := strings.Cut(printed, ".")
			if got := strconv.FormatFloat(v, 'f', len(digits), 64); printed != "" && got != printed {
				differ = append(differ, fmt.Sprint(row[1], " ", row[2], " ", rows[0][3+k], " ", printed, " ", got))
			}
		}
	}
	testdata.NoDiff(t, "cells that differ", cmp.Diff([]string{
		"MMA 3 v_fitness 0.9581 0.9590", "MMA 3 d_score 0.6744 0.6753", "MMA 3 g 0.50 0.51",
		"MMB 3 g 0.50 0.51", "MMB 3 p 0.55 0.54",
		"CM 3 v_fitness 0.7813 0.7812", "CM 3 d_score 0.6523 0.6522", "CM 3 g 0.50 0.51", "CM 3 p 0.26 0.25",
		"MMA 4 v_robust 0.2224 0.2225", "MMA 4 p 0.63 0.64",
		"MMB 4 v_robust 0.2202 0.2220", "MMB 4 v_fitness 0.9707 0.9706", "MMB 4 d_score 0.7505 0.7486",
		"MMB 4 p 0.63 0.64", "CM 4 p 0.30 0.31",
		"no augmentation 3 v_fitness 0.7813 0.7812", "no augmentation 3 d_score 0.6523 0.6522",
		"RHF 3 v_robust 0.1221 0.1220", "RVF 3 d_score 0.5878 0.5879", "own method 3 v_robust 0.0865 0.0866",
	}, differ))
}

// regions.csv is read back with the same scores, whatever the order of its rows.
func TestAccuraciesOfOwnTables(t *testing.T) {
	two, three := example(t), example(t)
	three.Model.ID, three.Model.Hash = "=m3", "other"
	three.Accuracies.Classes = 7
	three.Score = testdata.Must(Compute(three.Accuracies))(t)
	want := []Diagnosis{two, three}
	sheet := Regions.Sheet(RegionsOf(want))
	for name, order := range map[string][]int{"in order": {0, 1, 2, 3, 4, 5, 6, 7}, "mixed": {3, 5, 1, 0, 7, 2, 4, 6}} {
		var file bytes.Buffer
		testdata.OK(t, sheet.Take(order).CSV(&file, true))
		got := testdata.Must(ReadAccuracies(&file))(t)
		for k, d := range got {
			w := want[k]
			w.Mask = "" // the table does not say it
			testdata.Is(t, name, [3]string{d.Model.ID, d.ID(), d.SuiteName}, [3]string{w.Model.ID, w.ID(), w.SuiteName})
			testdata.Is(t, name, [2]int{d.N, d.T}, [2]int{w.N, w.T})
			testdata.NoDiff(t, name, cmp.Diff(w.Accuracies, d.Accuracies)+cmp.Diff(w.Score, d.Score))
		}
	}
}

func TestAccuraciesThatAreRefused(t *testing.T) {
	const head = "model_id,n,t,region,baseline_accuracy,classes,variant_accuracy,feature,shifted_accuracy\n"
	row := func(region, variant, feature string) string {
		return "a,2,5," + region + ",90%,2," + variant + "," + feature + ",0.5\n"
	}
	four := head + row("1", ".5", "") + row("2", ".5", "") + row("3", ".5", "") + row("4", ".5", "")
	testdata.OK(t, testdata.Err(ReadAccuracies(strings.NewReader(four))))
	for text, want := range map[string]string{
		"":                                      "the table is empty",
		head:                                    "the table has no row",
		"model_id,n\n":                          "no column t; regions.csv",
		strings.Replace(four, ".5", "50", 1):    `line 2, column variant_accuracy: "50" is no share`,
		strings.Replace(four, "90%", "", 1):     `line 2, column baseline_accuracy: "" is no share`,
		strings.Replace(four, "90%", "91%", 1):  "a, n = 2, t = 5: line 3: baseline_accuracy and classes differ from",
		strings.Replace(four, "a,2", "a,17", 1): `line 2, column n: "17" is no whole number from 1 to 16`,
		head + row("1", "", ""):                 "line 2, column variant_accuracy: it is empty",
		head + row("1", ".5", ""):               "a, n = 2, t = 5: there are 1 regions in place of 4",
		four + row("4", ".5", ""):               "there are 5 regions",
		strings.Replace(four, "5,4", "5,3", 1):  "line 5: region 3 is there twice",
		strings.Replace(four, "90%,2,.5,", "90%,2,,.5", 1): "3 of 4 regions have a variant_accuracy",
		four + "a,2\n": "line 6",
		head + row("1", "", ".05") + row("2", "", ".1") + row("3", "", ".04") +
			row("4", "", ".21"): "sum to 0.4, and as shares they sum to 1",
	} {
		testdata.Refused(t, text, testdata.Err(ReadAccuracies(strings.NewReader(text))), want)
	}
}

// Without f_i, the printed shares of features stand for them, as in the paper's Table VI.
func TestSharesInPlaceOfAccuracies(t *testing.T) {
	text := "model_id,n,t,region,baseline_accuracy,classes,feature,shifted_accuracy\na,1,5,1,0.9,10,100%,0.4\n"
	d := testdata.Must(ReadAccuracies(strings.NewReader(text)))(t)[0]
	if !math.IsNaN(d.Accuracies.Variants[0]) || !slices.Equal(d.Score.Features, []float64{1}) {
		t.Errorf("%+v", d)
	}
	testdata.Near(t, "v_robust", d.Score.Robust, 0.5, 1e-12)
}
