package cluster

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// stage is an executor whose round is played by a test.
type stage struct {
	c      *Coordinator
	rounds chan *round
}

func (s stage) Execute(ctx context.Context, j *engine.Job) {
	r := s.c.begin(ctx, j)
	s.rounds <- r
	<-ctx.Done()
	r.close()
}

// newRound is the coordinator's part in a run of model a on so many images, in which nothing
// happens by itself.
func newRound(t *testing.T, images int) (*desk, *round) {
	t.Helper()
	d := newDesk(t, sums.Pets(t, images), "a", engine.NoWorkers)
	c, err := Serve(t.Context(), t.TempDir(), "127.0.0.1:0",
		Options{Self: self(), Pace: quick, Log: logTo(t, "coordinator")})
	must(d, err)
	s := stage{c, make(chan *round, 1)}
	detach := d.eng.Attach(s)
	t.Cleanup(func() {
		detach()
		c.Close()
	})
	d.start()
	return d, <-s.rounds
}

// give gives a worker the next unit.
func (r *round) give(t *testing.T, worker string) *parcel {
	t.Helper()
	a, ok := r.job.Next(t.Context(), worker)
	if !ok {
		t.Fatal("there is no unit")
	}
	r.mu.Lock()
	if r.members[worker] == nil {
		r.members[worker] = &member{Worker: Worker{Machine: self(), Seen: time.Now()}}
	}
	r.mu.Unlock()
	return r.keep(a, worker)
}

// brought tells whether all units of the run are.
func (d *desk) brought() bool {
	s := d.eng.Snapshot()[0]
	return s.Done == s.Total
}

// unitOf is a parcel's result.
func (d *desk) unitOf(p *parcel) *signal.Unit {
	d.Helper()
	return compute(d.T, d.rt, engine.Order{Prepared: p.Prepared(), Source: p.Source(), Chunk: p.Chunk()})
}

// TestUnitThatWentOutAgain: what is said of the old parcel changes nothing.
func TestUnitThatWentOutAgain(t *testing.T) {
	d, r := newRound(t, 20)
	before := r.give(t, "v")
	r.giveBack(before, nil)
	now := r.give(t, "w")
	if now.Key() != before.Key() || now == before {
		t.Fatal("another unit")
	}
	r.receiveTrouble("v", trouble{Unit: before.Key(), Reason: "no"})
	if r.drop(before) || r.expect(now.Key(), "v") != now || len(r.faults) != 0 {
		t.Error("the old parcel goes, and the new one with it")
	}
	if !r.drop(now) {
		t.Error("it is gone")
	}
	now.Done(d.unitOf(now), engine.Timings{})
	if r.expect(now.Key(), "v") != nil || !d.brought() || !r.job.Over() {
		t.Errorf("the unit is still on its way")
	}
}

// TestNamesOfUnits that a worker says it has: what nobody has is its own from then on, what
// another one has stays there, and what means nothing is looked for once.
func TestNamesOfUnits(t *testing.T) {
	_, r := newRound(t, 600)
	first, second := r.give(t, "v"), r.give(t, "v")
	r.giveBack(second, nil)
	r.adopt("w", []string{first.Key(), second.Key(), someHash})
	if p := r.expect(first.Key(), "w"); p.worker != "v" {
		t.Errorf("it is %s's", p.worker)
	}
	if p := r.parcels[second.Key()]; p == nil || p.worker != "w" || !r.sought[someHash] || len(r.sought) != 1 {
		t.Errorf("%+v", r.sought)
	}
}

// TestRoomOfAWorker that still has units which another one has by now: it is given as many fewer.
func TestRoomOfAWorker(t *testing.T) {
	_, r := newRound(t, 600)
	p := r.give(t, "v")
	r.giveBack(p, nil)
	full := spare * self().Cores
	for has, room := range map[int]bool{0: true, full - 1: true, full: false, full + 1: false} {
		if r.hasRoom("v", has) != room {
			t.Errorf("with %d units: %t", has, !room)
		}
	}
}

// TestUnitsThatNobodyNames go out again after a while, without a fault where their worker is well;
// one whose result is being read is waited for.
func TestUnitsThatNobodyNames(t *testing.T) {
	_, r := newRound(t, 600)
	first, second := r.give(t, "v"), r.give(t, "v")
	first.arriving.Store(true)
	r.mu.Lock()
	first.named, second.named = time.Now().Add(-time.Hour), time.Now().Add(-time.Hour)
	r.mu.Unlock()
	r.at.Go(r.watch)
	until(t, "the second is taken back", func() bool {
		return len(r.onTheirWay(func(*parcel) bool { return true })) == 1
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.parcels[first.Key()] != first || r.faults[second.Key()].count() > 1 {
		t.Errorf("%+v", r.faults)
	}
}

// TestFaultsAreNotedByMany at the same time; the race detector looks on.
func TestFaultsAreNotedByMany(t *testing.T) {
	_, r := newRound(t, 20)
	key := ""
	var wg sync.WaitGroup
	for i := range maxFaults {
		p := r.give(t, string(rune('a'+i)))
		key = p.Key()
		wg.Go(func() { r.fault(p, p.worker, refused, "no") })
		wg.Go(func() { r.receiveBeat("x", say(beat{Machine: self()})) })
		wg.Wait()
	}
	if r.expect(key, "z") != nil || r.faults[key].count() != maxFaults {
		t.Errorf("it goes on: %+v", r.faults[key])
	}
}

// TestModelThatIsGone fails by itself; others are computed.
func TestModelThatIsGone(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 20), "ab", engine.NoWorkers)
	c := d.served()
	id := d.start()
	models := testdata.Must(d.ws.Models())(d)
	for _, m := range models {
		if m.ID == "a" {
			must(d, os.Remove(d.ws.ModelPath(m.Hash)))
		}
	}
	hire(t, c.Join()[0], nil)
	if s := d.wait(id); s.Phase != engine.Done || s.Failed != 1 || !errors.Is(s.Tasks[0].Err, errCannotTravel) {
		t.Errorf("%+v", s)
	}
}

// TestUnitsOfAModelStayWithOneWorker: of two with a model each neither opens the other's before
// its own has ended.
func TestUnitsOfAModelStayWithOneWorker(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 600), "abcd", engine.NoWorkers)
	c := d.served()
	one, two := hire(t, c.Join()[0], nil), hire(t, c.Join()[0], nil)
	until(t, "both are there", func() bool { return len(c.Workers()) == 2 })
	d.done(d.start())
	// Each model has three units: without staying, nearly every worker tries every model. At the
	// end one may help the other.
	if n := len(one.rt.Probed()) + len(two.rt.Probed()); n > 5 {
		t.Errorf("four models were tried %d times", n)
	}
}
