package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func newTestBench(tb testing.TB, images int) *bench {
	tb.Helper()
	task := fakeTask("m", images)
	r, err := prepareTask(task)
	if err != nil {
		tb.Fatal(err)
	}
	session, err := netsFor(task).Open(context.Background(), task.Feed)
	if err != nil {
		tb.Fatal(err)
	}
	runner, err := session.Runner()
	if err != nil {
		tb.Fatal(err)
	}
	b, err := newBench(r, runner)
	if err != nil {
		tb.Fatal(err)
	}
	if err := b.read(newSource(images)); err != nil {
		tb.Fatal(err)
	}
	return b
}

// TestNothingIsAllocatedPerInference holds for filling the input and for reading the results.
func TestNothingIsAllocatedPerInference(t *testing.T) {
	b := newTestBench(t, 16)
	p := part{count: 16}
	if err := b.load(p, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := b.fill(0, p); err != nil {
		t.Fatal(err)
	}
	if err := b.runner.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.classes(); err != nil {
		t.Fatal(err)
	}
	unit := b.newUnit(0, 16, 4)
	n := testing.AllocsPerRun(20, func() {
		if err := b.fill(1, p); err != nil {
			t.Fatal(err)
		}
		if err := b.collect(unit, 1, p); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
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
	r, err := prepareTask(task)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newBench(r, &fakeRunner{input: make([]float32, 7)}); err == nil || !strings.Contains(err.Error(), "7 numbers in place of 16 x 90") {
		t.Errorf("input of 7 numbers: %v", err)
	}
}

// BenchmarkBench is the work around an inference: transform, normalise, reduce four positions.
func BenchmarkBench(b *testing.B) {
	bench := newTestBench(b, 16)
	p := part{count: 16}
	if err := bench.load(p, func() error { return nil }); err != nil {
		b.Fatal(err)
	}
	if err := bench.fill(0, p); err != nil {
		b.Fatal(err)
	}
	if err := bench.runner.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
	if _, err := bench.classes(); err != nil {
		b.Fatal(err)
	}
	unit := bench.newUnit(0, 16, 4)
	b.ReportAllocs()
	for b.Loop() {
		if err := bench.fill(1, p); err != nil {
			b.Fatal(err)
		}
		if err := bench.collect(unit, 1, p); err != nil {
			b.Fatal(err)
		}
	}
}
