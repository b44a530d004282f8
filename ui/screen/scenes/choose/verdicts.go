package choose

import (
	"slices"
	"sync"

	"github.com/variscope/variscope/store"
)

// Verdicts are what a person said about the scenes of a selection. A veto is on a background,
// whatever target it was chosen for: the next choice is made without it. An approval is of one
// scene of one target.
type Verdicts struct {
	Vetoed   []int         `json:"vetoed,omitempty"`   // images of the suite of backgrounds, ascending
	Approved map[int][]int `json:"approved,omitempty"` // by target: images of the suite of backgrounds, ascending
}

// Verdict is what was said about one scene of one target.
type Verdict int

// The verdicts. What is vetoed is not approved, and the other way round.
const (
	Open Verdict = iota
	Approved
	Vetoed
)

// verdictNames are the verdicts in words.
var verdictNames = [...]string{"", "approved", "vetoed"}

// Of is the verdict on a background for a target.
func (v Verdicts) Of(target, image int) Verdict {
	if _, found := slices.BinarySearch(v.Vetoed, image); found {
		return Vetoed
	}
	if _, found := slices.BinarySearch(v.Approved[target], image); found {
		return Approved
	}
	return Open
}

// With are the verdicts after another one; those that it is called on stay as they are.
func (v Verdicts) With(target, image int, verdict Verdict) Verdicts {
	next := Verdicts{Vetoed: set(v.Vetoed, image, verdict == Vetoed), Approved: map[int][]int{}}
	for t, list := range v.Approved {
		next.Approved[t] = list
	}
	vetoed := v.Of(target, image) == Vetoed
	// An approval rests while its scene is vetoed, and counts again after.
	if verdict == Approved || verdict == Open && !vetoed {
		next.Approved[target] = set(v.Approved[target], image, verdict == Approved)
	}
	if len(next.Approved[target]) == 0 {
		delete(next.Approved, target)
	}
	return next
}

// set is a sorted list with a number or without it.
func set(list []int, n int, on bool) []int {
	at, found := slices.BinarySearch(list, n)
	switch {
	case found == on:
		return list
	case on:
		return slices.Insert(slices.Clone(list), at, n)
	}
	return slices.Delete(slices.Clone(list), at, at+1)
}

// Any tells whether anything was said.
func (v Verdicts) Any() bool { return len(v.Vetoed)+len(v.Approved) > 0 }

// settingVerdicts begins the name under which the workspace keeps the verdicts on a selection; its
// hash follows.
const settingVerdicts = "scenes.verdicts."

// writing holds those that change verdicts apart: a change reads what is there first.
var writing sync.Mutex

// recall reads the verdicts on a selection. What another version of the program wrote counts as
// nothing.
func recall(ws *store.Workspace, hash string) (Verdicts, error) {
	var v Verdicts
	if found, err := ws.Setting(settingVerdicts+hash, &v); err != nil && found {
		return Verdicts{}, nil
	} else if err != nil {
		return Verdicts{}, err
	}
	return v, nil
}

// judgement is one verdict to be kept.
type judgement struct {
	selection     string
	target, image int
	verdict       Verdict
}

// keep keeps verdicts in their order.
func keep(ws *store.Workspace, list ...judgement) error {
	writing.Lock()
	defer writing.Unlock()
	for _, j := range list {
		v, err := recall(ws, j.selection)
		if err == nil {
			err = ws.SetSetting(settingVerdicts+j.selection, v.With(j.target, j.image, j.verdict))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hand gives another selection of the same suites the approvals of scenes that it has, too.
func hand(ws *store.Workspace, v Verdicts, to store.SelectionRecord) error {
	writing.Lock()
	defer writing.Unlock()
	next, err := recall(ws, to.Hash)
	if err != nil {
		return err
	}
	for t, list := range v.Approved {
		if t >= len(to.Selection.Chosen) {
			continue
		}
		for _, scene := range to.Selection.Chosen[t] {
			if slices.Contains(list, scene.Background) {
				next = next.With(t, scene.Background, Approved)
			}
		}
	}
	if !next.Any() {
		return nil
	}
	return ws.SetSetting(settingVerdicts+to.Hash, next)
}
