package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
)

// stage is an executor whose round is played by a test.
type stage struct {
	c      *Coordinator
	rounds chan *round
}

func (s stage) Execute(ctx context.Context, j *engine.Job) {
	s.rounds <- s.c.newRound(ctx, j)
	<-ctx.Done()
}

// newRound is the coordinator's part in a run of model a on so many images, in which nothing happens by itself.
func newRound(t *testing.T, images string) (*desk, *round) {
	t.Helper()
	d := newDesk(t, images, "a", engine.NoWorkers)
	c, err := Serve(t.Context(), t.TempDir(), "127.0.0.1:0", Options{Self: self(), Pace: quick, Log: logTo(t, "coordinator")})
	d.must(err)
	return d, d.roundOf(c)
}

// roundOf is the part of a coordinator in a run that begins.
func (d *desk) roundOf(c *Coordinator) *round {
	d.Helper()
	s := stage{c, make(chan *round, 1)}
	detach := d.eng.Attach(s)
	d.Cleanup(func() {
		detach()
		d.must(c.Close())
	})
	d.start()
	r := <-s.rounds
	d.must(r.open())
	return r
}

// next is a parcel of the next unit.
func (r *round) next(t *testing.T) *parcel {
	t.Helper()
	a, ok := r.job.Next(t.Context())
	if !ok {
		t.Fatal("there is no unit")
	}
	p := newParcel(a)
	r.keep(p)
	return p
}

// orders is how many orders the queue has.
func (r *round) orders(t *testing.T) uint64 {
	t.Helper()
	info, err := r.stream.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return info.State.Msgs
}

// TestUnitThatWentOutAgain: a result that was being read while its unit was taken back and handed out again ends the unit, and what is said of the old parcel
// changes nothing.
func TestUnitThatWentOutAgain(t *testing.T) {
	d, r := newRound(t, images(t, 20))
	before := r.next(t)
	d.must(r.send(before))
	r.withdraw(before)
	now := r.next(t)
	if now.Key() != before.Key() || now == before {
		t.Fatal("another unit")
	}
	d.must(r.send(now))
	if r.drop(before) || r.find(now.Key()) != now {
		t.Error("the old parcel goes, and the new one with it")
	}
	r.take(notice{Unit: before.Key(), Worker: "w"}, d.unitOf(before))
	if r.find(now.Key()) != nil || r.orders(t) != 0 || !d.brought() || !r.job.Over() {
		t.Errorf("the unit is still on its way; %d orders", r.orders(t))
	}
}

// TestResultOfAUnitThatWasTakenBack ends it, too, where nobody has it.
func TestResultOfAUnitThatWasTakenBack(t *testing.T) {
	d, r := newRound(t, images(t, 20))
	p := r.next(t)
	r.withdraw(p)
	r.take(notice{Unit: p.Key(), Worker: "w"}, d.unitOf(p))
	if !d.brought() || !r.job.Over() {
		t.Errorf("%+v", d.eng.Snapshot())
	}
	r.take(notice{Unit: p.Key(), Worker: "w"}, d.unitOf(p)) // nobody waits for it any more
}

// TestArrivingResultIsWaitedFor also where no worker is there any more.
func TestArrivingResultIsWaitedFor(t *testing.T) {
	_, r := newRound(t, images(t, 300))
	first, second := r.next(t), r.next(t)
	r.begun = time.Now().Add(-time.Hour)
	first.arriving.Store(true)
	if list := r.unneeded(); len(list) != 1 || list[0] != second {
		t.Errorf("%d parcels are taken back", len(list))
	}
}

// TestOrderOfAParcelThatWasTakenBack while it was sent does not stay.
func TestOrderOfAParcelThatWasTakenBack(t *testing.T) {
	d, r := newRound(t, images(t, 20))
	p := r.next(t)
	r.withdraw(p)
	d.must(r.send(p))
	if n := r.orders(t); n != 0 || r.blobs.used[p.model] != 0 {
		t.Errorf("%d orders and %d parcels of the model are left", n, r.blobs.used[p.model])
	}
}

// TestResultThatTheServerDoesNotGive is no fault of the worker: the unit goes out again, and the result stays where the server may still have it.
func TestResultThatTheServerDoesNotGive(t *testing.T) {
	for name, tt := range map[string]struct {
		lose  func(r *round, pieces string) error // an object with these pieces
		stays uint64                              // notices
	}{
		"lost": {func(r *round, _ string) error { return r.purge("OBJ_" + r.resultObjects()) }, 0},
		"lost pieces": {func(r *round, pieces string) error {
			return r.purge("OBJ_"+r.resultObjects(), jetstream.WithPurgeSubject(pieces))
		}, 0},
		"no bucket": {func(r *round, _ string) error { return r.js.DeleteObjectStore(r.ctx, r.resultObjects()) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			d, r := newRound(t, images(t, 20))
			w := &member{machine: self(), seen: time.Now()}
			r.crew["w"] = w
			p := r.next(t)
			objects, err := r.js.ObjectStore(t.Context(), r.resultObjects())
			d.must(err)
			n := notice{Unit: p.Key(), Worker: "w", Object: objectName(p.Key(), "w"), Size: 3}
			info, err := objects.PutString(t.Context(), n.Object, "abc")
			d.must(err)
			d.must(tt.lose(r, "$O."+r.resultObjects()+".C."+info.NUID))
			r.takeResult(r.notify(t, n))
			if w.refused != 0 || p.faults.count() != 0 || r.find(p.Key()) != nil || d.brought() {
				t.Fatalf("refused %d times, %+v", w.refused, p.faults)
			}
			if again := r.next(t); again.Key() != p.Key() {
				t.Error("the unit does not go out again")
			}
			stream, err := r.js.Stream(t.Context(), r.results())
			d.must(err)
			if n := stream.CachedInfo().State.Msgs; n != tt.stays {
				t.Errorf("%d notices are left in place of %d", n, tt.stays)
			}
		})
	}
}

// TestDiscardDeletesWhatIsTheWorkers and nothing that its notice names.
func TestDiscardDeletesWhatIsTheWorkers(t *testing.T) {
	d, r := newRound(t, images(t, 20))
	p := r.next(t)
	objects, err := r.js.ObjectStore(t.Context(), r.resultObjects())
	d.must(err)
	mine, others := objectName(p.Key(), "w"), objectName(p.Key(), "v")
	for _, name := range []string{mine, others} {
		_, err := objects.PutString(t.Context(), name, "abc")
		d.must(err)
	}
	r.takeResult(r.notify(t, notice{Unit: p.Key(), Worker: "w", Object: others, Size: 3}))
	if _, err := objects.GetInfo(t.Context(), others); err != nil {
		t.Errorf("another worker's result: %v", err)
	}
	if _, err := objects.GetInfo(t.Context(), mine); !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Errorf("the worker's result is still there: %v", err)
	}
}

// TestWorkersLostInAnEarlierRun with a unit of the same name fail nothing in this one.
func TestWorkersLostInAnEarlierRun(t *testing.T) {
	_, r := newRound(t, images(t, 20))
	p := r.next(t)
	for seen, want := range map[time.Time]int{r.begun.Add(-time.Minute): 0, r.begun.Add(time.Millisecond): 1} {
		r.crew = map[string]*member{}
		for _, id := range []string{"a", "b", "c"} {
			r.crew[id] = &member{machine: self(), seen: seen, last: beat{Units: []inWork{{Unit: p.Key()}}}}
		}
		until(t, "they are lost", func() bool { return r.options.Pace.lost(seen, time.Now()) })
		if failed := r.noteLost(); len(failed) != want || len(p.faults.lost) != maxFaults*want {
			t.Errorf("%d units fail in place of %d: %+v", len(failed), want, p.faults)
		}
		p.faults = newFaults()
	}
}

// TestFaultsAreNotedByMany at the same time; the race detector looks on.
func TestFaultsAreNotedByMany(t *testing.T) {
	_, r := newRound(t, images(t, 20))
	p := r.next(t)
	r.past[p.Key()] = p.faults // as after it was taken back once
	var wg sync.WaitGroup
	wg.Go(r.judge)
	for i := range 2 * maxFaults {
		wg.Go(func() { r.refuse(p, notice{Worker: string(rune('a' + i))}, errOtherContent) })
		wg.Go(func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.found("a")
			p.faults.tell("b", "no")
		})
	}
	wg.Wait()
	r.judge()
	if r.find(p.Key()) != nil || r.job.Spec().Model != p.model {
		t.Errorf("it goes on: %+v", p.faults)
	}
}

// TestFilesThatAreBroughtAnew for one unit are there for the others that are being ordered, too.
func TestFilesThatAreBroughtAnew(t *testing.T) {
	d, r := newRound(t, images(t, 20))
	p := r.next(t)
	d.must(r.blobs.bring(t.Context(), p))
	want, err := r.blobs.order(p).Encode()
	d.must(err)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.blobs.renew(cancelled, p); err == nil {
		t.Fatal("it is brought")
	}
	if got, err := r.blobs.order(p).Encode(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, %v", got, err)
	}
}

// TestModelThatIsGone fails by itself, whether its units go out for the first time or an earlier process has ordered them; others are computed.
func TestModelThatIsGone(t *testing.T) {
	for name, ordered := range map[string]bool{"first": false, "ordered": true} {
		t.Run(name, func(t *testing.T) {
			root := images(t, 20)
			d := newDesk(t, root, "ab", engine.NoWorkers)
			queue := t.TempDir()
			c, detach := d.serve(queue)
			d.start()
			if ordered {
				newForger(t, c.Join()[0], "f0", nil).take()
			}
			d.must(d.eng.Close())
			detach()
			d.must(c.Close())
			d.open(engine.NoWorkers)
			id := d.start()
			models, err := d.ws.Models()
			d.must(err)
			for _, m := range models {
				if m.ID == "a" {
					d.must(os.Remove(d.ws.ModelPath(m.Hash)))
				}
			}
			c, detach = d.serve(queue)
			hire(t, c.Join()[0], nil)
			if s := d.wait(id); s.Phase != engine.Done || s.Failed != 1 || !errors.Is(s.Tasks[0].Err, errCannotTravel) {
				t.Errorf("%+v", s)
			}
			detach()
			d.must(c.Close())
		})
	}
}

// TestServerThatIsGone holds up neither the end of a run nor that units go back to it.
func TestServerThatIsGone(t *testing.T) {
	d := newDesk(t, images(t, 600), "a", engine.NoWorkers)
	p := newProxy(t, foreign(t))
	c, err := DialFor(t.Context(), t.TempDir(), "nats://"+p.listen.Addr().String(), Options{Self: self(), Pace: quick, Log: logTo(t, "coordinator")})
	d.must(err)
	r := d.roundOf(c)
	first, second := r.next(t), r.next(t)
	d.must(r.send(first))
	d.must(r.send(second))

	p.interrupt() // what is asked is answered by nobody
	var wg sync.WaitGroup
	wg.Go(func() { r.withdraw(first) })
	until(t, "the unit is back", func() bool {
		a, there := r.job.Take(t.Context())
		return there && a.Key() == first.Key()
	})
	p.restore()
	wg.Wait()

	p.interrupt()
	p.drop()
	until(t, "the server is missed", func() bool { return !r.nc.IsConnected() })
	begun := time.Now()
	r.close()
	if took := time.Since(begun); took > requestTime/2 || len(r.onTheirWay()) != 0 {
		t.Errorf("it took %v, and %d parcels are left", took, len(r.onTheirWay()))
	}
	p.restore()
}

// purge takes messages out of a stream.
func (r *round) purge(stream string, which ...jetstream.StreamPurgeOpt) error {
	s, err := r.js.Stream(r.ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(r.ctx, which...)
}

// notify publishes a notice and returns it as it is delivered.
func (r *round) notify(t *testing.T, n notice) jetstream.Msg {
	t.Helper()
	text, err := json.Marshal(n)
	var consumer jetstream.Consumer
	if err == nil {
		_, err = r.js.Publish(t.Context(), r.result(n.Unit, n.Worker), text)
	}
	if err == nil {
		consumer, err = r.js.OrderedConsumer(t.Context(), r.results(), jetstream.OrderedConsumerConfig{})
	}
	var msg jetstream.Msg
	if err == nil {
		msg, err = consumer.Next()
	}
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// unitOf is a parcel's result.
func (d *desk) unitOf(p *parcel) *signal.Unit {
	d.Helper()
	k := &keeper{ctx: d.Context()}
	handed := false
	engine.Work(d.Context(), d.rt, 1, func(context.Context) (engine.Order, bool) {
		first := !handed
		handed = true
		return engine.Order{Prepared: p.Prepared(), Source: p.Source(), Chunk: p.Chunk(), Course: k}, first
	})
	d.must(k.err)
	return k.unit
}

// brought tells whether all units of the run are.
func (d *desk) brought() bool {
	s := d.eng.Snapshot()[0]
	return s.Done == s.Total
}
