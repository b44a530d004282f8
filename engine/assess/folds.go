package assess

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Scheme says how a repository is cut into training and test models.
type Scheme struct {
	Kind        SchemeKind `json:"kind"`
	Folds       int        `json:"folds"`       // of stratified k-fold, 0 for 3
	Repetitions int        `json:"repetitions"` // 0 for 10, at most 1000; leave-one-group-out has 1
	Seed        uint64     `json:"seed"`
}

// SchemeKind names a scheme.
type SchemeKind string

// The schemes: the paper's hold-out fold plus two random halves (without hold-out models it is
// stratified 3-fold, and the note says so), stratified k-fold, leave-one-group-out.
const (
	PaperScheme   SchemeKind = "paper"
	KFold         SchemeKind = "kfold"
	LeaveGroupOut SchemeKind = "group"
)

// The defaults of a scheme.
const (
	defaultFolds       = 3
	defaultRepetitions = 10
)

// mostRepetitions bounds what an evaluation keeps in memory: a prediction per repetition and model,
// 18 MB for 150 models.
const mostRepetitions = 1000

// NoGroup names the fold of the models without a group.
const NoGroup = "no group"

// filled puts the defaults into a scheme and refuses what is no scheme.
func (s Scheme) filled() (Scheme, error) {
	if s.Kind != PaperScheme && s.Kind != KFold && s.Kind != LeaveGroupOut {
		return s, fmt.Errorf("scheme %q is not known; use paper, kfold or group", s.Kind)
	}
	if s.Folds == 0 || s.Kind == PaperScheme {
		s.Folds = defaultFolds
	}
	s.Repetitions = cmp.Or(s.Repetitions, defaultRepetitions)
	if s.Folds < 2 {
		return s, fmt.Errorf("%d folds; cross-validation needs 2 or more", s.Folds)
	}
	if err := checkRepetitions(s.Repetitions); err != nil {
		return s, err
	}
	if s.Kind == LeaveGroupOut {
		s.Repetitions = 1
	}
	return s, nil
}

func checkRepetitions(n int) error {
	if n < 0 || n > mostRepetitions {
		return fmt.Errorf("%d repetitions; use 0 for %d, or 1 to %d", n, defaultRepetitions, mostRepetitions)
	}
	return nil
}

// Fold is one cut: rows of the data, ascending.
type Fold struct {
	Name        string // "hold-out", "half 1", "fold 2", the group's name
	Train, Test []int
}

// holdOutFold is the fold of the paper's scheme whose tested models are the same in every
// repetition.
const holdOutFold = "hold-out"

// Folds cuts the labelled rows, one list per repetition. The note says what the scheme did
// otherwise than asked, "" for nothing. Errors: fewer models than folds, one class only, one group
// only, a fold that would train on one class; they say what to do.
//
// The paper's three folds test the hold-out models, then one random half of the others (the larger
// one for an odd number), then the other half; each is tested by what was learned from the other
// two. Repetition r draws from (Seed, r).
func (d Data) Folds(s Scheme) (repetitions [][]Fold, note string, err error) {
	if s, err = s.filled(); err != nil {
		return nil, "", err
	}
	rows := d.Labelled()
	y, err := d.truths(rows)
	if err != nil {
		return nil, "", err
	}
	if err := d.checkSeveral(y); err != nil {
		return nil, "", err
	}
	cut, note, err := d.cutter(s, rows)
	if err != nil {
		return nil, "", err
	}
	for r := range s.Repetitions {
		folds := cut(rand.New(rand.NewPCG(s.Seed, uint64(r))))
		if err := d.checkFolds(folds); err != nil {
			return nil, "", err
		}
		repetitions = append(repetitions, folds)
	}
	return repetitions, note, nil
}

// cutter is how a scheme cuts the labelled rows once.
func (d Data) cutter(s Scheme, rows []int) (cut func(*rand.Rand) []Fold, note string, err error) {
	switch s.Kind {
	case LeaveGroupOut:
		folds, err := d.groups(rows)
		return func(*rand.Rand) []Fold { return folds }, "", err
	case PaperScheme:
		regular, held := d.parted(rows)
		if len(held) > 0 {
			if len(regular) < 2 {
				return nil, "", fmt.Errorf("%d of the labelled models are not held out; "+
					"scheme paper halves them and needs 2 or more", len(regular))
			}
			return func(draw *rand.Rand) []Fold { return halves(regular, held, draw) }, "", nil
		}
		note = "no hold-out models: plain stratified 3-fold"
	}
	if len(rows) < s.Folds {
		return nil, "", fmt.Errorf("%d labelled models are fewer than the %d folds; "+
			"label more models or take fewer folds", len(rows), s.Folds)
	}
	return func(draw *rand.Rand) []Fold { return d.stratified(rows, s.Folds, draw) }, note, nil
}

// parted are the rows that are not held out and those that are.
func (d Data) parted(rows []int) (regular, held []int) {
	for _, i := range rows {
		if d.Rows[i].Holdout {
			held = append(held, i)
		} else {
			regular = append(regular, i)
		}
	}
	return regular, held
}

// halves is one repetition of the paper's protocol. Rows ascend, so that the first fold trains on
// the same data in the same order in every repetition.
func halves(regular, held []int, draw *rand.Rand) []Fold {
	shuffled := slices.Clone(regular)
	draw.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	a, b := ascending(shuffled[:len(shuffled)/2]), ascending(shuffled[len(shuffled)/2:])
	return []Fold{
		{Name: holdOutFold, Train: ascending(regular), Test: ascending(held)},
		{Name: "half 1", Train: ascending(a, held), Test: b},
		{Name: "half 2", Train: ascending(b, held), Test: a},
	}
}

func ascending(lists ...[]int) []int {
	return slices.Sorted(slices.Values(slices.Concat(lists...)))
}

// stratified deals each class's shuffled rows to the folds in turn and goes on where the class
// before ended, so that both the classes and the sizes of the folds differ by one at most.
func (d Data) stratified(rows []int, folds int, draw *rand.Rand) []Fold {
	tests := make([][]int, folds)
	next := 0
	for _, class := range d.Classes {
		var own []int
		for _, i := range rows {
			if d.Rows[i].Label == class {
				own = append(own, i)
			}
		}
		draw.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
		for _, i := range own {
			tests[next%folds] = append(tests[next%folds], i)
			next++
		}
	}
	list := make([]Fold, folds)
	for k, test := range tests {
		list[k] = Fold{Name: "fold " + strconv.Itoa(k+1), Train: without(rows, test), Test: ascending(test)}
	}
	return list
}

// without are the rows that are not among those left out, ascending.
func without(rows, out []int) []int {
	left := make(map[int]bool, len(out))
	for _, i := range out {
		left[i] = true
	}
	var kept []int
	for _, i := range rows {
		if !left[i] {
			kept = append(kept, i)
		}
	}
	slices.Sort(kept)
	return kept
}

// groups has one fold per group, in the order in which groups appear.
func (d Data) groups(rows []int) ([]Fold, error) {
	var folds []Fold
	place := map[string]int{}
	for _, i := range rows {
		name := d.Rows[i].Group
		name = cmp.Or(name, NoGroup)
		k, known := place[name]
		if !known {
			k = len(folds)
			place[name] = k
			folds = append(folds, Fold{Name: name})
		}
		folds[k].Test = append(folds[k].Test, i)
	}
	if len(folds) < 2 {
		return nil, fmt.Errorf("all labelled models are of one group (%s); "+
			"choose a column with several values", folds[0].Name)
	}
	for k := range folds {
		folds[k].Train = without(rows, folds[k].Test)
	}
	return folds, nil
}

// checkFolds refuses folds that nothing can be learned from.
func (d Data) checkFolds(folds []Fold) error {
	for _, f := range folds {
		y, err := d.truths(f.Train)
		if err == nil {
			err = d.checkSeveral(y)
		}
		if err != nil {
			return fmt.Errorf("without the models of %s, %w; label more models or cut them otherwise", f.Name, err)
		}
	}
	return nil
}
