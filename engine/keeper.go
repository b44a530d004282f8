package engine

import "github.com/variscope/variscope/engine/signal"

// Keeper hands computed units to who has asked for them on a goroutine of its own, so that the next
// unit is computed while the disk or the network is waited for.
type Keeper struct {
	units chan computed // without a buffer: at most one unit is kept while another is computed
	ended chan struct{}
}

// computed is a unit on its way to who asked for it.
type computed struct {
	sink    Sink
	unit    *signal.Unit
	timings Timings
}

// NewKeeper starts a keeper; Close ends it.
func NewKeeper() *Keeper {
	k := &Keeper{make(chan computed), make(chan struct{})}
	go func() {
		defer close(k.ended)
		for c := range k.units {
			c.sink.Done(c.unit, c.timings)
		}
	}()
	return k
}

// Keep takes a unit, and waits until the one before is kept.
func (k *Keeper) Keep(sink Sink, unit *signal.Unit, timings Timings) {
	k.units <- computed{sink, unit, timings}
}

// Close returns when everything is kept.
func (k *Keeper) Close() {
	close(k.units)
	<-k.ended
}
