// Package intake brings models, suites and labels from files into a workspace.
package intake

import (
	"context"
	"errors"
	"fmt"
	"os"
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

// Failure is something that could not be imported: its path, with the line where a table asked for it, and why.
type Failure struct {
	Path string
	Err  error
}

func (f Failure) Error() string { return fmt.Sprintf("%s: %v", f.Path, f.Err) }

// Unwrap is the reason.
func (f Failure) Unwrap() error { return f.Err }

// Report says what became of an import of models. Added and Merged are model ids in the order of the import.
type Report struct {
	Added  []string
	Merged []string // the same bytes were there: their metadata was merged
	Failed []Failure
}

// Models imports .onnx files, and folders with models.csv and curves.csv or with .onnx files (DESIGN.md section 4).
// Each model is inspected and, with a runtime, probed in a child process with the default positions and batch; what the
// probe found is kept. Files beside a model that say how it is fed are read, and opts correct it. inspect reads a file's graph without running it and refuses what cannot be imported
// (engine/onnx.Inspect). With a nil runtime models are imported unprobed. Every failure is reported and the others go on;
// the error is for what stops everything: the end of ctx, a full or read-only disk. Progress counts models.
func Models(
	ctx context.Context, ws *store.Workspace, rt engine.Runtime, inspect func(path string) (model.Graph, error), paths []string, opts ModelOptions, p engine.Progress,
) (Report, error) {
	var report Report
	var items []item
	for _, path := range paths {
		found, failures := find(path)
		items = append(items, found...)
		report.Failed = append(report.Failed, failures...)
	}
	p.SetTotal(int64(len(items)))
	im := importer{ws: ws, rt: rt, inspect: inspect, options: opts}
	err := im.all(ctx, items, func(it item, m model.Model, added store.Added, err error) {
		switch {
		case err != nil:
			report.Failed = append(report.Failed, Failure{it.where, err})
		case added == store.Merged:
			report.Merged = append(report.Merged, m.ID)
		default:
			report.Added = append(report.Added, m.ID)
		}
		p.Add(1)
	})
	return report, err
}

// importer imports models into a workspace.
type importer struct {
	ws      *store.Workspace
	rt      engine.Runtime
	inspect func(path string) (model.Graph, error)
	options ModelOptions
}

// prepared is a model before it is stored.
type prepared struct {
	model model.Model
	err   error
}

// all prepares models side by side and stores them in their order, so that ids do not depend on timing.
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
				m, err := im.prepare(ctx, it)
				ready[i] <- prepared{m, err}
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
		m, added, err := im.store(it, p)
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
func (im importer) prepare(ctx context.Context, it item) (model.Model, error) {
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
	if m.Graph, err = im.inspect(it.path); err != nil { // first: it refuses what is too large before all of it is read
		return m, err
	}
	if m.Hash, err = store.HashFile(ctx, it.path); err != nil {
		return m, err
	}
	m.Beside = beside(it.path)
	if old, err := im.ws.Model(m.Hash); err == nil {
		m.Correction = old.Correction
	}
	if err := im.options.Correct(&m); err != nil {
		return m, err
	}
	if _, err := m.Settings(); err != nil {
		return m, err
	}
	return m, im.probe(ctx, &m, it.path)
}

// probeSize is the height and width with which a model of any input size is probed when no suite says otherwise.
const probeSize = 64

// probe runs the model once in a child process, unless the same feed has passed before. A model whose input size is open
// may need another size than the one that it is probed with: it is imported unprobed then, and the run probes it.
func (im importer) probe(ctx context.Context, m *model.Model, path string) error {
	if im.rt == nil {
		return nil
	}
	feed, err := im.feed(*m, path)
	if err != nil {
		return err
	}
	if old, err := im.ws.Model(m.Hash); err == nil {
		if _, passed := old.Probes[feed.ProbeName()]; passed {
			return nil
		}
	}
	found, err := im.rt.Probe(ctx, feed)
	if err != nil && ctx.Err() == nil && isOpen(m.Graph.Input) {
		return nil
	}
	if err != nil {
		return err
	}
	job.Probed(m, feed, found)
	return nil
}

func isOpen(in model.Input) bool { return in.Channels == 0 || in.Height == 0 || in.Width == 0 }

// feed is what a run with the default positions and batch will feed the model, on the current suite's image size where
// the model's is open.
func (im importer) feed(m model.Model, path string) (engine.Feed, error) {
	shape := [3]int{3, probeSize, probeSize}
	if current, err := im.ws.Current(); err == nil && current.Suite != "" {
		if s, err := im.ws.Suite(current.Suite); err == nil && !slices.Contains(s.Shape[:], 0) {
			shape = s.Shape
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
func (im importer) store(it item, p prepared) (model.Model, store.Added, error) {
	if p.err != nil {
		return p.model, "", p.err
	}
	in, err := os.Open(it.path)
	if err != nil {
		return p.model, "", err
	}
	defer func() { _ = in.Close() }()
	return im.ws.AddModel(p.model, in)
}
