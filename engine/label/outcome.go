package label

import (
	"cmp"
	"slices"
)

// Missing is the rating of an item that an annotator has not labelled; it equals agreement.Missing.
const Missing = -1

// Ratings are the current labels as class numbers, len(r.Annotators) x len(r.Models) in those
// orders, Missing where there is none. Labels of people to whom the model is not assigned, and of
// other rounds, do not count.
func Ratings(r Round, events []Event) [][]int {
	current, asked := Current(ofRound(r, events)), r.Asked()
	ratings := make([][]int, len(r.Annotators))
	for a, annotator := range r.Annotators {
		ratings[a] = make([]int, len(r.Models))
		for i, model := range r.Models {
			ratings[a][i] = Missing
			if class, ok := current[Key{model, annotator}].Value.Index(r.Classes); ok && asked(annotator, model) {
				ratings[a][i] = class
			}
		}
	}
	return ratings
}

func ofRound(r Round, events []Event) []Event {
	list := make([]Event, 0, len(events))
	for _, ev := range events {
		if ev.Round == r.ID {
			list = append(list, ev)
		}
	}
	return list
}

// Basis says what a training label rests on, or why there is none.
type Basis string

// The bases of a Decision. The last three have no label, so the item is left out of training.
const (
	Adjudicated Basis = "adjudicated"
	Majority    Basis = "majority" // more than half of the labels
	// two or more labels lead together and ties were asked to count as borderline
	TieBorderline Basis = "tie"
	Tie           Basis = "left out: tie"  // two or more labels lead together
	NoMajority    Basis = "left out: half" // one label leads, with half of the labels or fewer
	Unlabelled    Basis = "left out: none" // nobody has labelled the item
)

// Decision is the training label of one item.
type Decision struct {
	Model string
	Value Value // empty when the item is left out
	By    Basis
}

// Training decides every item of the round, in the order of r.Models: the newest adjudicated label,
// else the strict majority of the current labels (more than half of them), else none. With
// tiesBorderline, and three classes, an item whose leading labels tie becomes borderline (DESIGN.md
// section 6).
func Training(r Round, events []Event, tiesBorderline bool) []Decision {
	finals, ratings := Finals(r, events), Ratings(r, events)
	decisions := make([]Decision, len(r.Models))
	for i, model := range r.Models {
		d := Decision{Model: model}
		if ev, ok := finals[model]; ok {
			d.Value, d.By = ev.Value, Adjudicated
		} else {
			d.Value, d.By = decide(votes(ratings, i, r.Classes), tiesBorderline)
		}
		decisions[i] = d
	}
	return decisions
}

// Adjudications are the decisions of Training that were adjudicated.
func Adjudications(r Round, events []Event) []Decision {
	return slices.DeleteFunc(Training(r, events, false), func(d Decision) bool { return d.By != Adjudicated })
}

// votes counts item i's ratings per class.
func votes(ratings [][]int, i, classes int) []int {
	counts := make([]int, classes)
	for _, row := range ratings {
		if row[i] != Missing {
			counts[row[i]]++
		}
	}
	return counts
}

func decide(counts []int, tiesBorderline bool) (Value, Basis) {
	total, top, leaders := 0, 0, 0
	for class, n := range counts {
		total += n
		switch {
		case n > counts[top] || n > 0 && leaders == 0:
			top, leaders = class, 1
		case n > 0 && n == counts[top]:
			leaders++
		}
	}
	switch {
	case total == 0:
		return "", Unlabelled
	case leaders > 1 && tiesBorderline && len(counts) == 3:
		return Borderline, TieBorderline
	case leaders > 1:
		return "", Tie
	case 2*counts[top] <= total:
		return "", NoMajority
	}
	return Values(len(counts))[top], Majority
}

// Disagreement is an item whose current labels differ.
type Disagreement struct {
	Model  string
	Item   int     // index in r.Models
	Values []Value // per annotator of the round, empty where there is no label
	Spread int     // classes between the extreme labels: 1 for neighbours, 2 for invariant against variant of three
	Tied   bool    // no label has more ratings than every other
}

// Disagreements lists the items of the round whose labels differ: the widest spread first, then
// ties, then in the order of r.Models.
func Disagreements(r Round, events []Event) []Disagreement {
	ratings := Ratings(r, events)
	names := Values(r.Classes)
	var list []Disagreement
	for i, model := range r.Models {
		d := Disagreement{Model: model, Item: i, Values: make([]Value, len(ratings))}
		low, high := r.Classes, Missing
		for a, row := range ratings {
			if row[i] == Missing {
				continue
			}
			d.Values[a] = names[row[i]]
			low, high = min(low, row[i]), max(high, row[i])
		}
		if high <= low {
			continue
		}
		_, by := decide(votes(ratings, i, r.Classes), false)
		d.Spread, d.Tied = high-low, by == Tie
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b Disagreement) int {
		if a.Spread != b.Spread || a.Tied == b.Tied {
			return cmp.Compare(b.Spread, a.Spread)
		}
		if a.Tied {
			return -1
		}
		return 1
	})
	return list
}
