package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/wire"
)

// blobs brings models and packs of images to the server, each once, and removes them when no unit on its way needs them.
type blobs struct {
	bus
	link           *link
	models, images jetstream.ObjectStore

	mu     sync.Mutex
	known  map[string]wire.Blob // models by hash
	packs  map[packed]wire.Blob
	used   map[string]int // parcels on their way, by model
	latest string         // the model of the last unit that was ordered
}

// packed is a pack of a run's images, which all its models read.
type packed struct{ chunk int }

func openBlobs(ctx context.Context, b bus, l *link) (*blobs, error) {
	s := &blobs{bus: b, link: l, known: map[string]wire.Blob{}, packs: map[packed]wire.Blob{}, used: map[string]int{}}
	var err error
	if s.models, err = b.js.ObjectStore(ctx, b.modelObjects()); err == nil {
		s.images, err = b.js.ObjectStore(ctx, b.imageObjects())
	}
	return s, fmtQueue(err)
}

// bring sees to it that a parcel's model and images are on the server.
func (s *blobs) bring(ctx context.Context, p *parcel) error {
	ctx, cancel := context.WithTimeout(ctx, transferTime)
	defer cancel()
	ctx, done := s.link.during(ctx)
	defer done()
	s.mu.Lock() // all the while: what is brought must not be removed at the same time
	defer s.mu.Unlock()
	task := p.Prepared().Task()
	if err := s.bringModel(ctx, task); err != nil {
		return err
	}
	if err := s.bringImages(ctx, p); err != nil {
		return err
	}
	p.files = [2]wire.Blob{s.known[p.model], s.packs[packed{p.Chunk()}]}
	before := s.latest
	if !p.brought {
		p.brought = true
		s.used[p.model]++
	}
	s.latest = p.model
	if before != p.model {
		s.drop(ctx, before)
	}
	return nil
}

// renew looks on the server for a parcel's model and images and brings what is missing.
func (s *blobs) renew(ctx context.Context, p *parcel) error {
	s.mu.Lock()
	delete(s.known, p.model)
	delete(s.packs, packed{p.Chunk()})
	s.mu.Unlock()
	return s.bring(ctx, p)
}

func (s *blobs) bringModel(ctx context.Context, task engine.Task) error {
	hash := task.Spec.Model
	if _, there := s.known[hash]; there {
		return nil
	}
	file, err := os.Open(task.Feed.Path)
	if err != nil {
		return fmt.Errorf("model %s: %w: %w", task.ID, errCannotTravel, err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("model %s: %w: %w", task.ID, errCannotTravel, err)
	}
	blob := wire.Blob{SHA256: hash, Size: info.Size()}
	if err := s.put(ctx, s.models, blob, file); err != nil {
		return fmt.Errorf("model %s: %w", task.ID, err)
	}
	s.known[hash] = blob
	return nil
}

// put brings an object unless it is there.
func (s *blobs) put(ctx context.Context, to jetstream.ObjectStore, blob wire.Blob, from io.Reader) error {
	info, err := to.GetInfo(ctx, blob.SHA256)
	if err == nil && info.Size == uint64(blob.Size) {
		if whole, err := s.isWhole(ctx, info); whole || err != nil {
			return fmtQueue(err)
		}
	}
	if _, err := to.Put(ctx, jetstream.ObjectMeta{Name: blob.SHA256}, from); err != nil {
		return fmtQueue(err)
	}
	return nil
}

// isWhole tells whether the server has all pieces of an object, as it may not after it was killed.
func (s *blobs) isWhole(ctx context.Context, info *jetstream.ObjectInfo) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	stream, err := s.js.Stream(ctx, "OBJ_"+info.Bucket)
	if err != nil {
		return false, err
	}
	pieces := "$O." + info.Bucket + ".C." + info.NUID
	state, err := stream.Info(ctx, jetstream.WithSubjectFilter(pieces))
	if err != nil {
		return false, err
	}
	return state.State.Subjects[pieces] == uint64(info.Chunks), nil
}

// bringImages packs a chunk. A pack is written twice, once to know its name: that takes less than keeping it in memory would cost.
func (s *blobs) bringImages(ctx context.Context, p *parcel) error {
	at := packed{p.Chunk()}
	if _, there := s.packs[at]; there {
		return nil
	}
	spec := p.Prepared().Task().Spec
	first, n := spec.ChunkImages(p.Chunk())
	blob, err := wire.WritePack(ctx, io.Discard, p.Source(), first, n)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("model %s: %w: images from %d on: %w", p.Prepared().Task().ID, errCannotTravel, first, err)
	}
	reader, writer := io.Pipe()
	var packing sync.WaitGroup
	packing.Go(func() {
		_, err := wire.WritePack(ctx, writer, p.Source(), first, n)
		_ = writer.CloseWithError(err) // it never fails
	})
	err = s.put(ctx, s.images, blob, reader)
	_ = reader.CloseWithError(errors.New("the pack is there already")) // ends the writing
	packing.Wait()
	if err != nil {
		return err
	}
	s.packs[at] = blob
	return nil
}

// order describes a parcel whose model and images are on the server.
func (s *blobs) order(p *parcel) wire.Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	task := p.Prepared().Task()
	return wire.NewOrder(task, p.Chunk(), p.files[0], p.files[1])
}

// release counts a parcel as no longer on its way.
func (s *blobs) release(ctx context.Context, p *parcel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !p.brought {
		return // its result was there before its order
	}
	p.brought = false
	s.used[p.model]--
	s.drop(ctx, p.model)
}

// drop removes under the mutex a model that no parcel on its way needs and that is not the one of the units that come next.
func (s *blobs) drop(ctx context.Context, model string) {
	if _, known := s.known[model]; !known || s.used[model] > 0 || s.latest == model {
		return
	}
	delete(s.known, model)
	delete(s.used, model)
	if !s.nc.IsConnected() {
		return // waiting for the server would hold up everything
	}
	_ = s.models.Delete(ctx, model) // what stays is removed with the run
}

// empty removes all models and packs, and what is left of results where none waits for a run: objects that are deleted one by one leave a mark each,
// and with it the file that it lies in.
func (s *blobs) empty(ctx context.Context) error {
	buckets := []string{s.modelObjects(), s.imageObjects()}
	waiting, err := s.js.Stream(ctx, s.results())
	if err != nil {
		return fmtQueue(err)
	}
	if waiting.CachedInfo().State.Msgs == 0 {
		buckets = append(buckets, s.resultObjects())
	}
	for _, bucket := range buckets {
		stream, err := s.js.Stream(ctx, "OBJ_"+bucket)
		if err == nil {
			err = stream.Purge(ctx)
		}
		if err != nil {
			return fmtQueue(err)
		}
	}
	return nil
}
