package label

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

func TestTablesHoldRoundsAndTheirLabels(t *testing.T) {
	name := func(model string) string { return "name of " + model }
	testdata.OK(t, errors.Join(Cases(name).Check(), Annotators.Check(), Rounds.Check(), Labels.Check()))
	r := Round{
		ID: "R", Name: "first", Classes: 2, Annotators: []string{"a", "b"}, Models: []string{"x", "y"},
		OrderSeed: 1<<64 - 1, Closed: true, ByRule: true,
		Ranges: map[string]Range{"max@CONV-1": {0, 20}, "max@CONF": {0, 0.3}}, Created: time.Unix(1000, 0),
	}
	ev := func(id, annotator, model string, v Value, sure bool) Event {
		return Event{ID: id, Round: "R", Annotator: annotator, Model: model, Kind: Label, Pass: 1, Value: v, Sure: sure}
	}
	events := []Event{
		ev("1", "a", "x", Variant, true), ev("2", "a", "y", Variant, false), ev("3", "b", "x", Invariant, true),
	}
	rounds := Rounds.Sheet([]Round{r})
	for key, want := range map[string]string{
		"annotators": "a, b", "state": "closed", "order_seed": "18446744073709551615",
		"ranges": "max@CONF 0..0.3, max@CONV-1 0..20", "models": "2", "model_hashes": "x, y", "by_rule": "true",
		"created": "1970-01-01T00:16:40Z", "guideline_hash": r.GuidelineHash(),
	} {
		testdata.Is(t, fmt.Sprintf("%s of the round", key), rounds.Fields[rounds.Field(key)].Write(0), want)
	}
	state := rounds.Fields[rounds.Field("state")]
	testdata.Is(t, "state in words", state.Say(0), "closed; example labels, made by a rule")
	testdata.Is(t, "source", r.Source(), "round first (example labels, made by a rule)")
	tallies := Annotators.Sheet(Tallies(r, []string{"annotator 1", "annotator 2"}, events))
	for key, want := range map[string]string{
		"annotator": "annotator 1", "labelled": "2", "unsure": "1",
		"label.variant": "2", "label.invariant": "0",
	} {
		testdata.Is(t, fmt.Sprintf("%s of a", key), tallies.Fields[tallies.Field(key)].Say(0), want)
	}
	cases := Cases(name).Sheet(Queue(r, events))
	if cases.Len() != 1 || cases.Fields[0].Say(0) != "name of x" || cases.Fields[1].Say(0) != "tie" ||
		!cases.Fields[2].Missing(0) {
		t.Errorf("%d cases, the first %s %s", cases.Len(), cases.Fields[0].Say(0), cases.Fields[1].Say(0))
	}
	labels := Labels.Sheet([]Row{{Event: events[1], RoundName: "first", ModelID: "m"}})
	if got := labels.Fields[labels.Field("sure")].Say(0); got != "no" ||
		!labels.Fields[labels.Field("saved")].Missing(0) {
		t.Errorf("sure: %s", got)
	}
}
