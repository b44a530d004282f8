package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// errCannotTravel says that a unit can be computed on this computer alone, if at all: another
// attempt would end the same way.
var errCannotTravel = errors.New("it cannot be sent to other machines")

// order describes a unit, whose files can be asked for from then on.
func (r *round) order(p *parcel) ([]byte, error) {
	task := p.Prepared().Task()
	file, err := durable.OpenRegular(task.Feed.Path)
	var info fs.FileInfo
	if err == nil {
		info, err = file.Stat()
		_ = file.Close() // read only: nothing is lost
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w: %w", task.ID, errCannotTravel, err)
	}
	images, err := r.pack(p)
	if err != nil {
		return nil, err
	}
	r.offer(task.Spec.Model, task.Feed.Path)
	text, err := wire.NewOrder(task, p.Chunk(), wire.Blob{SHA256: task.Spec.Model, Size: info.Size()}, images).Encode()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCannotTravel, err)
	}
	return text, nil
}

// offer lets workers ask for a file by its hash.
func (r *round) offer(hash, path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[hash] = path
}

// pack writes the images of a unit's chunk into a file, once in a run.
func (r *round) pack(p *parcel) (blob wire.Blob, err error) {
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
	var unread error
	err = durable.Fill(draft, func(w io.Writer) (err error) {
		out := &noting{w: w}
		if blob, err = wire.WritePack(r.ctx, out, p.Source(), first, n); out.err == nil {
			unread = err
		}
		return err
	})
	switch {
	case r.ctx.Err() != nil:
		return blob, context.Cause(r.ctx)
	case unread != nil:
		return blob, fmt.Errorf("model %s: %w: images from %d on: %w", task.ID, errCannotTravel, first, unread)
	case err != nil:
		return blob, err
	}
	path := filepath.Join(r.packs, blob.SHA256)
	if err := durable.Move(draft, path); err != nil {
		return blob, err
	}
	r.packed[p.Chunk()] = blob
	r.offer(blob.SHA256, path)
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

// fileFor gives a piece of a model or pack of the run.
func (c *Coordinator) fileFor(ask wanted) []byte {
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
