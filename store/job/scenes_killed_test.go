package job

import (
	"context"
	"fmt"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/store"
)

// childRuns runs all models under the scenes of the only selection and prints a line per inference;
// it is killed meanwhile.
func childRuns(path string) error {
	ws, err := store.Open(path)
	if err != nil {
		return err
	}
	list, err := ws.Selections()
	if err != nil {
		return err
	}
	family, err := list[0].Family()
	if err != nil {
		return err
	}
	rt := &sums.Runtime{OnRun: func(context.Context, engine.Feed, int64) error {
		fmt.Println("inference")
		return nil
	}}
	eng := engine.New(rt, ws, engine.Limits{Workers: 2})
	id, _, err := Start(context.Background(), ws, eng, rt, Request{Suite: list[0].Targets, Family: family},
		engine.NoProgress{})
	if err != nil {
		return err
	}
	_, err = eng.Wait(context.Background(), id)
	return err
}

// TestAKilledRunUnderScenesGoesOn kills the process that runs at random moments until nothing is
// left to do: what was recorded is not computed again, and the signals have the bits of a run that
// nobody killed.
func TestAKilledRunUnderScenesGoesOn(t *testing.T) {
	undisturbed := newFixture(t, 700)
	same := undisturbed.model("a", headed)
	whole := undisturbed.under(undisturbed.scened(3))
	undisturbed.done(whole)

	b := newFixture(t, 700) // three units per model
	m := b.model("a", headed)
	b.model("b", headed)
	req := b.under(b.scened(3))
	must(b, b.eng.Close())
	must(b, b.ws.Close())
	random := kill.Random(t)
	for range 3 {
		command := kill.Start(t, "run", b.ws.Path())
		for left := 20 + random.IntN(80); left > 0 && command.Lines.Scan(); left-- {
		}
		command.Killed()
	}
	ws, err := store.Open(b.ws.Path())
	must(b, err)
	b.ws, b.eng = ws, engine.New(b.rt, ws, engine.Limits{Workers: 2})
	defer func() { must(b, ws.Close()) }()
	defer func() { must(b, b.eng.Close()) }()
	records := b.records()
	if len(records) != 3 {
		t.Fatalf("%d runs are recorded", len(records))
	}
	status := b.done(Again(records[len(records)-1]))
	t.Logf("%d of %d inferences were kept", status.Reused, status.Total)
	if again := b.done(Again(records[0])); again.Reused != again.Total {
		t.Errorf("computed again: %+v", again)
	}
	b.sameSignals(m, req, undisturbed.signals(same, undisturbed.suite.Hash, whole.Family))
}
