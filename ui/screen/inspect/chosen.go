package inspect

import (
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// place is one row of the chooser of modalities: a position of the model.
type place struct {
	Name   string
	Reason string // why nothing can be chosen here, or what has to be done first; "" for nothing
	Absent bool   // the model does not have it
}

// places are the positions to choose from: the usual ones, those with signals, and those that are
// chosen already.
func places(m model.Model, computed []signal.Position, chosen []string) []place {
	names := []string{model.CONF, model.Conv1, model.Conv2, model.Head}
	for _, p := range computed {
		names = append(names, p.Name)
	}
	for _, name := range chosen {
		if modality, err := signal.ParseModality(name); err == nil {
			names = append(names, modality.Position)
		}
	}
	var list []place
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			continue
		}
		p := place{Name: name}
		if !slices.ContainsFunc(computed, func(c signal.Position) bool { return c.Name == name }) {
			p.Reason = "not computed yet"
			if _, there := m.Graph.Tensor(name, m.Correction.Positions); !there {
				p.Absent, p.Reason = true, store.AbsentReason(m, name)
			}
		}
		list = append(list, p)
	}
	return list
}

// reducerNames are those of the scalar modalities, in the engine's order.
func reducerNames() []string {
	names := make([]string, signal.Reducers)
	for r := range signal.Reducer(signal.Reducers) {
		names[r] = r.String()
	}
	return names
}

// arranged puts chosen modalities into the order of matrices: the default ones first, the others
// by position and reducer as in the chooser, vector modalities last. Unknown texts and repetitions
// are left out; nothing is the default five.
func arranged(chosen []string, places []place) []string {
	var all []string
	all = append(all, evidence.DefaultModalities()...)
	for _, p := range places {
		for _, r := range reducerNames() {
			all = append(all, r+"@"+p.Name)
		}
	}
	var list []string
	for _, name := range append(all, chosen...) {
		if _, err := signal.ParseModality(name); err == nil && slices.Contains(chosen, name) &&
			!slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return evidence.DefaultModalities()
	}
	return list
}

// shownWith adds the matrices of a position: maximum and mean, or for CONF the maximum alone as in
// the paper.
func shownWith(chosen []string, position string) []string {
	reducers := []signal.Reducer{signal.Max, signal.Mean}
	if position == model.CONF {
		reducers = reducers[:1]
	}
	list := slices.Clone(chosen)
	for _, r := range reducers {
		if name := (signal.Modality{Position: position, Reducer: r}).String(); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}
