package models

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
)

func row(id string, fields ...string) Row {
	r := Row{Model: model.Model{Hash: "hash-" + id, ID: id}, State: NoSignals, Accuracy: math.NaN(), Robust: math.NaN()}
	for i := 0; i+1 < len(fields); i += 2 {
		r.Model.Record = append(r.Model.Record, model.Field{Name: fields[i], Value: fields[i+1]})
	}
	return r
}

func shown(v *View) []string {
	var ids []string
	for i := range v.Len() {
		r, _ := v.At(i)
		ids = append(ids, r.Model.ID)
	}
	return ids
}

func zoo() *View {
	v := NewView()
	v.SetRows([]Row{
		row("10", "architecture", "VGG4", "learning_rate", "0.001"),
		row("2", "architecture", "VGG4-BN", "learning_rate", "0.03", "anomaly", "leak"),
		row("t103", "architecture", "CNN5"),
		row("1", "architecture", "CNN5", "learning_rate", "1e-4"),
	})
	return v
}

func TestOrderIsNatural(t *testing.T) {
	v := zoo()
	if got := shown(v); !slices.Equal(got, []string{"1", "2", "10", "t103"}) {
		t.Errorf("by id: %v", got)
	}
	v.SortBy("learning_rate")
	if got := shown(v); !slices.Equal(got, []string{"1", "10", "2", "t103"}) {
		t.Errorf("by learning rate: %v", got)
	}
	v.SortBy("learning_rate")
	if got := shown(v); !slices.Equal(got, []string{"2", "10", "1", "t103"}) {
		t.Errorf("turned round, the empty one stays last: %v", got)
	}
	v.SortBy(keyThumbs)
	if key, _ := v.Order(); key != "learning_rate" {
		t.Error("matrices have no order")
	}
}

func TestFilterLooksInIdAndRecord(t *testing.T) {
	for _, c := range []struct {
		filter string
		want   []string
	}{
		{"", []string{"1", "2", "10", "t103"}},
		{"vgg4", []string{"2", "10"}},
		{"  VGG4   leak ", []string{"2"}},
		{"architecture=cnn", []string{"1", "t103"}},
		{"id=t", []string{"t103"}},
		{"state=ready", nil},
	} {
		v := zoo()
		v.SetFilter(c.filter)
		if got := shown(v); !slices.Equal(got, c.want) {
			t.Errorf("filter %q shows %v, not %v", c.filter, got, c.want)
		}
	}
}

func TestColumnsKeepUnknownOnes(t *testing.T) {
	v := zoo()
	var keys []string
	for _, c := range v.Columns() {
		keys = append(keys, c.Key)
	}
	for _, want := range []string{"learning_rate", "anomaly", keyFile} {
		if !slices.Contains(keys, want) {
			t.Errorf("column %s is missing from %v", want, keys)
		}
	}
	if n := slices.Index(keys, "architecture"); n != slices.IndexFunc(keys, func(k string) bool { return k == "architecture" }) || slices.Contains(keys[n+1:], "architecture") {
		t.Errorf("architecture twice in %v", keys)
	}
}

func TestChecksAndSelectionSurviveARefresh(t *testing.T) {
	v := zoo()
	v.Select("hash-2")
	if got := v.Chosen(); !slices.Equal(got, []string{"hash-2"}) {
		t.Errorf("without checks the selected one is chosen: %v", got)
	}
	v.SetFilter("cnn5")
	v.CheckShown(true)
	if !v.AllShownChecked() || v.Caption() != "2 of 4 models, 2 checked" {
		t.Errorf("caption %q", v.Caption())
	}
	v.SetRows([]Row{row("1", "architecture", "CNN5"), row("2")})
	if got := v.Chosen(); !slices.Equal(got, []string{"hash-1"}) {
		t.Errorf("chosen after t103 went: %v", got)
	}
	if r, ok := v.Selected(); !ok || r.Model.ID != "2" {
		t.Error("the selection was lost")
	}
	v.SetRows([]Row{row("1")})
	if _, ok := v.Selected(); ok {
		t.Error("a model that is gone is still selected")
	}
}

func TestCheckRangeIsClipped(t *testing.T) {
	v := zoo()
	v.CheckRange(9, 2)
	if got := v.Chosen(); !slices.Equal(got, []string{"hash-10", "hash-t103"}) {
		t.Errorf("checked %v", got)
	}
}

func TestOverlayKeepsTheOrder(t *testing.T) {
	v := zoo()
	v.SortBy(keyState)
	before := shown(v)
	changed := v.Overlay(func(r Row) Row {
		if r.Model.ID == "10" {
			r.State, r.Share = Running, 0.5
		}
		return r
	})
	if !slices.Equal(before, shown(v)) {
		t.Error("rows jumped")
	}
	if r, _ := v.At(changed[0]); len(changed) != 1 || r.StateText() != "running 50 %" {
		t.Errorf("changed %v", changed)
	}
	v.SetFilter("state=running")
	if got := shown(v); !slices.Equal(got, []string{"10"}) {
		t.Errorf("filter by a state that came later: %v", got)
	}
}

func TestDetailNamesReasonAndAbsence(t *testing.T) {
	r := row("7")
	r.State, r.Reason, r.Absent = Failed, "out of memory", []string{"CONV-2"}
	if got := r.Detail(); got != "7: failed — out of memory — absent: CONV-2" {
		t.Error(got)
	}
	if State(99).String() != "unknown" {
		t.Error("a state without a word")
	}
}

func TestCellTexts(t *testing.T) {
	r := row("7", "parameters", "16118")
	r.Accuracy, r.Robust = 0.96625, 0.89875
	r.Model.Graph = model.Graph{Opset: 13, Input: model.Input{Channels: 3, Height: 64}, Outputs: []model.Output{{Classes: 9}}, Parameters: 5}
	for key, want := range map[string]string{
		keyAccuracy: "0.9663", keyRobust: "0.8988", keyInput: "3×64×?", keyClasses: "9", keyParameters: "16118", keyOpset: "13",
	} {
		if got := r.Text(key); got != want {
			t.Errorf("%s is %q, not %q", key, got, want)
		}
	}
	if got := row("8").Text(keyAccuracy); got != "" {
		t.Errorf("no accuracy is %q", got)
	}
}

// A model that is no better than chance has a badge, its figures in the line below, and can be filtered for.
func TestModelAtChance(t *testing.T) {
	v := NewView()
	failed, fine := row("1"), row("2")
	failed.State, failed.Accuracy, fine.Accuracy = Ready, 0.1125, 0.9
	failed.Chance = chance.Counts{Labelled: 400, Correct: 45, Classes: 10, Largest: 40, Top: 400, TopLabels: 40}.Level()
	fine.Chance = chance.Counts{Labelled: 400, Correct: 360, Classes: 10, Largest: 40, Top: 41, TopLabels: 40}.Level()
	v.SetRows([]Row{failed, fine})
	if failed.Text(keyChance) != "not above chance" || fine.Text(keyChance) != "" {
		t.Errorf("badges %q and %q", failed.Text(keyChance), fine.Text(keyChance))
	}
	if got := failed.Detail(); got != "1: ready — accuracy 11.3 % of 400 images is not above chance (10 %): dark matrices do not mean invariance" {
		t.Errorf("%q", got)
	}
	if got := tileLine(failed); got != "not above chance · acc. 0.1125" || strings.Contains(tileLine(fine), "chance") {
		t.Errorf("%q, %q", got, tileLine(fine))
	}
	if !strings.Contains(failed.search(), "chance=not above chance") || strings.Contains(fine.search(), "chance") {
		t.Errorf("%q", failed.search())
	}
}
