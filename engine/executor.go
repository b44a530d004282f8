package engine

import (
	"context"

	"github.com/variscope/variscope/engine/signal"
)

// Executor is where the units of runs are computed: by the engine's runtime, as without any, on
// other machines, or by shards whose results lie in a folder. Several may work on one job at the
// same time; Job.Next says which unit whoever asks gets.
type Executor interface {
	// Execute takes units from the job with Next until it hands out none any more. It returns when
	// ctx has ended or the job hands out nothing, and every unit that it took is done, failed or
	// given back by then.
	Execute(ctx context.Context, j *Job)
}

// Order is a unit that is to be computed in this process.
type Order struct {
	Prepared *Prepared
	Source   Source
	Chunk    int
	Sink     Sink
	// claimed says that the prepared task's session is counted as in use already, from the moment
	// in which the unit was handed out.
	claimed bool
}

// Sink is told how an order goes. Exactly one of Done and Failed is called, at its end.
type Sink interface {
	// Context ends when nobody needs the unit any more.
	Context() context.Context
	// Pass is called before each inference: it blocks while the run is paused, and returns the
	// reason to stop.
	Pass() error
	// Inferred is called after each inference with the number of its images.
	Inferred(images int)
	// Done takes the unit and what it took to compute it. It may be called on another goroutine
	// than the rest, and may take its time: the next unit is computed meanwhile.
	Done(unit *signal.Unit, timings Timings)
	// Failed says why there is no unit.
	Failed(err error)
}

// Next gives the next order, and waits for it where that takes a while; ok is false when no more
// will come. who names the worker that asks, which keeps models open by itself; empty for those
// that share what they have opened. It is called by many goroutines.
type Next func(ctx context.Context, who string) (o Order, ok bool)

// local computes units with the engine's own runtime.
type local struct {
	rt      Runtime
	workers int
}

// Execute implements Executor.
func (l local) Execute(ctx context.Context, j *Job) {
	l.rt.Work(ctx, l.workers, func(ctx context.Context, who string) (Order, bool) {
		a, ok := j.Next(ctx, who)
		if !ok {
			return Order{}, false
		}
		return a.order(), true
	})
}
