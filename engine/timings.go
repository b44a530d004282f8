package engine

import "time"

// Timings is the time that the workers of a run were busy, by what they did, added up over them.
// Waiting for work, pauses and the loading of models are in none. Storing goes on beside the rest,
// and most of it is waiting for the disk.
type Timings struct {
	Decode    time.Duration // reading images and fitting them to the input
	Transform time.Duration // transforming, normalising
	Infer     time.Duration // the library's part
	Reduce    time.Duration // softmax and reducers of every position, distances
	Store     time.Duration // recording units, summing up models
}

// Plus is the sum of two.
func (s Timings) Plus(o Timings) Timings {
	return Timings{
		s.Decode + o.Decode, s.Transform + o.Transform, s.Infer + o.Infer, s.Reduce + o.Reduce, s.Store + o.Store,
	}
}

// Total is the time of all of it.
func (s Timings) Total() time.Duration { return s.Decode + s.Transform + s.Infer + s.Reduce + s.Store }

// stopwatch tells the time between laps. It is read a few times per batch, never per image: a
// reading takes about 50 ns, a batch hundreds of microseconds.
type stopwatch struct{ since time.Time }

func (w *stopwatch) start() { w.since = time.Now() }

// lap adds the time since the start or the last lap to into.
func (w *stopwatch) lap(into *time.Duration) {
	now := time.Now()
	*into += now.Sub(w.since)
	w.since = now
}
