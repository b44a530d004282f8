package cluster

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/variscope/variscope/engine"
)

// TestFilesThatTheServerLost are brought anew, also where it has lost only what they consist of.
func TestFilesThatTheServerLost(t *testing.T) {
	for name, purge := range map[string]func(bucket string) []jetstream.StreamPurgeOpt{
		"all": func(string) []jetstream.StreamPurgeOpt { return nil },
		"the pieces": func(bucket string) []jetstream.StreamPurgeOpt {
			return []jetstream.StreamPurgeOpt{jetstream.WithPurgeSubject("$O." + bucket + ".C.>")}
		},
	} {
		t.Run(name, func(t *testing.T) { filesAreLost(t, purge) })
	}
}

func filesAreLost(t *testing.T, purge func(bucket string) []jetstream.StreamPurgeOpt) {
	root := images(t, 300)
	want := local(t, root, "a")
	d := newDesk(t, root, "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	f := newForger(t, c.Join()[0], "f0", nil)
	order := f.take()
	until(t, "the other order is there, too", func() bool {
		f.say("")
		stream, err := c.js.Stream(t.Context(), c.units())
		d.must(err)
		return stream.CachedInfo().State.Msgs == 2
	})
	for _, bucket := range []string{c.modelObjects(), c.imageObjects()} {
		stream, err := c.js.Stream(t.Context(), "OBJ_"+bucket)
		d.must(err)
		d.must(stream.Purge(t.Context(), purge(bucket)...))
	}
	d.must(order.Nak())
	hire(t, c.Join()[0], nil)
	if s := d.wait(id); s.Phase != engine.Done {
		t.Errorf("%+v", s)
	}
	d.same(want)
	until(t, "the units are told", func() bool {
		for _, w := range c.Workers() {
			if w.Name == "worker" {
				return w.Done == 2 && w.Failed == 0
			}
		}
		return false
	})
}
