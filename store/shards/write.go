package shards

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/job"
)

// Making is what a plan is made of.
type Making struct {
	Program string       // version of this program
	Run     job.Prepared // which stays the caller's
	// Has tells whether the workspace has a unit already (store.Workspace.Has); such units are not
	// planned.
	Has    func(unitKey string) (bool, error)
	Shards int
}

// Written is a plan that Write has made, or found.
type Written struct {
	*Plan
	// Again says that the folder held the plan already, and Brought are the names of its files
	// that were brought back.
	Again   bool
	Brought []string
	// Remarks are sentences about what the plan that was there lacks of the run as it is now.
	Remarks []error
	// Folder and FamilyName are for people, as the caller calls them.
	Folder, FamilyName string
}

// Write makes the folder of a plan, which appears whole or not at all. dir must be free, an empty
// folder (or a link to one), or hold a plan of the same run. That one stays as it is, whatever the
// workspace has computed, collected or lost meanwhile, and so do its results; models and images
// that are missing or damaged are brought back, and texts that are missing or empty. It is an
// error that the workspace lacks nothing of the run. Progress counts models and packs.
func Write(ctx context.Context, dir string, in Making, p engine.Progress) (Written, error) {
	dir, there, err := occupant(dir)
	if err != nil {
		return Written{}, err
	}
	lacks, err := in.lacks(ctx)
	if err != nil {
		return Written{}, err
	}
	m := &maker{Making: in, lacks: lacks, progress: p}
	if there != nil {
		return m.mend(ctx, there)
	}
	if err := durable.Folders(filepath.Dir(filepath.Clean(dir))); err != nil {
		return Written{}, err
	}
	draft, err := durable.NewDraft(dir)
	if err != nil {
		return Written{}, err
	}
	m.put = draft.Write
	plan, err := m.begin(ctx, draft)
	if err == nil {
		if err = durable.Delete(dir); err == nil || errors.Is(err, fs.ErrNotExist) { // an empty folder
			err = draft.Place()
		}
	}
	return Written{Plan: plan}, errors.Join(err, draft.Discard())
}

// occupant is the plan that a folder holds, nil where it is free; anything else is an error. Where
// dir is a link, as to a disk for scratch, what it leads to takes its place.
func occupant(dir string) (string, *Folder, error) {
	if _, err := os.Readlink(dir); err == nil {
		to, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return "", nil, fmt.Errorf("the plan's folder %s is a link that leads nowhere: %w; make the folder that "+
				"it leads to, or choose another one", dir, err)
		}
		dir = to
	}
	plan, err := Open(dir)
	if err == nil {
		return dir, plan, nil
	}
	entries, unread := os.ReadDir(dir)
	_, absent := os.Lstat(filepath.Join(dir, manifestFile))
	switch {
	case errors.Is(unread, fs.ErrNotExist) || unread == nil && len(entries) == 0:
		return dir, nil, nil
	case unread != nil:
		err = fmt.Errorf("the plan's folder %s: %w; choose another one", dir, unread)
	case absent != nil:
		err = fmt.Errorf("a plan needs a folder of its own, and something else lies in this one; "+
			"choose another: %w", err)
	case errors.Is(err, errManifest):
		err = fmt.Errorf("%w; choose another folder, and move what is in its folder %s into that of the new plan: "+
			"what was computed stays valid", err, resultsFolder)
	default:
		err = fmt.Errorf("%w; choose another folder", err)
	}
	return "", nil, err
}

// lack is a model with the chunks whose units the workspace lacks.
type lack struct {
	engine.Task
	chunks []int
}

// lacks are the models that lack units.
func (in Making) lacks(ctx context.Context) (list []lack, err error) {
	units := 0
	for _, task := range in.Run.Tasks {
		key, l := task.Spec.Key(), lack{Task: task}
		for chunk := range task.Spec.Chunks() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			has, err := in.Has(signal.UnitKeyOf(key, chunk))
			if err != nil {
				return nil, fmt.Errorf("model %s: look for finished signals: %w", task.ID, err)
			}
			if !has {
				l.chunks = append(l.chunks, chunk)
			}
		}
		if units += len(l.chunks); len(l.chunks) > 0 {
			list = append(list, l)
		}
	}
	if units == 0 {
		return nil, errors.New("there is nothing to plan: all signals of this run are in the workspace already")
	}
	if err := tooLarge(len(list), units); err != nil {
		return nil, fmt.Errorf("the plan is too large: %w", err)
	}
	return list, nil
}

// maker makes the files of a plan's folder: all of them, or those that one has lost.
type maker struct {
	Making
	lacks    []lack
	put      func(name string, fill func(io.Writer) error) error // writes a file of the folder
	progress engine.Progress
}

// begin fills the draft of a folder: the packs first, which the manifest names by what is in them,
// and at last all that is made for a manifest.
func (m *maker) begin(ctx context.Context, draft *durable.Draft) (*Plan, error) {
	if err := draft.Mkdir(resultsFolder); err != nil {
		return nil, err
	}
	packs := map[int]wire.Blob{}
	for _, l := range m.lacks {
		for _, chunk := range l.chunks {
			packs[chunk] = wire.Blob{}
		}
	}
	m.progress.SetTotal(int64(len(packs) + len(m.lacks)))
	req := m.Run.Request()
	text := manifest{
		Form: Form, Program: m.Program, Suite: m.Run.Suite, Shards: m.Shards,
		Request: request{req.Models, req.Positions, req.Vectors, req.ClassMap, req.Batches},
	}
	for _, chunk := range slices.Sorted(maps.Keys(packs)) {
		const unnamed = imagesFolder + "/unnamed"
		var blob wire.Blob
		err := m.put(unnamed, func(out io.Writer) (err error) {
			blob, err = m.pack(ctx, chunk)(out)
			return err
		})
		if err == nil {
			err = durable.Move(filepath.Join(draft.Path, unnamed), filepath.Join(draft.Path, packName(blob.SHA256)))
		}
		if err != nil {
			return nil, err
		}
		packs[chunk], text.Packs = blob, append(text.Packs, pack{chunk, blob})
		m.progress.Add(1)
	}
	for _, l := range m.lacks {
		file, err := os.Stat(l.Feed.Path)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", l.ID, err)
		}
		model := wire.Blob{SHA256: l.Spec.Model, Size: file.Size()}
		order, err := wire.NewOrder(l.Task, l.chunks[0], model, packs[l.chunks[0]]).Encode()
		if err != nil {
			return nil, err
		}
		text.Models = append(text.Models, modelPart{order, l.chunks})
	}
	data := text.encode()
	plan, err := readPlan(data) // what every worker will say of it
	if err != nil {
		return nil, fmt.Errorf("the plan's manifest cannot be used: %w", err)
	}
	if err = draft.WriteBytes(manifestFile, data); err == nil {
		err = m.rest(ctx, &Folder{plan, draft.Path})
	}
	return plan, err
}

// mend brings back what a folder has lost of its plan, which stays as it is.
func (m *maker) mend(ctx context.Context, f *Folder) (Written, error) {
	apart, changed := f.apart(m.Run,
		"of the plan is not in the run; name it, too (import it again where it was removed), or choose another folder")
	var err error
	switch {
	case f.Program != m.Program:
		err = fmt.Errorf("it is of Variscope %s, and this is %s; choose another folder", f.Program, m.Program)
	case f.Shards != m.Shards:
		err = fmt.Errorf("%d shards are asked for; choose another folder", m.Shards)
	case !maps.Equal(f.Request.ClassMap, m.Run.Request().ClassMap): // which units need not say
		err = errors.New("it has another table of classes; choose another folder")
	case len(apart) == len(f.models):
		err = apart[f.spec().Model]
	}
	if err != nil {
		return Written{}, fmt.Errorf("the folder %s holds another plan, of %d units in %d shards: %w", f.dir,
			len(f.units), f.Shards, err)
	}
	if _, err := durable.Within(f.dir, resultsFolder); err != nil {
		return Written{}, err
	}
	out := Written{Plan: f.Plan, Again: true}
	m.put = func(name string, fill func(io.Writer) error) error {
		_, err := durable.Within(f.dir, path.Dir(name))
		if err == nil {
			err = durable.WriteFile(f.path(name), fill)
		}
		if err == nil {
			out.Brought = append(out.Brought, name)
		}
		return err
	}
	m.progress.SetTotal(int64(len(f.packs) + len(f.models)))
	for _, chunk := range slices.Sorted(maps.Keys(f.packs)) {
		blob := f.packs[chunk]
		if err := m.bring(ctx, f, packName(blob.SHA256), blob, m.pack(ctx, chunk)); err != nil {
			return Written{}, err
		}
	}
	if err := m.rest(ctx, f); err != nil {
		return Written{}, err
	}
	for _, r := range changed { // the caller knows of what the run refuses
		out.Remarks = append(out.Remarks, r.Err)
	}
	if err := m.beyond(f, apart); err != nil {
		out.Remarks = append(out.Remarks, err)
	}
	return out, nil
}

// beyond says which units the workspace lacks that the plan does not have: those of models that
// were imported since, or that were lost.
func (m *maker) beyond(f *Folder, apart map[string]error) error {
	has := map[string]bool{}
	for _, u := range f.units {
		has[f.key(u)] = true
	}
	var ids []string
	count := 0
	for _, l := range m.lacks {
		key := l.Spec.Key()
		more := slices.DeleteFunc(l.chunks, func(chunk int) bool { return has[signal.UnitKeyOf(key, chunk)] })
		if len(more) > 0 && apart[l.Spec.Model] == nil {
			count += len(more)
			ids = append(ids, l.ID)
		}
	}
	if count == 0 {
		return nil
	}
	return fmt.Errorf("the plan that was there stays as it is, without %d units that the workspace lacks by now, of "+
		"%s; plan these models into another folder", count, strings.Join(ids, ", "))
}

// rest makes what a plan's folder lacks of models, and of texts for people and job schedulers
// where nothing of them is there: job.sh may have been edited for a cluster.
func (m *maker) rest(ctx context.Context, f *Folder) error {
	tasks := map[string]engine.Task{}
	for _, t := range m.Run.Tasks {
		tasks[t.Spec.Model] = t
	}
	for _, o := range f.models {
		err := m.bring(ctx, f, modelName(o.Model.SHA256), o.Model, func(out io.Writer) (wire.Blob, error) {
			task, ok := tasks[o.Spec.Model]
			if !ok {
				return wire.Blob{}, fmt.Errorf("model %s is not in the run, "+
					"so that its file cannot be brought back", o.ID)
			}
			return copyModel(ctx, out, task)
		})
		if err != nil {
			return err
		}
	}
	says := struct {
		*Plan
		Spec          signal.Spec
		Models, Units int
	}{f.Plan, f.spec(), len(f.models), len(f.units)}
	for _, name := range []string{scriptFile, readmeFile} {
		if info, err := os.Lstat(f.path(name)); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			continue
		}
		if err := m.put(name, func(out io.Writer) error { return texts.ExecuteTemplate(out, name, says) }); err != nil {
			return err
		}
	}
	return nil
}

// filling writes what a file holds, and names it.
type filling func(io.Writer) (wire.Blob, error)

// bring makes a model or pack, unless the one that is there is what its name says.
func (m *maker) bring(ctx context.Context, f *Folder, name string, blob wire.Blob, write filling) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer m.progress.Add(1)
	if file, err := f.object(name, blob); err == nil {
		return file.Close()
	}
	return m.put(name, func(out io.Writer) error {
		made, err := write(out)
		if err == nil && made != blob {
			err = fmt.Errorf("the workspace has other content now, %.12s; "+
				"plan the run again into another folder", made.SHA256)
		}
		return err
	})
}

// pack writes the images of a chunk.
func (m *maker) pack(ctx context.Context, chunk int) filling {
	first, n := m.lacks[0].Spec.ChunkImages(chunk)
	return func(out io.Writer) (wire.Blob, error) { return wire.WritePack(ctx, out, m.Run.Source, first, n) }
}

// copyModel copies a model's file, whose content must be that of its name.
func copyModel(ctx context.Context, out io.Writer, task engine.Task) (wire.Blob, error) {
	from, err := os.Open(task.Feed.Path)
	if err != nil {
		return wire.Blob{}, fmt.Errorf("model %s: %w", task.ID, err)
	}
	defer func() { _ = from.Close() }()                         // read only: nothing is lost
	defer context.AfterFunc(ctx, func() { _ = from.Close() })() // ends a long copy
	blob, err := wire.BlobOf(io.TeeReader(from, out))
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return blob, fmt.Errorf("model %s: %w", task.ID, err)
	}
	if blob.SHA256 != task.Spec.Model {
		return blob, fmt.Errorf("model %s: its file has changed since it was imported; "+
			"variscope doctor says more", task.ID)
	}
	return blob, nil
}

// texts are job.sh, an array job of Slurm that a shell can run, too, and README.txt. The script
// finds the folder by the manifest with the plan's hash, since Slurm runs a copy of it that lies
// somewhere else.
//
//go:embed templates
var templates embed.FS

var texts = template.Must(template.ParseFS(templates, "templates/*"))
