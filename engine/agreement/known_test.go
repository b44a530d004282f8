package agreement

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/internal/testdata"
)

// knownRound is a round of two annotators and four models, the first three with known answers. Both
// labelled the models from the last to the first.
func knownRound(change func(*label.Round)) *Round {
	r := label.Round{
		ID: "R", Name: "first", Classes: 2, Annotators: []string{"a", "b"}, Models: []string{"h0", "h1", "h2", "h3"},
		Known: map[string]label.Value{"h0": label.Invariant, "h1": label.Variant, "h2": label.Variant}, Closed: true,
		Words: map[label.Value]string{label.Invariant: "robust"},
	}
	change(&r)
	var events []label.Event
	for a, row := range []string{"ivvi", "vvii"} {
		for k, c := range row {
			value := map[rune]label.Value{'i': label.Invariant, 'v': label.Variant}[c]
			events = append(events, label.Event{
				ID: string(rune('z'-k)) + r.Annotators[a], Round: "R", Model: r.Models[k], Annotator: r.Annotators[a],
				Kind: label.Label, Pass: 1, Value: value,
			})
		}
	}
	return OfRound(r, events, []string{"m0", "m1", "m2", "m3"}, []string{"Ann", "Bob"}, Options{Intervals: true})
}

func TestKnownAnswers(t *testing.T) {
	r := knownRound(func(*label.Round) {})
	low, high := stats.Wilson(1.0/3, 3)
	bob := r.Known.Against[1]
	testdata.Is(t, "n", bob.N, 3)
	testdata.NearAll(t, "accuracy", []float64{
		bob.Percent.Value.Value, bob.Percent.Interval.Low, bob.Percent.Interval.High,
	}, []float64{1.0 / 3, low, high}, 1e-12)
	testdata.Near(t, "kappa", bob.Kappa.Value.Value, -0.5, 1e-12)
	lines := Measures.Sheet(r.Lines())
	value := lines.Fields[lines.Field("value")]
	if said := value.Tell(lines.Row("R/cohen_vs_known/Bob/" + KnownAnswer + "/")); !strings.Contains(said,
		"below chance") {
		t.Errorf("nobody says that %s is below chance", said)
	}
	testdata.Is(t, "accuracy of Ann", value.Number(lines.Row("R/known_accuracy/Ann/"+KnownAnswer+"/")), 1.0)
	var right []float64
	var order []string
	for _, d := range r.Drifts(2)[3:] {
		right, order = append(right, d.Last.Value.Number()), append(order, d.Model)
	}
	testdata.Equal(t, "order of Bob's labels", order, []string{"m2", "m1", "m0"})
	testdata.NearAll(t, "the last two", right[1:], []float64{0.5, 0.5}, 0)
	if f := DriftFigure(r.Drifts(2), 2); f.Check() != nil || len(f.Lines) != 2 ||
		f.Y.Name != "right of the last 2 known answers" {
		t.Errorf("%+v", f)
	}
	testdata.Is(t, "of a window that is never full", DriftFigure(r.Drifts(9), 9).Y.Name, "known answers right so far")
	items := Items.Sheet(r.Items())
	first := items.Fields[items.Field("label.Ann")]
	testdata.Is(t, "said", first.Say(0), "robust")
	testdata.Is(t, "written", first.Write(0), "invariant")
}

func TestKnownAnswersStayHidden(t *testing.T) {
	const open = "the known answers are hidden until the round is closed"
	for _, c := range []struct {
		until  string
		change func(*label.Round)
	}{
		{open, func(r *label.Round) { r.Closed, r.Blind = false, true }},
		{open, func(r *label.Round) { r.Closed = false }}, // everybody has finished and could still change labels
		{"", func(r *label.Round) { r.Known = nil }},
		{"the known answers are at the desk that made the round", func(r *label.Round) {
			r.Closed, r.Blind = false, true
			*r = r.Sealed()
			r.Closed = true
		}},
	} {
		r := knownRound(c.change)
		testdata.Is(t, "what is said", r.KnownHidden(), c.until)
		hasKnown := slices.ContainsFunc(r.Lines(), func(l Line) bool { return l.Section == WithKnown })
		if r.Known != nil || hasKnown || r.Drifts(1) != nil {
			t.Errorf("%s: known answers are told", c.until)
		}
	}
}

// TestMissingIsWhatWasAskedFor: models that are not assigned to an annotator miss no label, and
// numbers say while labels are missing.
func TestMissingIsWhatWasAskedFor(t *testing.T) {
	r := knownRound(func(r *label.Round) {
		r.Overlap, r.Known, r.Models = 1, nil, append(r.Models, "h4", "h5")
	})
	testdata.Is(t, "asked", r.Asked, 6)
	testdata.Is(t, "missing", r.Outstanding, 2)
	if why := (Line{Of: r, Section: OfAllRaters, Estimate: Estimate{N: 9}}).Caveat(); !strings.HasSuffix(why.Text,
		"of 6 labels are still missing") {
		t.Error(why)
	}
	if why := (Line{Estimate: Estimate{Value: defined(0.4), N: MinItems}}).Caveat(); why != (result.Reason{}) {
		t.Error(why)
	}
}
