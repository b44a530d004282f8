package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// parcel is a unit that a worker has.
type parcel struct {
	*engine.Assignment
	worker     string // id
	inferences int64
	arriving   atomic.Bool // its result is being read

	// The coordinator's mutex guards these.
	counted int64     // inferences that the worker has told
	named   time.Time // when the worker last said that it has it, or was given it
}

// round is the coordinator's part in one run.
type round struct {
	*Coordinator
	job   *engine.Job
	ctx   context.Context
	end   context.CancelFunc
	mixed bool     // any processor may compute its units
	needs []string // kinds of devices besides the processor
	at    sync.WaitGroup
	room  *semaphore.Weighted // bytes of results that are being read

	packing sync.Mutex
	packed  map[int]wire.Blob // packs of images by chunk

	// The coordinator's mutex guards these.
	parcels map[string]*parcel // by unit
	faults  map[string]*faults // of all units that have some
	sought  map[string]bool    // units that workers have named and that were not to be claimed
	files   map[string]string  // paths of models and packs by hash
}

// maxArriving bounds the results that are read at the same time; a larger one is read alone.
const maxArriving = 256 << 20

// Execute hands units of a run to the workers that ask for them, and takes what they bring
// (engine.Executor). When the run is cancelled, workers are told to stop; when the engine is
// closed, they go on with what they have, and the next run that needs these units gets their
// results.
func (c *Coordinator) Execute(ctx context.Context, j *engine.Job) {
	r := c.begin(ctx, j)
	r.at.Go(r.watch)
	j.Computed(r.ctx)
	r.close()
}

func (c *Coordinator) begin(ctx context.Context, j *engine.Job) *round {
	r := &round{
		Coordinator: c, job: j, mixed: j.Spec().IsMixed(), needs: j.Devices(), room: semaphore.NewWeighted(maxArriving),
		packed: map[int]wire.Blob{}, parcels: map[string]*parcel{}, faults: map[string]*faults{},
		sought: map[string]bool{}, files: map[string]string{},
	}
	r.ctx, r.end = context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.round = r
	close(c.begun)
	c.begun = make(chan struct{})
	return r
}

// close ends the round: after a cancel nobody needs what is on its way; when the engine is closed,
// workers keep it.
func (r *round) close() {
	r.end()
	r.mu.Lock()
	r.round, r.trouble = nil, nil
	r.mu.Unlock()
	r.at.Wait()
	left := r.onTheirWay(func(*parcel) bool { return true })
	if r.job.Closed() {
		for _, p := range left {
			r.drop(p)
			p.Return()
		}
	} else {
		r.withdraw(left)
	}
	_ = durable.DeleteAll(r.packs) // what stays is removed with the next run
	r.options.Changed()
}

// enter is the round at work for somebody who has to leave it with at.Done; where there is none,
// it waits for one until ctx ends, and is nil then.
func (c *Coordinator) enter(ctx context.Context) *round {
	for {
		c.mu.Lock()
		r, begun := c.round, c.begun
		if r != nil {
			r.at.Add(1)
		}
		c.mu.Unlock()
		if r != nil {
			return r
		}
		select {
		case <-begun:
		case <-ctx.Done():
			return nil
		}
	}
}

// asking is what a worker asks for a unit with: those that it has.
type asking struct {
	Units []string `json:"units"`
}

// given is a unit that a worker is to compute.
type given struct {
	Unit  string          `json:"unit"` // key
	Order json.RawMessage `json:"order"`
}

// handTo answers a worker that has room: with a unit, or with nothing where none comes within a
// beat.
func (c *Coordinator) handTo(ctx context.Context, worker string, data []byte) []byte {
	var has asking
	if strictly(data, maxBeat, &has) != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.options.Pace.Beat)
	defer cancel()
	for first := true; ctx.Err() == nil; first = false {
		r := c.enter(ctx)
		if r == nil {
			return nil
		}
		order, ended := r.hand(ctx, worker, has.Units, first)
		if order == nil {
			select {
			case <-ended:
			case <-ctx.Done():
			}
		}
		r.at.Done()
		if order != nil {
			return order
		}
	}
	return nil
}

// spare is how many units a worker may have per core: one is computed, the one before is brought,
// and the next one is fetched.
const spare = 3

// hand gives a worker its next unit. Where there is none, ended is closed when the run has ended.
// What the worker was given before and does not say that it has never arrived there.
func (r *round) hand(
	ctx context.Context, worker string, has []string, first bool,
) (order []byte, ended <-chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.ctx, cancel)()
	if first {
		r.adopt(worker, has)
		r.takeBack(r.onTheirWay(func(p *parcel) bool {
			return p.worker == worker && !p.arriving.Load() && !slices.Contains(has, p.Key())
		}))
	}
	r.mu.Lock()
	m := r.crew[worker]
	may := m != nil && r.mayTake(m)
	held := 0
	for _, p := range r.parcels {
		if p.worker == worker {
			held++
		}
	}
	full := may && held >= spare*m.machine.Cores
	r.mu.Unlock()
	for may && !full {
		a, ok := r.job.Next(ctx, worker)
		if !ok {
			break
		}
		p := r.keep(a, worker)
		text, err := r.order(r.ctx, p) // a worker that does not wait that long asks again
		switch {
		case err == nil:
			r.setTrouble(nil)
			return say(given{p.Key(), text}), nil
		case !r.drop(p):
		case errors.Is(err, errCannotTravel):
			p.Failed(err)
		default:
			p.Return()
			if r.ctx.Err() == nil {
				r.setTrouble(err)
			}
			return nil, r.ctx.Done()
		}
	}
	return nil, r.ctx.Done()
}

// mayTake tells under the mutex whether a worker may compute the run's units.
func (r *round) mayTake(m *member) bool {
	return (r.mixed || m.machine.alike(r.options.Self)) && !slices.ContainsFunc(r.needs, func(kind string) bool { return !m.machine.offers(kind) })
}

// keep remembers a unit that a worker has.
func (r *round) keep(a *engine.Assignment, worker string) *parcel {
	_, images := a.Prepared().Task().Spec.ChunkImages(a.Chunk())
	inferences := int64(images) * int64(a.Prepared().Transformations())
	p := &parcel{Assignment: a, worker: worker, inferences: inferences, named: time.Now()}
	p.By(worker)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parcels[p.Key()] = p
	return p
}

// adopt takes units for a worker's that it has from an earlier process of the coordinator, or from
// before it was missed.
func (r *round) adopt(worker string, units []string) {
	for _, key := range units {
		r.mu.Lock()
		known := r.parcels[key] != nil || r.sought[key]
		r.mu.Unlock()
		if known {
			continue
		}
		if a, wanted := r.job.Claim(key, worker); wanted {
			p := r.keep(a, worker)
			if _, err := r.order(r.ctx, p); err != nil { // it may still need its files
				r.takeBack([]*parcel{p})
			}
			continue
		}
		r.mu.Lock()
		if len(r.sought) < maxSought {
			r.sought[key] = true
		}
		r.mu.Unlock()
	}
}

// maxSought bounds what is remembered of names that mean nothing.
const maxSought = 1 << 16

// drop forgets a parcel; false where that happened before, even if its unit has gone out again in
// another one.
func (r *round) drop(p *parcel) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	there := r.parcels[p.Key()] == p
	if there {
		delete(r.parcels, p.Key())
	}
	return there
}

// onTheirWay are the parcels of a kind.
func (r *round) onTheirWay(is func(*parcel) bool) (list []*parcel) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.parcels {
		if is(p) {
			list = append(list, p)
		}
	}
	return list
}

// takeBack gives units back to the run. A worker that has one all the same may still bring it, as
// long as nobody else has computed it.
func (r *round) takeBack(list []*parcel) {
	for _, p := range list {
		if r.drop(p) {
			p.Return()
		}
	}
}

// withdraw takes units back and tells workers to stop computing them.
func (r *round) withdraw(list []*parcel) {
	r.takeBack(list)
	var gone withdrawn
	for _, p := range list {
		gone.Units = append(gone.Units, p.Key())
	}
	if len(list) == 0 {
		return
	}
	if err := r.publish(r.subject("withdrawn"), gone); err != nil {
		r.options.Log.Warn("withdraw units", "error", err)
	}
}

// watch withdraws the units of models that have failed, and gives units back that no sign of life
// has named for too long.
func (r *round) watch() {
	tick := time.NewTicker(r.options.Pace.Beat)
	defer tick.Stop()
	for {
		select {
		case <-r.ctx.Done():
			return
		case now := <-tick.C:
			r.withdraw(r.onTheirWay(func(p *parcel) bool { return p.Context().Err() != nil }))
			for _, p := range r.onTheirWay(func(p *parcel) bool {
				return !p.arriving.Load() && now.Sub(p.named) > r.options.Pace.AckWait
			}) {
				r.blame(p, func(f *faults) {
					if m := r.crew[p.worker]; m != nil && r.options.Pace.lost(m.seen, now) {
						f.note(p.worker, lost, "")
					}
				})
			}
		}
	}
}

// errCannotTravel says that a unit can be computed on this computer alone, if at all: another
// attempt would end the same way.
var errCannotTravel = errors.New("it cannot be sent to other machines")

// order describes a unit, whose files can be asked for from then on.
func (r *round) order(ctx context.Context, p *parcel) ([]byte, error) {
	task := p.Prepared().Task()
	file, err := durable.OpenRegular(task.Feed.Path)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w: %w", task.ID, errCannotTravel, err)
	}
	info, err := file.Stat()
	_ = file.Close() // read only: nothing is lost
	if err != nil {
		return nil, fmt.Errorf("model %s: %w: %w", task.ID, errCannotTravel, err)
	}
	images, err := r.pack(ctx, p)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.files[task.Spec.Model] = task.Feed.Path
	r.mu.Unlock()
	text, err := wire.NewOrder(task, p.Chunk(), wire.Blob{SHA256: task.Spec.Model, Size: info.Size()}, images).Encode()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCannotTravel, err)
	}
	return text, nil
}

// pack writes the images of a unit's chunk into a file, once in a run.
func (r *round) pack(ctx context.Context, p *parcel) (blob wire.Blob, err error) {
	r.packing.Lock()
	defer r.packing.Unlock()
	if blob, there := r.packed[p.Chunk()]; there {
		return blob, nil
	}
	if err := durable.Folders(r.packs); err != nil {
		return blob, err
	}
	task := p.Prepared().Task()
	first, n := task.Spec.ChunkImages(p.Chunk())
	draft := durable.DraftOf(filepath.Join(r.packs, "pack"))
	var reading error
	err = durable.Fill(draft, func(w io.Writer) error {
		out := &noting{w: w}
		blob, reading = wire.WritePack(ctx, out, p.Source(), first, n)
		if out.err != nil {
			reading = nil
		}
		return errors.Join(out.err, reading)
	})
	switch {
	case ctx.Err() != nil:
		return blob, context.Cause(ctx)
	case reading != nil:
		return blob, fmt.Errorf("model %s: %w: images from %d on: %w", task.ID, errCannotTravel, first, reading)
	case err != nil:
		return blob, err
	}
	path := filepath.Join(r.packs, blob.SHA256)
	if err := durable.Move(draft, path); err != nil {
		return blob, err
	}
	r.packed[p.Chunk()] = blob
	r.mu.Lock()
	r.files[blob.SHA256] = path
	r.mu.Unlock()
	return blob, nil
}

// noting notes why something could not be written, to tell it from what could not be read.
type noting struct {
	w   io.Writer
	err error
}

func (n *noting) Write(p []byte) (int, error) {
	done, err := n.w.Write(p)
	n.err = errors.Join(n.err, err)
	return done, err
}

// fileFor gives a worker a piece of a model or pack of the run.
func (c *Coordinator) fileFor(_ context.Context, _ string, data []byte) []byte {
	var ask wanted
	if strictly(data, maxNotice, &ask) != nil {
		return nil
	}
	c.mu.Lock()
	path := ""
	if c.round != nil {
		path = c.round.files[ask.Name]
	}
	c.mu.Unlock()
	if path == "" {
		return nil
	}
	file, err := durable.OpenRegular(path)
	if err != nil {
		c.options.Log.Warn("a worker's file cannot be read", "error", err)
		return nil
	}
	defer func() { _ = file.Close() }() // read only: nothing is lost
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	return c.cut(file, info.Size(), ask.Offset)
}

// verdict answers a worker that has brought a result.
type verdict struct {
	Later   bool   `json:"later,omitempty"`   // it cannot be taken now
	Refused string `json:"refused,omitempty"` // why it cannot be used
}

// takeFrom takes a result. One that nobody waits for is taken as well, and is nothing; while no
// run is at work, or the result is being read already, it has to be brought again.
func (c *Coordinator) takeFrom(ctx context.Context, worker string, data []byte) []byte {
	var n notice
	if err := strictly(data, maxNotice, &n); err != nil {
		return say(verdict{Refused: err.Error()})
	}
	now, cancel := context.WithCancel(ctx)
	cancel() // it is not waited for
	r := c.enter(now)
	if r == nil {
		return say(verdict{Later: true})
	}
	defer r.at.Done()
	p := r.expect(n.Unit, worker)
	if p == nil {
		return say(verdict{})
	}
	if !p.arriving.CompareAndSwap(false, true) {
		return say(verdict{Later: true})
	}
	defer p.arriving.Store(false)
	unit, err := r.fetch(p, worker, n)
	switch {
	case errors.Is(err, errUnusable):
		r.refuse(p, worker, err)
		return say(verdict{Refused: wire.Plain(err.Error(), maxReason)})
	case err != nil:
		return say(verdict{Later: true})
	}
	// It may have been taken back meanwhile, and have gone out again.
	if p = r.expect(n.Unit, worker); p != nil && r.drop(p) {
		p.By(worker)
		p.Done(unit, n.spent())
		if p.worker != worker {
			r.withdraw([]*parcel{p})
		}
	}
	return say(verdict{})
}

// expect is the parcel of a unit that is brought: the one that is on its way, or one for a unit
// that nobody has; nil where nobody waits for it.
func (r *round) expect(key, worker string) *parcel {
	r.mu.Lock()
	p := r.parcels[key]
	r.mu.Unlock()
	if p != nil {
		return p
	}
	if a, wanted := r.job.Claim(key, worker); wanted {
		return r.keep(a, worker)
	}
	return nil
}

// errUnusable is an error of a result itself, which is its worker's fault; others are the
// connection's.
var errUnusable = errors.New("the result cannot be used")

// fetch reads a result after a look at its size, and checks every bit of it.
func (r *round) fetch(p *parcel, worker string, n notice) (*signal.Unit, error) {
	spec, transformations := p.Prepared().Task().Spec, p.Prepared().Transformations()
	if most := wire.ResultLimit(spec, p.Chunk(), transformations); n.Size < 1 || n.Size > most {
		return nil, fmt.Errorf("%w: it has %d bytes, and such a result %d at most", errUnusable, n.Size, most)
	}
	weight := min(n.Size, maxArriving)
	if err := r.room.Acquire(r.ctx, weight); err != nil {
		return nil, err
	}
	defer r.room.Release(weight)
	var data []byte
	err := r.pull(r.ctx, r.to(worker, "piece"), n.Unit, n.Size, func(piece []byte) error {
		if int64(len(piece)) == n.Size { // as usual
			data = piece
			return nil
		}
		data = append(slices.Grow(data, int(n.Size)-len(data)), piece...)
		return nil
	})
	if errors.Is(err, errOversized) {
		return nil, fmt.Errorf("%w: %w", errUnusable, err)
	}
	if err != nil {
		return nil, err
	}
	unit, err := wire.DecodeResult(data, spec, p.Chunk(), transformations)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnusable, err)
	}
	return unit, nil
}

// maxRefused is how many results of a worker may be unusable before it has to leave.
const maxRefused = 3

// refuse hands a unit out again whose result cannot be used, unless it has failed.
func (r *round) refuse(p *parcel, worker string, reason error) {
	r.mu.Lock()
	name, dismiss := worker, false
	if m := r.crew[worker]; m != nil {
		m.refused++
		m.problem = "its result is refused: " + reason.Error()
		name, dismiss = m.machine.Name, m.refused >= maxRefused
	}
	r.mu.Unlock()
	err := fmt.Errorf("model %s, images from %d on: the result of worker %s is refused: %w",
		p.Prepared().Task().ID, p.Chunk()*signal.ChunkSize, name, reason)
	r.options.Log.Warn("a result is refused", "error", err)
	if dismiss {
		r.dismiss(worker, "its results cannot be used: "+reason.Error())
	}
	if p.worker == worker {
		r.blame(p, func(f *faults) { f.note(worker, refused, err.Error()) })
	}
}
