package engine

import (
	"context"
	"errors"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func newTestBench(tb testing.TB, images int) *unitRunner {
	tb.Helper()
	task := fakeTask("m", images)
	r := testdata.Must(prepareTask(task))(tb)
	session := testdata.Must(netsFor(task).Open(context.Background(), task.Feed))(tb)
	runner := testdata.Must(session.Runner())(tb)
	b := testdata.Must(newUnitRunner(r, runner))(tb)
	testdata.OK(tb, b.read(newSource(images)))
	return b
}

// TestNothingIsAllocatedPerInference holds for filling the input and for reading the results.
func TestNothingIsAllocatedPerInference(t *testing.T) {
	b := newTestBench(t, 16)
	p := part{count: 16}
	testdata.OK(t, b.load(p, func() error { return nil }))
	testdata.OK(t, b.fill(0, p))
	testdata.OK(t, b.runner.Run(t.Context()))
	testdata.Must(b.classes())(t)
	unit := b.newUnit(0, 16, 4)
	n := testing.AllocsPerRun(20, func() {
		testdata.OK(t, b.fill(1, p))
		testdata.OK(t, b.collect(unit, 1, p))
	})
	testdata.Is(t, "allocations", n, 0)
}

func TestStepStopsAUnit(t *testing.T) {
	b := newTestBench(t, 300)
	for _, after := range []int{0, 7, 20, 100} {
		steps := 0
		_, err := b.compute(t.Context(), 0, func() error {
			if steps++; steps > after {
				return errCancelled
			}
			return nil
		}, func(int) {})
		if !errors.Is(err, errCancelled) || steps != after+1 {
			t.Errorf("after %d steps: %v, %d steps", after, err, steps)
		}
	}
}

func TestBenchRefusesAnotherInput(t *testing.T) {
	task := fakeTask("m", 16)
	r := testdata.Must(prepareTask(task))(t)
	testdata.Refused(t, "input of 7 numbers",
		testdata.Err(newUnitRunner(r, &fakeRunner{input: make([]float32, 7)})), "7 numbers in place of 16 x 90")
}

// BenchmarkUnitRunner is the work around an inference: transform, normalise, reduce four positions.
func BenchmarkUnitRunner(b *testing.B) {
	bench := newTestBench(b, 16)
	p := part{count: 16}
	testdata.OK(b, bench.load(p, func() error { return nil }))
	testdata.OK(b, bench.fill(0, p))
	testdata.OK(b, bench.runner.Run(context.Background()))
	testdata.Must(bench.classes())(b)
	unit := bench.newUnit(0, 16, 4)
	b.ReportAllocs()
	for b.Loop() {
		testdata.OK(b, bench.fill(1, p))
		testdata.OK(b, bench.collect(unit, 1, p))
	}
}
