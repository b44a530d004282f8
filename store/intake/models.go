// Package intake brings models, suites, labels, records and logs of training from files into a
// workspace.
package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

// Failure is something that could not be imported: its path, with the line where a table asked for
// it, and why.
type Failure struct {
	Path string
	Err  error
}

// Error names the path once, also where the reason begins with its last part.
func (f Failure) Error() string {
	text := f.Err.Error()
	rest, named := strings.CutPrefix(text, filepath.Base(f.Path))
	if named && strings.IndexAny(rest, " ,:") == 0 {
		return f.Path + rest
	}
	return f.Path + ": " + text
}

// Unwrap is the reason.
func (f Failure) Unwrap() error { return f.Err }

// Report says what became of an import of models. Added and Merged are model ids in the order of
// the import.
type Report struct {
	Added  []string
	Merged []string // the same bytes were there: their metadata was merged
	Failed []Failure
	Notes  []Note
}

// Note is what a reader must know of an imported model (model.Model.Badges).
type Note struct{ ID, Text string }

// ModelOptions say how models are taken in, as the command import takes them.
type ModelOptions struct {
	CorrectionOptions
	AllowNondeterministic bool `help:"Take models whose results for an image are not the same each time, with a badge that says so." label:"take models that are not deterministic"`
}

// Reader reads a file's graph without running it and refuses what cannot be imported. open opens
// what the workspace keeps of it (engine/onnx.Read).
type Reader func(path string) (g model.Graph, open func() (io.ReadCloser, error), err error)

// Models imports .onnx files, and folders with models.csv and curves.csv or with .onnx files
// (DESIGN.md section 4). Each model is inspected and, with a runtime, probed by a worker
// with the default positions and batch; what the probe found is kept. Files beside a model that say
// how it is fed are read, and opts correct it. With a nil runtime models are imported unprobed.
// Every failure is reported and the others go on; the error is for what stops everything: the end
// of ctx, a full or read-only disk. Progress counts models.
func Models(
	ctx context.Context, ws *store.Workspace, rt engine.Runtime, read Reader, paths []string, opts ModelOptions,
	p engine.Progress,
) (Report, error) {
	var report Report
	var items []item
	for _, path := range paths {
		found, failures := find(path)
		items = append(items, found...)
		report.Failed = append(report.Failed, failures...)
	}
	p.SetTotal(int64(len(items)))
	im := importer{ws: ws, rt: rt, read: read, options: opts}
	err := im.all(ctx, items, func(it item, m model.Model, added store.Added, err error) {
		switch {
		case err != nil:
			report.Failed = append(report.Failed, Failure{it.where, err})
		case added == store.Merged:
			report.note(m)
			report.Merged = append(report.Merged, m.ID)
		default:
			report.note(m)
			report.Added = append(report.Added, m.ID)
		}
		p.Add(1)
	})
	return report, err
}

// File reads one model's file as Models does, for who has no workspace to keep it in.
func File(
	ctx context.Context, rt engine.Runtime, read Reader, path string, opts CorrectionOptions,
) (model.Model, []Note, error) {
	var report Report
	items, failures := find(path)
	for _, failed := range failures {
		return model.Model{}, nil, failed.Err
	}
	if len(items) != 1 {
		return model.Model{}, nil, fmt.Errorf("%s holds %d models; name one .onnx file", path, len(items))
	}
	p := importer{rt: rt, read: read, options: ModelOptions{CorrectionOptions: opts}}.prepare(ctx, items[0])
	if p.err == nil {
		report.note(p.model)
	}
	return p.model, report.Notes, p.err
}

func (r *Report) note(m model.Model) {
	for _, text := range m.Badges() {
		r.Notes = append(r.Notes, Note{m.ID, text})
	}
	if s, err := m.Settings(); err == nil && len(m.Graph.Outputs) > 1 {
		r.Notes = append(r.Notes,
			Note{m.ID, fmt.Sprintf("of its outputs %s, %s is taken", m.Graph.OutputWords(), s.Output)})
	}
}

// of is what the notes say of a model.
func (r Report) of(id string) (texts []string) {
	for _, n := range r.Notes {
		if n.ID == id {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// importer imports models into a workspace, or with a nil one reads them.
type importer struct {
	ws      *store.Workspace
	rt      engine.Runtime
	read    Reader
	options ModelOptions
}

// prepared is a model before it is stored.
type prepared struct {
	model model.Model
	open  func() (io.ReadCloser, error)
	err   error
}

// all prepares models side by side and stores them in their order, so that ids do not depend on
// timing.
func (im importer) all(ctx context.Context, items []item, done func(item, model.Model, store.Added, error)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ready := make([]chan prepared, len(items))
	for i := range ready {
		ready[i] = make(chan prepared, 1)
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	feeder := make(chan struct{})
	go func() {
		defer close(feeder)
		for i, it := range items {
			group.Go(func() error {
				ready[i] <- im.prepare(ctx, it)
				return nil
			})
		}
	}()
	defer func() {
		stop()
		<-feeder
		_ = group.Wait() // its functions return nil
	}()
	for i, it := range items {
		p := <-ready[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		m, added, err := im.store(p)
		if fatal(err) {
			return err
		}
		done(it, m, added, err)
	}
	return nil
}

// fatal tells whether an error will meet every other model too.
func fatal(err error) bool {
	for _, sentinel := range []error{store.ErrFull, store.ErrReadOnly, store.ErrClosed, store.ErrDamaged} {
		if errors.Is(err, sentinel) {
			return true
		}
	}
	return false
}

// prepare reads, inspects and probes one model.
func (im importer) prepare(ctx context.Context, it item) prepared {
	var p prepared
	p.model, p.err = im.look(ctx, it, &p.open)
	return p
}

func (im importer) look(ctx context.Context, it item, open *func() (io.ReadCloser, error)) (model.Model, error) {
	m := model.Model{ID: it.id, File: filepath.Base(it.path), Record: it.record, Curves: it.curves}
	if m.ID == "" {
		m.ID = strings.TrimSuffix(m.File, filepath.Ext(m.File))
	}
	if err := ctx.Err(); err != nil {
		return m, err
	}
	if !isModelFile(it.path) {
		return m, fmt.Errorf("it is no %s file", modelSuffix)
	}
	var err error
	// First: it refuses what is too large before all of it is read.
	if m.Graph, *open, err = im.read(it.path); err != nil {
		return m, err
	}
	if m.Hash, err = Hash(ctx, *open); err != nil {
		return m, err
	}
	m.Beside = beside(it.path)
	m.Correction = im.known(m.Hash).Correction
	if err := im.options.Correct(&m); err != nil {
		return m, err
	}
	if _, err := m.Settings(); err != nil {
		return m, err
	}
	return m, im.probe(ctx, &m, it.path)
}

// known is the model of this hash as the workspace has it; the zero value where there is none.
func (im importer) known(hash string) model.Model {
	if im.ws == nil {
		return model.Model{}
	}
	m, err := im.ws.Model(hash)
	if err != nil {
		return model.Model{}
	}
	return m
}

// Hash is the identity of a model that a Reader has read.
func Hash(ctx context.Context, open func() (io.ReadCloser, error)) (string, error) {
	in, err := open()
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }() // read only: nothing is lost
	return store.Hash(ctx, in)
}

// probeSize is the height and width with which a model of any input size is probed when no suite
// says otherwise.
const probeSize = 64

// probe has a trial run of the model made, unless the same feed has passed before. A model whose
// input size is open may need another size than the one that it is probed with: it is imported
// unprobed then, and the run probes it.
func (im importer) probe(ctx context.Context, m *model.Model, path string) error {
	if im.rt == nil {
		return nil
	}
	feed, err := im.feed(*m, path)
	if err != nil {
		return err
	}
	// An earlier version may have passed a model that is not deterministic.
	if _, passed := im.known(m.Hash).Probes[feed.ProbeName()]; passed && !im.options.AllowNondeterministic {
		return nil
	}
	found, err := im.rt.Probe(ctx, feed)
	var batch *engine.BatchError
	failed, free := errors.As(err, &batch), m.Graph.Input.Batch == 0 && feed.Input.Batch > 1
	if free && (failed || found.Quantises) {
		why := found.Unsteady
		if failed {
			why = fmt.Sprintf("its file leaves the batch open, but a batch of %d fails", feed.Input.Batch)
		}
		if done, ok := im.oneByOne(ctx, *m, path, why); ok {
			*m = done
			return nil
		}
	}
	if in := m.Graph.Input; err != nil && ctx.Err() == nil && (in.Channels == 0 || in.Height == 0 || in.Width == 0) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := job.Steady(found); err != nil {
		if !im.options.AllowNondeterministic {
			return fmt.Errorf("%s %w", filepath.Base(path), err)
		}
		m.Unsteady = found.Unsteady
	}
	if points := mapless(m.Graph, feed, found); len(points) > 0 { // other positions, then
		m.Graph.Points = append(slices.Clip(m.Graph.Points), points...)
		return im.probe(ctx, m, path)
	}
	job.Probed(m, feed, found)
	return nil
}

// oneByOne is the model for batches of one image, where it passes the probe as that.
func (im importer) oneByOne(ctx context.Context, m model.Model, path, why string) (model.Model, bool) {
	m.Graph.Input.Batch, m.OneByOne = 1, why
	return m, im.probe(ctx, &m, path) == nil
}

// mapless are the convolutions of a feed whose map was found to be 1 x 1.
func mapless(g model.Graph, feed engine.Feed, found engine.Probe) (list []string) {
	for k, tensor := range feed.Tensors {
		if k+1 >= len(found.Shapes) || !slices.Contains(g.ConvMaps(), tensor) {
			continue
		}
		if shape := found.Shapes[k+1]; len(shape) > 2 &&
			!slices.ContainsFunc(shape[2:], func(d int64) bool { return d != 1 }) {
			list = append(list, tensor)
		}
	}
	return list
}

// feed is what a run with the default positions and batch will feed the model, on the current
// suite's image size where the model's is open.
func (im importer) feed(m model.Model, path string) (engine.Feed, error) {
	shape := [3]int{3, probeSize, probeSize}
	if im.ws != nil {
		if current, err := im.ws.Current(); err == nil && current.Suite != "" {
			if s, err := im.ws.Suite(current.Suite); err == nil && !slices.Contains(s.Shape[:], 0) {
				shape = s.Shape
			}
		}
	}
	text, _ := transform.Default("rotation") // the family does not matter to a feed
	family, err := transform.Parse(text)
	if err != nil {
		return engine.Feed{}, err
	}
	task, err := engine.Plan(engine.PlanInput{
		Model: m, Path: path, Suite: suite.Manifest{Name: "probe", Images: 1, Shape: shape}, Family: family,
		Runtime: im.rt.Version(), Classes: 1,
	})
	return task.Feed, err
}

// store copies a prepared model into the workspace.
func (im importer) store(p prepared) (model.Model, store.Added, error) {
	if p.err != nil {
		return p.model, "", p.err
	}
	in, err := p.open()
	if err != nil {
		return p.model, "", err
	}
	defer func() { _ = in.Close() }()
	return im.ws.AddModel(p.model, in)
}
