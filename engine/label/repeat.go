package label

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/variscope/variscope/engine/result"
)

// RepeatDistance is the least number of other turns between a label and the unannounced repeat of
// its item, except at the end of the round, where nothing else is left to do.
const RepeatDistance = 10

// Turn is one thing that an annotator is asked for: an item, the first time (pass 1) or again (pass
// 2).
type Turn struct {
	Model string
	Pass  int
}

// Turn is the turn that the event belongs to.
func (ev Event) Turn() Turn { return Turn{ev.Model, max(ev.Pass, 1)} }

// Repeat is an item that comes back for an annotator, when at least Gap turns lie between.
type Repeat struct {
	Model string
	Gap   int
}

// Repeats are the items that come back unannounced for an annotator, so that the annotator's
// agreement with themselves can be measured: the share r.RepeatShare of the items, rounded, chosen
// from r.OrderSeed for each annotator apart. They are taken from those that are seen early enough
// for others to come between, and their gaps spread them evenly over what is left of the round. The
// list is in the annotator's order.
func Repeats(r Round, annotator string) []Repeat { return repeats(r, annotator, Order(r, annotator)) }

// repeats are Repeats where the annotator's Order is known.
func repeats(r Round, annotator string, order []string) []Repeat {
	n := len(order)
	count := int(math.Round(r.RepeatShare * float64(n)))
	if count <= 0 {
		return nil
	}
	type lots struct {
		at           int
		choice, wait float64
	}
	draws := make([]lots, max(count, n-RepeatDistance))
	for k := range draws {
		rng := repeatDraws(r.OrderSeed, annotator, order[k])
		draws[k] = lots{k, rng.Float64(), rng.Float64()}
	}
	slices.SortFunc(draws, func(a, b lots) int { return cmp.Compare(a.choice, b.choice) })
	draws = draws[:count]
	slices.SortFunc(draws, func(a, b lots) int { return cmp.Compare(a.at, b.at) })
	repeats := make([]Repeat, count)
	for k, d := range draws {
		room := max(n-d.at-RepeatDistance, 0)
		repeats[k] = Repeat{order[d.at], RepeatDistance + int(d.wait*float64(room))}
	}
	return repeats
}

// repeatDraws are the random numbers that belong to an item and an annotator, whatever else is in
// the round.
func repeatDraws(seed uint64, annotator, model string) *rand.Rand {
	return draws(seed, annotator+"\x00repeat\x00"+model)
}

// acts are what an annotator has done in a round and not taken back: by turn, the number of the
// act, counted from 1.
type acts struct {
	labelled, skipped map[Turn]int
	count             int
}

func actsOf(r Round, annotator string, events []Event) acts {
	a := acts{labelled: map[Turn]int{}, skipped: map[Turn]int{}}
	for _, ev := range Active(events) {
		if ev.Round != r.ID || ev.Annotator != annotator || ev.Kind != Label && ev.Kind != Skip {
			continue
		}
		a.count++
		if ev.Kind == Label {
			a.labelled[ev.Turn()] = a.count
			delete(a.skipped, ev.Turn())
		} else if _, done := a.labelled[ev.Turn()]; !done {
			a.skipped[ev.Turn()] = a.count
		}
	}
	return a
}

// open tells whether a turn was neither labelled nor put off.
func (a acts) open(t Turn) bool { return a.labelled[t] == 0 && a.skipped[t] == 0 }

// NextTurn is what the annotator is asked for next: a repeat that is due, else the first item of
// their order without label or skip, and at the end what was skipped, the longest ago first, and
// the repeats that were never due. ok is false when everything is labelled. Repeats come only of
// items that have the annotator's label.
func NextTurn(r Round, annotator string, events []Event) (turn Turn, ok bool) {
	a, order := actsOf(r, annotator, events), Order(r, annotator)
	waiting := slices.DeleteFunc(repeats(r, annotator, order), func(p Repeat) bool {
		return a.labelled[Turn{p.Model, 1}] == 0 || !a.open(Turn{p.Model, 2})
	})
	since := func(p Repeat) int { return a.count - a.labelled[Turn{p.Model, 1}] }
	for _, p := range waiting {
		if since(p) >= p.Gap {
			return Turn{p.Model, 2}, true
		}
	}
	order = Planned(r, annotator, events, order)
	for _, model := range order {
		if t := (Turn{model, 1}); a.open(t) {
			return t, true
		}
	}
	slices.SortStableFunc(waiting, func(p, q Repeat) int { return cmp.Compare(since(q), since(p)) })
	if len(waiting) > 0 && since(waiting[0]) >= RepeatDistance {
		return Turn{waiting[0].Model, 2}, true
	}
	if turn, ok = a.putOff(order); !ok && len(waiting) > 0 {
		return Turn{waiting[0].Model, 2}, true
	}
	return turn, ok
}

// putOff is the turn that was skipped longest ago and can still be labelled.
func (a acts) putOff(models []string) (turn Turn, ok bool) {
	least := a.count + 1
	for t, at := range a.skipped {
		first := Turn{t.Model, 1}
		if (t.Pass == 1 || a.labelled[first] != 0) && at < least && slices.Contains(models, t.Model) {
			turn, least, ok = t, at, true
		}
	}
	return turn, ok
}

// Turns counts an annotator's turns, repeats among them: labelled, skipped and not labelled, and
// all; models is how many models these are of. The annotator is told turns and not items, since the
// difference would tell which turns are repeats.
func Turns(r Round, annotator string, events []Event) (done, skipped, total, models int) {
	a, order := actsOf(r, annotator, events), Order(r, annotator)
	all := map[Turn]bool{}
	for _, model := range order {
		all[Turn{model, 1}] = true
		if t := (Turn{model, 2}); a.labelled[t] != 0 { // chosen before models were appended
			all[t] = true
		}
	}
	for _, p := range repeats(r, annotator, order) {
		all[Turn{p.Model, 2}] = true
	}
	for t := range all {
		switch {
		case a.labelled[t] != 0:
			done++
		case a.skipped[t] != 0:
			skipped++
		}
	}
	return done, skipped, len(all), len(order)
}

// Finished tells whether nothing is left to do in the round for the annotator.
func Finished(r Round, annotator string, events []Event) bool {
	_, more := NextTurn(r, annotator, events)
	return !more
}

// Secret tells whether the labels are hidden from annotators who have not finished: the round is
// blind and still open. What is written for somebody else, such as a report, shows none then.
func (r Round) Secret() bool { return r.Blind && !r.Closed }

// Sees tells whether an annotator may see the labels of others now: the round is open-eyed or
// closed, or it reveals them to whoever has finished.
func (r Round) Sees(annotator string, events []Event) bool {
	return !r.Secret() || r.Reveal == RevealFinished && slices.Contains(r.Annotators, annotator) && Finished(r,
		annotator, events)
}

// SeesKnown tells whether an annotator may learn now how many of the known answers they have given:
// the answers are here, and the round is closed, or the annotator has finished it and it is not
// blind until it is closed. Which they are is told once it is closed.
func (r Round) SeesKnown(annotator string, events []Event) bool {
	finished := func() bool { return slices.Contains(r.Annotators, annotator) && Finished(r, annotator, events) }
	return r.HasAnswers() && (r.Closed || (!r.Blind || r.Reveal == RevealFinished) && finished())
}

// BeforeClosing says what comes of closing a round, a sentence each: how many labels are missing
// is the last where any are.
func BeforeClosing(r Round, events []Event) []string {
	lines := []string{"No label can be set or changed until it is opened again."}
	if r.Blind {
		lines = append(lines,
			"Everybody sees everybody's labels, agreement and disagreements then. "+
				"Opening it again does not take that back.")
	}
	missing, all, late := 0, 0, 0
	for _, who := range r.Annotators {
		done, _, total := Progress(r, who, events)
		if all += total; done < total {
			missing, late = missing+total-done, late+1
		}
	}
	if late > 0 {
		lines = append(lines, fmt.Sprintf("Missing: %s of %s, from %s of %s.", result.Whole(missing),
			result.Counted(all, "label"),
			result.Whole(late), result.Counted(len(r.Annotators), "annotator")))
	}
	return lines
}
