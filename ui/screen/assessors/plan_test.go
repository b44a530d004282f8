package assessors

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/store/training"
)

func TestDraftAsInThePaper(t *testing.T) {
	d := newDraft()
	d.Column = "rule_label"
	d.Holdout = " fold = holdout "
	p, err := d.Plan()
	if err != nil {
		t.Fatal(err)
	}
	want := training.Labels{Column: "rule_label", Borderline: training.Leave, HoldoutColumn: "fold", HoldoutValue: "holdout"}
	if p.Labels != want || p.Scheme != (assess.Scheme{Kind: assess.PaperScheme, Repetitions: 10, Seed: 1}) || p.Tune {
		t.Errorf("%+v", p)
	}
	if !slices.Equal(p.Layout.Modalities, feature.DefaultLayout().Modalities) || len(p.AllSettings(p.Layout)) != len(assess.Algorithms()) {
		t.Errorf("%+v", p)
	}
	if s := p.Settings(assess.AdaBoost, p.Layout); s != (assess.Settings{Algorithm: assess.AdaBoost, Seed: 1, Boosting: tree.SAMMER}) {
		t.Errorf("%+v", s)
	}
}

func TestDraftReadsItsFields(t *testing.T) {
	d := newDraft()
	d.Round, d.Scheme, d.Group, d.Holdout = "r", assess.LeaveGroupOut, "architecture", "nonsense that this scheme does not read"
	d.Matrices, d.Seed, d.MaxDepth, d.MinLeaf, d.Trees, d.Columns = "CONF/max; mean@CONV-1 max@CONF", "7", "3", "2", "50", "4"
	d.Rounds, d.LearningRate, d.ZScores, d.Score, d.Profile = "20", "0.5", true, assess.ConsistencyMean, feature.Refcode
	p, err := d.Plan()
	if err != nil {
		t.Fatal(err)
	}
	want := []assess.Settings{
		{Algorithm: assess.DecisionTree, Seed: 7, MaxDepth: 3, MinLeaf: 2},
		{Algorithm: assess.RandomForest, Seed: 7, MaxDepth: 3, MinLeaf: 2, Trees: 50, Columns: 4},
		{Algorithm: assess.AdaBoost, Seed: 7, MaxDepth: 3, Boosting: tree.SAMMER, Rounds: 20, LearningRate: 0.5},
		{Algorithm: assess.Regression, Seed: 7, ZScores: true},
		{Algorithm: assess.Baseline, Seed: 7, Score: assess.ConsistencyMean},
	}
	if !slices.Equal(p.AllSettings(p.Layout), want) || p.Labels.Group != "architecture" || p.Labels.HoldoutColumn != "" {
		t.Errorf("%+v", p)
	}
	if !slices.Equal(p.Layout.Modalities, []string{"max@CONF", "mean@CONV-1"}) || p.Layout.Profile != feature.Refcode {
		t.Errorf("%+v", p.Layout)
	}
	text, err := json.Marshal(d)
	var back Draft
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || !reflect.DeepEqual(back, d) {
		t.Errorf("remembered as %+v: %v", back, err)
	}
}

func TestDraftRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(*Draft)
	}{
		{"no labels", "where the labels come from", func(d *Draft) { d.Column = "" }},
		{"no assessor", "at least one assessor", func(d *Draft) { d.Algorithms = nil }},
		{"half a hold-out", "Holdout takes", func(d *Draft) { d.Holdout = "fold" }},
		{"hold-out of nothing", "Holdout takes", func(d *Draft) { d.Holdout = "=x" }},
		{"hold-out without value", "Holdout takes", func(d *Draft) { d.Holdout = "fold=" }},
		{"no group", "groups are left out", func(d *Draft) { d.Scheme = assess.LeaveGroupOut }},
		{"no matrix", "at least one matrix", func(d *Draft) { d.Matrices = " , " }},
		{"no such matrix", "most@CONF", func(d *Draft) { d.Matrices = "most@CONF" }},
		{"one fold", "Folds of 2", func(d *Draft) { d.Scheme, d.Folds = assess.KFold, "1" }},
		{"words for repetitions", "Repetitions takes", func(d *Draft) { d.Repetitions = "ten" }},
		{"too many trees", "Trees takes", func(d *Draft) { d.Trees = "9999999" }},
		{"negative depth", "Largest depth takes", func(d *Draft) { d.MaxDepth = "-1" }},
		{"no seed", "Seed takes", func(d *Draft) { d.Seed = "" }},
		{"negative seed", "Seed takes", func(d *Draft) { d.Seed = "-1" }},
		{"negative rate", "Learning rate takes", func(d *Draft) { d.LearningRate = "-1" }},
		{"rate no number", "Learning rate takes", func(d *Draft) { d.LearningRate = "NaN" }},
		{"infinite rate", "Learning rate takes", func(d *Draft) { d.LearningRate = "Inf" }},
	} {
		d := newDraft()
		d.Column = "rule_label"
		c.change(&d)
		if _, err := d.Plan(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// record makes a model with a training record.
func record(pairs ...string) model.Model {
	var m model.Model
	for k := 0; k+1 < len(pairs); k += 2 {
		m.Record = append(m.Record, model.Field{Name: pairs[k], Value: pairs[k+1]})
	}
	return m
}

func TestOfferKnowsTheColumns(t *testing.T) {
	var o Offer
	o.read([]model.Model{
		record("rule_label", "0", "fold", "regular", "kind", "a", "size", "1", "verdict", "variant"),
		record("rule_label", "1", "fold", "holdout", "kind", "b", "size", "2", "verdict", ""),
		record("rule_label", "1", "fold", "regular", "kind", "a", "size", "3", "verdict", "invariant"),
		record("rule_label", "", "fold", "regular", "kind", "b", "size", "4", "same", "1"),
	})
	if !slices.Equal(o.Labels, []string{"rule_label", "verdict"}) || !slices.Equal(o.Groups, []string{"fold", "kind"}) ||
		o.Holdout != "fold=holdout" || o.Models != 4 {
		t.Errorf("%+v", o)
	}
	o.Rounds = []label.Round{{ID: "01AAAAAA", Name: "first"}, {ID: "01BBBBBB", Name: "first"}}
	if got := strings.Join(o.sources(), "|"); got != "round first|round first (BBBBBB)|column rule_label|column verdict" {
		t.Error(got)
	}
	for k := range o.sources() {
		var d Draft
		o.take(&d, k)
		if o.source(d) != k {
			t.Errorf("source %d is found at %d", k, o.source(d))
		}
	}
	if d := o.begin(newDraft()); d.Column != "rule_label" || d.Holdout != "fold=holdout" {
		t.Errorf("begins with %+v", d)
	}
	kept := newDraft()
	kept.Round = "01BBBBBB"
	if d := o.begin(kept); d.Round != "01BBBBBB" || d.Holdout != "" {
		t.Errorf("a remembered draft becomes %+v", d)
	}
	gone := newDraft()
	gone.Round = "gone"
	if d := (Offer{}).begin(gone); d.Round != "" || d.Column != "" {
		t.Errorf("without labels it begins with %+v", d)
	}
}
