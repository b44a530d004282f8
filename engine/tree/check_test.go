package tree

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

// five is a tree of five nodes that is valid for two columns.
func five() *Tree {
	return &Tree{
		Classes: 2, Left: []int{1, -1, 3, -1, -1}, Right: []int{2, -1, 4, -1, -1}, Feature: []int{1, -1, 0, -1, -1},
		Threshold: []float64{0.5, 0, -2, 0, 0}, Impurity: []float64{0.5, 0, 0.375, 0, 0},
		Cover: []float64{6, 2, 4, 1, 3}, Counts: [][]float64{{3, 3}, {2, 0}, {1, 3}, {1, 0}, {0, 3}},
	}
}

func TestValidateTree(t *testing.T) {
	testdata.OK(t, five().Validate(2))
	tests := []struct {
		want   string
		change func(t *Tree)
	}{
		{"1 classes", func(t *Tree) { t.Classes = 1 }},
		{"no nodes", func(t *Tree) { t.Left = nil }},
		{`"right" has 4`, func(t *Tree) { t.Right = t.Right[:4] }},
		{`"feature" has 4`, func(t *Tree) { t.Feature = t.Feature[:4] }},
		{`"threshold" has 4`, func(t *Tree) { t.Threshold = t.Threshold[:4] }},
		{`"impurity" has 0`, func(t *Tree) { t.Impurity = nil }},
		{`"cover" has 6`, func(t *Tree) { t.Cover = append(t.Cover, 1) }},
		{`"counts" has 1`, func(t *Tree) { t.Counts = t.Counts[:1] }},
		{"node 3: 1 counts", func(t *Tree) { t.Counts[3] = []float64{1} }},
		{"node 1: count -1", func(t *Tree) { t.Counts[1] = []float64{3, -1} }},
		{"node 1: count NaN", func(t *Tree) { t.Counts[1] = []float64{3, math.NaN()} }},
		{"node 4: cover 3.1", func(t *Tree) { t.Cover[4] = 3.1 }},
		{"node 4: cover 0", func(t *Tree) { t.Cover[4], t.Counts[4] = 0, []float64{0, 0} }},
		{"node 4: cover +Inf", func(t *Tree) { t.Cover[4], t.Counts[4] = math.Inf(1), []float64{math.Inf(1), 0} }},
		{"node 2: impurity 1.5", func(t *Tree) { t.Impurity[2] = 1.5 }},
		{"node 2: impurity NaN", func(t *Tree) { t.Impurity[2] = math.NaN() }},
		{"node 1: a leaf with a split", func(t *Tree) { t.Feature[1] = 0 }},
		{"node 1: a leaf with a split", func(t *Tree) { t.Threshold[1] = 3 }},
		{"node 1: children -1 and 2", func(t *Tree) { t.Right[1] = 2 }},
		{"node 1: children -2 and -2", func(t *Tree) { t.Left[1], t.Right[1] = -2, -2 }},
		{"node 2: children 0 and 4", func(t *Tree) { t.Left[2] = 0 }},
		{"node 2: children 2 and 4", func(t *Tree) { t.Left[2] = 2 }},
		{"node 2: children 3 and 5", func(t *Tree) { t.Right[2] = 5 }},
		{"node 0: feature 2", func(t *Tree) { t.Feature[0] = 2 }},
		{"node 0: feature -1", func(t *Tree) { t.Feature[0] = -1 }},
		{"node 0: threshold NaN", func(t *Tree) { t.Threshold[0] = math.NaN() }},
		{"node 0: threshold +Inf", func(t *Tree) { t.Threshold[0] = math.Inf(1) }},
		{"node 0: cover 6, its children have 2 and 3", func(t *Tree) { t.Right[0] = 4 }},
		{"node 3 is a child of 2 nodes", func(t *Tree) { t.Right[2], t.Cover[3], t.Counts[3] = 3, 2, []float64{2, 0} }},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			broken := five()
			test.change(broken)
			testdata.Refused(t, "error", broken.Validate(2), test.want)
		})
	}
	testdata.Refused(t, "no tree is valid", (*Tree)(nil).Validate(2))
}

func TestValidateForestAndBoost(t *testing.T) {
	stump := mustGrow(t, made(30, 2, 2, 1), nil, Options{MaxDepth: 1})
	broken := five()
	broken.Cover[0] = 1
	boost := func(change func(b *Boost)) *Boost {
		b := &Boost{
			Algorithm: SAMME, Stumps: []*Tree{stump, five()}, Weights: []float64{1.5, 0.5}, Errors: []float64{0.2, 0.4},
		}
		change(b)
		return b
	}
	testdata.OK(t, boost(func(*Boost) {}).Validate(2, 2))
	tests := []struct {
		want string
		got  error
	}{
		{"no trees", (*Forest)(nil).Validate(2, 2)},
		{"no trees", (&Forest{}).Validate(2, 2)},
		{"forest: tree 1: node 0: cover 1", (&Forest{Trees: []*Tree{five(), broken}}).Validate(2, 2)},
		{"forest: tree 0: there is none", (&Forest{Trees: []*Tree{nil}}).Validate(2, 2)},
		{"forest: tree 0 has 2 classes, not 3", (&Forest{Trees: []*Tree{five()}}).Validate(2, 3)},
		{"forest: tree 0: node 0: feature 1", (&Forest{Trees: []*Tree{five()}}).Validate(1, 2)},
		{"no stumps", (*Boost)(nil).Validate(2, 2)},
		{"no stumps", boost(func(b *Boost) { b.Stumps = nil }).Validate(2, 2)},
		{`no algorithm "x"`, boost(func(b *Boost) { b.Algorithm = "x" }).Validate(2, 2)},
		{"1 weights and 2 errors for 2", boost(func(b *Boost) { b.Weights = b.Weights[:1] }).Validate(2, 2)},
		{"2 weights and 1 errors for 2", boost(func(b *Boost) { b.Errors = b.Errors[:1] }).Validate(2, 2)},
		{"stump 1 has weight 0", boost(func(b *Boost) { b.Weights[1] = 0 }).Validate(2, 2)},
		{"stump 1 has weight +Inf", boost(func(b *Boost) { b.Weights[1] = math.Inf(1) }).Validate(2, 2)},
		{"stump 0 has weight 1.5", boost(func(b *Boost) { b.Algorithm = SAMMER }).Validate(2, 2)},
		{"stump 0 has error NaN", boost(func(b *Boost) { b.Errors[0] = math.NaN() }).Validate(2, 2)},
		{"stump 0 has error 2", boost(func(b *Boost) { b.Errors[0] = 2 }).Validate(2, 2)},
		{"boosting: stump 1: node 0: cover 1", boost(func(b *Boost) { b.Stumps[1] = broken }).Validate(2, 2)},
	}
	for _, test := range tests {
		testdata.Refused(t, "error", test.got, test.want)
	}
}

// TestTreesSurviveJSON writes and reads what was grown; not a bit may change.
func TestTreesSurviveJSON(t *testing.T) {
	s := made(60, 5, 3, 2)
	f, b := mustForest(t, s, ForestOptions{Trees: 4}), mustBoost(t, s, BoostOptions{Rounds: 6})
	var forest Forest
	var boost Boost
	for into, from := range map[any]any{&forest: f, &boost: b} {
		data := testdata.Must(json.Marshal(from))(t)
		testdata.OK(t, json.Unmarshal(data, into))
		testdata.NoDiff(t, "difference", cmp.Diff(from, into))
	}
}

// FuzzTree reads any JSON as a tree: what Validate lets pass can be used.
func FuzzTree(f *testing.F) {
	for _, t := range []*Tree{five(), mustGrow(f, made(20, 2, 3, 1), nil, Options{})} {
		data := testdata.Must(json.Marshal(t))(f)
		f.Add(data)
	}
	f.Add([]byte(`{"classes":2,"left":[1,-1],"right":[1,-1],"feature":[0,-1],"threshold":[0,0],"impurity":[0,0],"cover":[2,1],"counts":[[1,1],[1,0]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var read Tree
		if json.Unmarshal(data, &read) != nil || read.Validate(2) != nil {
			return
		}
		x := []float64{0.25, -1}
		sum := 0.0
		for _, share := range read.Shares(x) {
			sum += share
		}
		testdata.Near(t, "shares sum to", sum, 1, 1e-6)
		phi := make([]float64, 2)
		base := read.Explain(x, func(leaf int) float64 { return read.share(leaf, 0) }, phi)
		sums(t, "values", base, phi, read.Shares(x)[0])
		read.Depth()
	})
}
