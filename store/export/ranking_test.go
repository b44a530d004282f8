package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/stats"
)

// rankedData are 4 models on 12 images; a is always right, the others less and less often.
func rankedData() rank.Data {
	d := rank.Data{Models: []rank.Model{{ID: "a", Hash: "h"}, {ID: "=b"}, {ID: "c"}, {ID: "d"}}, Samples: 12, Classes: 3}
	for i := range d.Samples {
		right := int32(i % 3)
		d.Truth = append(d.Truth, right)
		for j := range d.Models {
			label := right
			if (i*7+j)%12 < 3*j {
				label = (right + 1 + int32(j%2)) % 3
			}
			d.Labels = append(d.Labels, label)
		}
	}
	d.Given = []rank.Given{
		{Method: rank.EI, Scores: []float64{.5, math.NaN(), .25, .75}, Note: "rot90"},
		{Method: rank.EI, Scores: []float64{.5, .25, .25, .125}, Note: "=grayscale"},
	}
	return d
}

func rankings(t *testing.T) Rankings {
	t.Helper()
	d := rankedData()
	o := rank.BoardOptions{
		Methods: []rank.Method{rank.LaFMethod, rank.Random, rank.CES, rank.EI}, Budget: 4, Repetitions: 3, Seed: 1, TopK: []int{1, 2},
	}
	r := Rankings{
		Source: "pets", Classes: 3, Truth: d.Truth, ClassNames: []string{"cat", "dog", "eel"}, LeftOut: []RankLeftOut{{"z", "no signals"}},
		SampleNames: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "=ten"},
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	r.Board, err = rank.MakeBoard(t.Context(), d, o, engine.NoProgress{})
	must(err)
	r.Curves, err = rank.Curves(t.Context(), d, o, []int{4, 8}, engine.NoProgress{})
	must(err)
	r.Impact, err = rank.Impact(t.Context(), d, o, engine.NoProgress{})
	must(err)
	conditions, err := rank.ConditionsOf(t.Context(), "pets, fog 3", d, o)
	must(err)
	conditions.Corruption, conditions.Severity = "fog", 3
	r.Conditions = []rank.Conditions{conditions}
	r.Shifted = []ShiftedBoard{{Suite: "pets", Board: r.Board}, {Suite: "pets, fog 3", Corruption: "fog", Severity: 3, Board: r.Board}}
	return r
}

// cells reads what a writer writes, by column name.
func cells(t *testing.T, write func(io.Writer) error) []map[string]string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]string
	for _, row := range rows[1:] {
		one := map[string]string{}
		for k, cell := range row {
			one[rows[0][k]] = cell
		}
		list = append(list, one)
	}
	return list
}

func value(t *testing.T, text string) float64 {
	t.Helper()
	if text == "" {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// same are numbers of which both may be NaN.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func TestRankingFiles(t *testing.T) {
	r := rankings(t)
	var names []string
	for _, f := range r.Files() {
		names = append(names, f.Name)
		if err := f.Write(io.Discard); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	want := "ranking.csv ranking.json quality.csv rank_correlation.csv hard_images.csv curves.csv impact.csv conditions.csv shifted.csv"
	if strings.Join(names, " ") != want {
		t.Error(names)
	}
	bare := Rankings{Board: rank.Board{Models: r.Board.Models, Rankings: r.Board.Rankings[2:3]}}
	if files := bare.Files(); len(files) != 2 {
		t.Errorf("%d files of a board without truth, LaF and comparisons", len(files))
	}
	if got := r.Columns(); !slices.Equal(got, []string{"laf", "random", "ces", "ei", "ei-2"}) {
		t.Error(got)
	}
}

func TestRankingCSV(t *testing.T) {
	r := rankings(t)
	rows := cells(t, r.RankingCSV)
	if len(rows) != 4 || rows[1]["model_id"] != "'=b" || rows[0]["model_hash"] != "h" {
		t.Fatal(rows)
	}
	for j, row := range rows {
		if v := value(t, row["accuracy"]); v != r.Board.Truth[j] {
			t.Errorf("accuracy of model %d is %v", j, v)
		}
		for k, name := range r.Columns() {
			one := r.Board.Rankings[k]
			if one.Reason != "" {
				if row[name+"_score"]+row[name+"_rank"]+row[name+"_sd"] != "" {
					t.Errorf("%s has no ranking: %v", name, row)
				}
				continue
			}
			if !same(value(t, row[name+"_score"]), one.Scores[j]) || rankText(one.Rank[j]) != row[name+"_rank"] {
				t.Errorf("model %d, %s: %v", j, name, row)
			}
			if one.SD != nil && !same(value(t, row[name+"_sd"]), one.SD[j]) {
				t.Errorf("model %d, %s: %v", j, name, row)
			}
		}
	}
	if rows[1]["ei_score"] != "" || rows[1]["ei_rank"] != "" || rows[1]["ei-2_rank"] != "2" || rows[0]["ces_rank"] != "" {
		t.Error(rows[1])
	}
	r.Board.Truth = nil
	if rows := cells(t, r.RankingCSV); rows[0]["accuracy"] != "" || rows[0]["laf_rank"] == "" {
		t.Error(rows[0])
	}
}

// endText is an end of an interval as a cell holds it.
func endText(c stats.Correlation, end float64) float64 {
	if !c.HasInterval() {
		return math.NaN()
	}
	return end
}

func checkQuality(t *testing.T, row map[string]string, q rank.Quality) {
	t.Helper()
	for name, want := range map[string]float64{
		"spearman": q.Spearman.Mean, "spearman_sd": q.Spearman.SD, "spearman_p": q.SpearmanP(), "kendall": q.Kendall.Mean,
		"kendall_sd": q.Kendall.SD, "kendall_p": q.KendallP(), "significant": q.Significant, "jaccard_1": q.Jaccard[0].Mean,
		"spearman_low": endText(q.Rho, q.Rho.Low), "kendall_high": endText(q.Tau, q.Tau.High),
		"jaccard_2": q.Jaccard[1].Mean, "jaccard_2_sd": q.Jaccard[1].SD, "repetitions": float64(q.Spearman.Of),
	} {
		if got := value(t, row[name]); !same(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

func TestQualityTables(t *testing.T) {
	r := rankings(t)
	quality := cells(t, r.QualityCSV)
	for k, one := range r.Board.Rankings {
		checkQuality(t, quality[k], one.Quality)
	}
	if quality[0]["models"] != "4" || quality[3]["models"] != strconv.Itoa(r.Board.Rankings[3].Scored()) || quality[2]["reason"] == "" || quality[1]["budget"] != "4" || quality[4]["note"] != "'=grayscale" {
		t.Error(quality)
	}
	curves := cells(t, r.CurvesCSV)
	at := 0
	for _, c := range r.Curves {
		for k, labels := range c.Budgets {
			checkQuality(t, curves[at], c.Quality[k])
			if curves[at]["method"] != string(c.Method) || curves[at]["budget"] != strconv.Itoa(labels) {
				t.Error(curves[at])
			}
			at++
		}
	}
	if at != len(curves) {
		t.Errorf("%d of %d rows", at, len(curves))
	}
	for k, row := range cells(t, r.ImpactCSV) {
		checkQuality(t, row, r.Impact[k].Quality)
		if value(t, row["share"]) != r.Impact[k].Share || row["factor"] != string(r.Impact[k].Factor) {
			t.Error(row)
		}
	}
	row := cells(t, r.ConditionsCSV)[0]
	checkQuality(t, row, r.Conditions[0].Quality)
	if row["suite"] != "pets, fog 3" || row["corruption"] != "fog" || row["severity"] != "3" || value(t, row["highest"]) != r.Conditions[0].Highest {
		t.Error(row)
	}
	shifted := cells(t, r.ShiftedCSV)
	if len(shifted) != 10 || shifted[0]["severity"] != "" || shifted[9]["method"] != "ei-2" || shifted[5]["corruption"] != "fog" {
		t.Error(shifted)
	}
	checkQuality(t, shifted[6], r.Board.Rankings[1].Quality)
}

func TestCorrelationCSV(t *testing.T) {
	r := rankings(t)
	rows := cells(t, r.CorrelationCSV)
	names := []string{"truth", "laf", "random", "ei", "ei-2"}
	if len(rows) != 4*len(names)*len(names) {
		t.Fatalf("%d rows", len(rows))
	}
	for k, row := range rows {
		cell := k % 25
		if row["first"] != names[cell/5] || row["second"] != names[cell%5] {
			t.Fatal(row)
		}
		matrix := [][][]float64{r.Board.Spearman, r.Board.Kendall, r.Board.Jaccard[0], r.Board.Jaccard[1]}[k/25]
		if row["measure"] != []string{"spearman", "kendall", "jaccard_1", "jaccard_2"}[k/25] || !same(value(t, row["value"]), matrix[cell/5][cell%5]) {
			t.Error(row)
		}
	}
}

func TestHardImages(t *testing.T) {
	r := rankings(t)
	list := r.HardImages(0)
	l := r.Board.LaF
	if len(list) != len(l.Kept) || len(r.HardImages(2)) != 2 {
		t.Fatal(len(list))
	}
	for k, h := range list {
		at := slices.Index(l.Kept, h.Image)
		if *h.Difficulty != -l.Easiness[at] || h.Agreement != l.PriorEasiness[at] || *h.Sure != l.Sure[at] {
			t.Errorf("%+v", h)
		}
		if k > 0 && *list[k-1].Difficulty < *h.Difficulty {
			t.Errorf("image %d is harder than the one before", h.Image)
		}
		if h.True != r.ClassNames[h.Image%3] || h.Majority != r.ClassNames[l.Pseudo[at]] || h.Image == 11 != (h.Name == "") {
			t.Errorf("%+v", h)
		}
	}
	for k, row := range cells(t, r.HardImagesCSV) {
		if row["image"] != strconv.Itoa(list[k].Image) || value(t, row["difficulty"]) != *list[k].Difficulty || row["name"] != comma.Guard(list[k].Name) {
			t.Error(row)
		}
	}
	r.Board.LaF.Easiness, r.Board.LaF.Labels, r.ClassNames, r.Truth = nil, nil, nil, nil
	for k, h := range r.HardImages(0) {
		if h.Difficulty != nil || h.Sure != nil || h.True != "" || len(h.Majority) != 1 {
			t.Errorf("%+v", h)
		}
		if k > 0 && r.HardImages(0)[k-1].Agreement > h.Agreement {
			t.Error("the least agreement comes first")
		}
	}
	r.Board.LaF = nil
	if r.HardImages(0) != nil {
		t.Error("there are hard images without LaF")
	}
}

func TestRankingJSON(t *testing.T) {
	r := rankings(t)
	r.Board.LaF.QFirst = math.Inf(-1)
	var out bytes.Buffer
	if err := r.JSON(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Source   string
		Models   []struct{ Accuracy *float64 }
		Rankings []struct {
			Name    string
			Reason  string
			Scores  []*float64
			Rank    []int
			Quality *struct {
				Spearman struct{ Mean *float64 }
				Jaccard  map[string]struct{ Mean *float64 }
			}
		}
		LaF struct {
			Kept   int
			QFirst *float64 `json:"q_first"`
		}
		Correlation struct {
			Names    []string
			Spearman [][]*float64
		}
		Curves, Impact, Conditions, HardImages []any
		Shifted                                []struct{ Corruption string }
		LeftOut                                []RankLeftOut `json:"left_out"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Source != "pets" || len(got.Models) != 4 || *got.Models[0].Accuracy != 1 || len(got.Rankings) != 5 || got.LaF.QFirst != nil {
		t.Errorf("%+v", got)
	}
	ces, ei := got.Rankings[2], got.Rankings[3]
	if ces.Reason == "" || len(ces.Scores) != 0 || ces.Quality != nil || ei.Scores[1] != nil || *ei.Scores[3] != .75 || ei.Rank[1] != 0 {
		t.Errorf("%+v %+v", ces, ei)
	}
	if q := got.Rankings[0].Quality; q == nil || *q.Spearman.Mean != r.Board.Rankings[0].Quality.Spearman.Mean || len(q.Jaccard) != 2 {
		t.Errorf("%+v", q)
	}
	if len(got.Correlation.Names) != 5 || *got.Correlation.Spearman[1][1] != 1 || len(got.Impact) != 10 || got.Shifted[1].Corruption != "fog" {
		t.Errorf("%+v", got.Correlation)
	}
	if len(got.LeftOut) != 1 || got.LeftOut[0].Reason != "no signals" {
		t.Error(got.LeftOut)
	}
}
