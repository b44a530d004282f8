package shards

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// course is a unit that the worker computes (engine.Course).
type course struct {
	w      *worker
	unit   Unit
	order  wire.Order // of the unit
	ctx    context.Context
	cancel context.CancelCauseFunc
	images *os.File
	limit  *time.Timer
	spared bool // a failure is that of its images: with others the model may do
}

func newCourse(w *worker, u Unit) *course {
	c := &course{w: w, unit: u, order: u.Order}
	c.ctx, c.cancel = context.WithCancelCause(w.ctx)
	c.limit = time.AfterFunc(w.by.UnitTime, func() {
		c.cancel(fmt.Errorf("model %s: %w; it took longer than %v", u.Order.ID, errTooLong, w.by.UnitTime))
	})
	return c
}

// prepare checks what the unit needs.
func (c *course) prepare() (o engine.Order, err error) {
	w := c.w
	if err := w.whole(c.order.Model); err != nil {
		return o, fmt.Errorf("model %s: %w", c.order.ID, err)
	}
	c.spared = true
	source, err := c.open(c.order.Images)
	if err != nil {
		return o, fmt.Errorf("the images of the unit: %w", err)
	}
	c.spared = false
	prepared, err := w.prepared.Of(c.order, w.folder.path(modelName(c.order.Model.SHA256)))
	if err != nil {
		return o, err
	}
	return engine.Order{Prepared: prepared, Source: source, Chunk: c.order.Chunk, Course: c}, nil
}

// open holds a pack against its hash and reads from the very file that was held against it.
func (c *course) open(images wire.Blob) (engine.Source, error) {
	name := packName(images.SHA256)
	file, err := c.w.folder.open(name)
	if err == nil {
		c.images = file
		err = images.Check(file)
	}
	if err != nil {
		return nil, unusable(name, err)
	}
	pack, err := c.order.Pack(c.w.kept, file)
	if err != nil {
		return nil, fmt.Errorf("%.12s: %w", images.SHA256, err)
	}
	return pack, nil
}

// unusable says what can be done about a model or pack that is not what its name says.
func unusable(name string, err error) error {
	return fmt.Errorf("%s cannot be used: %w; plan the run again into the same folder, which brings the file back", filepath.FromSlash(name), err)
}

// Context implements engine.Course: it ends with the work, or when the unit has taken too long.
func (c *course) Context() context.Context { return c.ctx }

// Pass implements engine.Course.
func (c *course) Pass() error { return context.Cause(c.ctx) }

// Inferred implements engine.Course.
func (c *course) Inferred(images int) { c.w.progress.Add(int64(images)) }

// Done implements engine.Course: it writes the result. A disk that does not take it ends the work,
// since it would take no other one either.
func (c *course) Done(unit *signal.Unit, _ engine.Spent) {
	data, err := wire.EncodeResult(c.order.Spec, unit)
	if err != nil {
		c.Failed(fmt.Errorf("model %s: %w", c.order.ID, err))
		return
	}
	defer c.end()
	w := c.w
	if err := w.folder.put(resultName(c.order.Unit), w.folder.head(), data); err != nil {
		w.stop(err)
		return
	}
	w.folder.forget(c.order.Unit)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Computed++
	w.report.Inferences += c.unit.inferences()
}

// Failed implements engine.Course: it notes why there is no result, unless the work itself was
// ended.
func (c *course) Failed(err error) {
	defer c.end()
	w := c.w
	if w.ctx.Err() != nil {
		return
	}
	if cause := context.Cause(c.ctx); errors.Is(cause, errTooLong) {
		err = cause
	}
	o := c.order
	f := Failure{Unit: o.Unit, Model: o.ID, Chunk: o.Chunk, Reason: wire.Plain(w.folder.nameless(err.Error()), maxReason)}
	if err := w.folder.note(f); err != nil {
		w.stop(err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Failed++
	w.report.Failures = append(w.report.Failures, f)
	if !c.spared {
		w.given[o.Spec.Model] = true
	}
}

// end frees what the course has.
func (c *course) end() {
	c.limit.Stop()
	c.cancel(nil)
	if c.images != nil {
		_ = c.images.Close() // read only: nothing is lost
	}
}

// putting is how often a file is written whose draft another computer has removed.
const putting = 3

// put writes a file of the results through a draft beside it. A computer of the same name takes
// the draft for one that was left behind, and may remove it once, when it begins. A link that has
// come into the place of the folder meanwhile is not followed.
func (f *Folder) put(name string, pieces ...[]byte) (err error) {
	path := f.path(name)
	for range putting {
		if err := f.around(name); err != nil && !errors.Is(err, fs.ErrNotExist) { // what durable says of a folder that is gone is better
			return err
		}
		err = durable.Through(durable.DraftOf(path), path, func(w io.Writer) error {
			for _, piece := range pieces {
				if _, err := w.Write(piece); err != nil {
					return err
				}
			}
			return nil
		})
		if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, durable.ErrGone) {
			break
		}
	}
	return err
}

// The bounds of a note about a failure.
const (
	maxNote   = 1 << 16 // bytes of the file
	maxReason = 4096    // bytes
)

// note writes down why a unit has no result.
func (f *Folder) note(failure Failure) error {
	data, err := json.Marshal(failure)
	if err != nil {
		return err
	}
	return f.put(failedName(failure.Unit), append(data, '\n'))
}

// forget removes the note about a unit that has a result. One that stays says nothing: results are
// looked for first.
func (f *Folder) forget(unit string) {
	name := failedName(unit)
	if f.around(name) != nil {
		return
	}
	if _, err := os.Lstat(f.path(name)); err == nil {
		_ = durable.Delete(f.path(name))
	}
}

// noted is the reason in the note about a unit, empty where there is none that can be read.
func (f *Folder) noted(unit string) string {
	var n Failure
	data, err := f.readLimited(failedName(unit), maxNote)
	if err != nil || json.Unmarshal(data, &n) != nil || n.Unit != unit {
		return ""
	}
	return wire.Plain(n.Reason, maxReason)
}

// nameless cuts the paths in a text that begin with this machine's folders to what follows: notes
// travel with the folder, and what the folders are called, users among them, is nobody's business.
// Names of tensors, which look alike, stay.
func (f *Folder) nameless(text string) string {
	absolute, _ := filepath.Abs(f.dir)
	home, _ := os.UserHomeDir()
	for _, root := range []string{absolute, home, os.TempDir()} {
		resolved, _ := filepath.EvalSymlinks(root) // as systems name it in their errors
		for _, known := range []string{root, resolved} {
			if known = strings.TrimRight(known, `/\`); len(known) > 1 {
				text = strings.ReplaceAll(text, known+string(filepath.Separator), "")
			}
		}
	}
	return text
}
