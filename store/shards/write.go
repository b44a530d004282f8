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

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/job"
)

// Making is what a plan is made of.
type Making struct {
	Program string       // version of this program
	Run     job.Prepared // which stays the caller's
	// Has tells whether the workspace has a unit already (store.Workspace.Has); such units are not planned.
	Has    func(unitKey string) (bool, error)
	Shards int
}

// ErrNothingToPlan says that the workspace has all units.
var ErrNothingToPlan = errors.New("there is nothing to plan: all signals of this run are in the workspace already")

// Written is what Write has made, or found.
type Written struct {
	*Plan
	// Again says that the folder held the plan already, and Brought are the names of its files that were brought back.
	Again   bool
	Brought []string
	// Remarks are sentences about what the plan that was there lacks of the run as it is now.
	Remarks []error
}

// Planned is the plan that a folder holds, nil where it holds none that can be read. Who plans the same run again takes its batches
// (Plan.Request): what is in the workspace by now may be of others.
func Planned(dir string) *Plan {
	folder, err := Open(dir)
	if err != nil {
		return nil
	}
	return folder.Plan
}

// Write makes the folder of a plan, which appears whole or not at all. dir must be free, an empty folder (or a link to one), or hold a plan of the
// same run: then, unless the workspace lacks nothing of the run any more (ErrNothingToPlan), that plan stays as it is, whatever the workspace has computed,
// collected or lost meanwhile, and so do its results; models and images that are missing or damaged are brought back, and texts that are missing or empty.
// Progress counts files. Errors: ErrNothingToPlan; models or images that cannot travel; what durable says of the disk.
func Write(ctx context.Context, dir string, in Making, p engine.Progress) (Written, error) {
	if in.Shards < 1 || in.Shards > MaxShards {
		return Written{}, fmt.Errorf("a plan has 1 to %d shards, not %d", MaxShards, in.Shards)
	}
	dir, err := followed(dir)
	if err != nil {
		return Written{}, err
	}
	there, err := occupant(dir)
	if err != nil {
		return Written{}, err
	}
	tasks, units, err := missing(ctx, in)
	if err != nil {
		return Written{}, err
	}
	if there != nil {
		return (&mender{folder: there, in: in, progress: p}).mend(ctx, tasks, units)
	}
	if err := durable.Folders(filepath.Dir(filepath.Clean(dir))); err != nil {
		return Written{}, err
	}
	draft, err := durable.NewDraft(dir)
	if err != nil {
		return Written{}, err
	}
	w := &writer{draft: draft, in: in, tasks: tasks, units: units, packs: map[int]wire.Blob{}, progress: p}
	plan, err := w.write(ctx)
	if err == nil {
		err = placed(draft, dir)
	}
	return Written{Plan: plan}, errors.Join(err, draft.Discard())
}

// placed gives the draft its name, in the place of an empty folder where there is one.
func placed(draft *durable.Draft, dir string) error {
	if _, err := os.Lstat(dir); err == nil {
		if err := durable.Delete(dir); err != nil {
			return err
		}
	}
	return draft.Place()
}

// followed is the folder that dir leads to where it is a link, as to a disk for scratch: the link stays.
func followed(dir string) (string, error) {
	info, err := os.Lstat(dir)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return dir, nil // what is wrong with it is found when it is read or written
	}
	to, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("the plan's folder %s is a link that leads nowhere: %w; make the folder that it leads to, or choose another one", dir, err)
	}
	return to, nil
}

// occupant is the plan that a folder holds, nil where it is free; anything else is an error.
func occupant(dir string) (*Folder, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the plan's folder %s: %w; choose another one", dir, err)
	}
	folder, err := Open(dir)
	switch _, absent := os.Lstat(filepath.Join(dir, manifestFile)); {
	case err == nil:
		return folder, nil
	case absent != nil:
		return nil, fmt.Errorf("a plan needs a folder of its own, and something else lies in this one; choose another: %w", err)
	case !errors.Is(err, errManifest):
		return nil, fmt.Errorf("%w; choose another folder", err)
	}
	return nil, fmt.Errorf("%w; choose another folder, and move what is in its folder %s into that of the new plan: what was computed stays valid", err, resultsFolder)
}

// missing are the units that the workspace lacks, and the tasks that have some.
func missing(ctx context.Context, in Making) (tasks []engine.Task, units []planned, err error) {
	for _, task := range in.Run.Tasks {
		prepared, err := engine.Prepare(task, nil)
		if err != nil {
			return nil, nil, err
		}
		before := len(units)
		for chunk := range task.Spec.Chunks() {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			has, err := in.Has(task.Spec.UnitKey(chunk))
			if err != nil {
				return nil, nil, fmt.Errorf("model %s: look for finished signals: %w", task.ID, err)
			}
			_, images := task.Spec.ChunkImages(chunk)
			if !has {
				units = append(units, planned{len(tasks), chunk, int64(images) * int64(prepared.Transformations())})
			}
		}
		if len(units) > before {
			tasks = append(tasks, task)
		}
	}
	if len(units) == 0 {
		return nil, nil, ErrNothingToPlan
	}
	if len(tasks) > MaxModels || len(units) > MaxUnits {
		return nil, nil, fmt.Errorf("the plan is too large: %w", tooLarge(len(tasks), len(units)))
	}
	return tasks, units, nil
}

// writer fills the draft of a folder.
type writer struct {
	draft    *durable.Draft
	in       Making
	tasks    []engine.Task
	units    []planned
	packs    map[int]wire.Blob // by chunk
	progress engine.Progress
}

func (w *writer) write(ctx context.Context) (*Plan, error) {
	chunks := map[int]bool{}
	for _, u := range w.units {
		chunks[u.chunk] = true
	}
	w.progress.SetTotal(int64(len(chunks) + len(w.tasks)))
	for _, name := range []string{modelsFolder, imagesFolder, resultsFolder} {
		if err := w.draft.Mkdir(name); err != nil {
			return nil, err
		}
	}
	m := w.manifest()
	for chunk := range w.tasks[0].Spec.Chunks() {
		if !chunks[chunk] {
			continue
		}
		if err := w.pack(ctx, chunk); err != nil {
			return nil, err
		}
		m.Packs = append(m.Packs, pack{chunk, w.packs[chunk]})
		w.progress.Add(1)
	}
	for i, task := range w.tasks {
		order, err := w.model(ctx, i, task)
		if err != nil {
			return nil, err
		}
		part := modelPart{Order: order}
		for _, u := range w.units {
			if u.model == i {
				part.Chunks = append(part.Chunks, u.chunk)
			}
		}
		m.Models = append(m.Models, part)
		w.progress.Add(1)
	}
	return w.texts(m)
}

// manifest is all but packs and models.
func (w *writer) manifest() manifest {
	req := w.in.Run.Request()
	return manifest{
		Form: Form, Program: w.in.Program, Suite: w.in.Run.Suite, Shards: w.in.Shards,
		Request: request{Models: req.Models, Positions: req.Positions, Vectors: req.Vectors, ClassMap: req.ClassMap, Batches: req.Batches},
	}
}

// pack writes the images of a chunk, whose name is known afterwards.
func (w *writer) pack(ctx context.Context, chunk int) error {
	const unnamed = imagesFolder + "/unnamed"
	first, n := w.tasks[0].Spec.ChunkImages(chunk)
	err := w.draft.Write(unnamed, func(out io.Writer) (err error) {
		w.packs[chunk], err = wire.WritePack(ctx, out, w.in.Run.Source, first, n)
		return err
	})
	if err != nil {
		return err
	}
	return durable.Move(w.at(unnamed), w.at(packName(w.packs[chunk].SHA256)))
}

// at is a place in the draft.
func (w *writer) at(name string) string {
	return filepath.Join(w.draft.Path, filepath.FromSlash(name))
}

// model copies a model's file and describes its first unit.
func (w *writer) model(ctx context.Context, i int, task engine.Task) (json.RawMessage, error) {
	var blob wire.Blob
	err := w.draft.Write(modelName(task.Spec.Model), func(out io.Writer) (err error) {
		blob, err = copyModel(ctx, out, task)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, u := range w.units {
		if u.model == i {
			return wire.NewOrder(task, u.chunk, blob, w.packs[u.chunk]).Encode()
		}
	}
	return nil, fmt.Errorf("model %s has no units", task.ID)
}

// copyModel copies a model's file, whose content must be that of its name.
func copyModel(ctx context.Context, out io.Writer, task engine.Task) (wire.Blob, error) {
	from, err := os.Open(task.Feed.Path)
	if err != nil {
		return wire.Blob{}, fmt.Errorf("model %s: %w", task.ID, err)
	}
	defer func() { _ = from.Close() }() // read only: nothing is lost
	blob, err := wire.BlobOf(io.TeeReader(&interruptible{ctx, from}, out))
	if err != nil {
		return blob, fmt.Errorf("model %s: %w", task.ID, err)
	}
	if blob.SHA256 != task.Spec.Model {
		return blob, fmt.Errorf("model %s: its file has changed since it was imported; variscope doctor says more", task.ID)
	}
	return blob, nil
}

// interruptible is a reader that ends with ctx.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}

// texts writes the manifest and what people and job schedulers read.
func (w *writer) texts(m manifest) (*Plan, error) {
	data, err := m.encode()
	if err != nil {
		return nil, err
	}
	plan, err := ReadPlan(data) // what every worker will say of it
	if err != nil {
		return nil, err
	}
	err = w.draft.WriteBytes(manifestFile, data)
	for _, name := range []string{scriptFile, readmeFile} {
		if err == nil {
			err = w.draft.Write(name, writing(plan.text(name)))
		}
	}
	return plan, err
}
