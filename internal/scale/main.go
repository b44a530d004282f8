// Scale makes a workspace of the size of the paper's repositories, with signals that are made up
// and kept as the engine keeps them, and measures how long what a person waits for takes on it. It
// is a tool for docs/results.md:
//
//	go run ./internal/scale --workspace big.variscope --models 600 --images 512 --whole 4
//
// makes 600 models with signals of 31 transformations on 512 images each; the first 4 of them have
// signals on 10,000 images, too. Without --models it measures a workspace that is there.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
)

// The paper's numbers of images and classes; the images are small, because nobody looks at them.
const (
	wholeImages   = 10_000
	classes, side = 10, 8
	// together is how many models are made at a time, so that their fsyncs overlap.
	together = 16
)

func main() {
	path := flag.String("workspace", "", "folder of the workspace")
	models := flag.Int("models", 0, "models to make")
	images := flag.Int("images", 512, "images of the suite that all models have signals on")
	whole := flag.Int("whole", 4, "models that have signals on 10,000 images, too")
	flag.Parse()
	ctx := context.Background()
	if err := run(ctx, *path, *models, *images, *whole); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, path string, models, images, whole int) error {
	if models > 0 {
		begun := time.Now()
		if err := create(ctx, path, models, images, whole); err != nil {
			return err
		}
		fmt.Printf("made in %s\n", time.Since(begun).Round(time.Second))
	}
	return measureAll(ctx, path)
}

// create makes the workspace, its suites, models, signals, and a round that three annotators have
// labelled.
func create(ctx context.Context, path string, models, images, whole int) error {
	ws, err := store.Create(path)
	if err != nil {
		return err
	}
	defer func() { _ = ws.Close() }()
	some, err := addSuite(ctx, ws, "some", images)
	if err != nil {
		return err
	}
	every, err := addSuite(ctx, ws, "every", wholeImages)
	if err != nil {
		return err
	}
	hashes := make([]string, models)
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(together)
	for k := range models {
		group.Go(func() error {
			m, err := addModel(ws, k)
			if err != nil {
				return err
			}
			hashes[k] = m.Hash
			if err := compute(inner, ws, m, some, k); err != nil || k >= whole {
				return err
			}
			return compute(inner, ws, m, every, k)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := ws.SetCurrent(store.Current{Suite: some.Hash, Family: sample.Family}); err != nil {
		return err
	}
	return labels(ctx, ws, some, hashes)
}

// addSuite writes images as IDX files beside the workspace and adds them.
func addSuite(ctx context.Context, ws *store.Workspace, name string, images int) (suite.Manifest, error) {
	folder := filepath.Join(filepath.Dir(ws.Path()), name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return suite.Manifest{}, err
	}
	file := filepath.Join(folder, name+"-images-idx3-ubyte")
	err := idx(file, []uint32{0x803, uint32(images), side, side}, images*side*side)
	if err == nil {
		err = idx(filepath.Join(folder, name+"-labels-idx1-ubyte"), []uint32{0x801, uint32(images)}, images)
	}
	if err != nil {
		return suite.Manifest{}, err
	}
	m, err := suite.Scan(ctx, file, suite.Options{Name: name}, engine.NoProgress{})
	if err != nil {
		return m, err
	}
	return ws.AddSuite(m)
}

// idx writes a header and bytes that go round the classes.
func idx(path string, header []uint32, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	_ = binary.Write(out, binary.BigEndian, header)
	for i := range n {
		_ = out.WriteByte(byte(i % classes))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func addModel(ws *store.Workspace, k int) (model.Model, error) {
	m := sample.Describe(k)
	m.ID, m.File = fmt.Sprintf("m%03d", k), fmt.Sprintf("m%03d.onnx", k)
	m.Graph.Input.Height, m.Graph.Input.Width = side, side
	m.Graph.Outputs[0].Classes = classes
	m, _, err := ws.AddModel(m, bytes.NewReader(fmt.Appendf(nil, "model %d", k)))
	return m, err
}

// compute records and finishes signals of a model on a suite.
func compute(ctx context.Context, ws *store.Workspace, m model.Model, s suite.Manifest, k int) error {
	spec, absent, err := specOf(m, s)
	if err != nil {
		return err
	}
	family, err := transform.Parse(sample.Family)
	if err != nil {
		return err
	}
	for chunk := range spec.Chunks() {
		if err := ws.Record(ctx, spec, sample.Unit(spec, chunk, family.Values(), s.Labels, k)); err != nil {
			return err
		}
	}
	task := engine.Task{ID: m.ID, Spec: spec, Absent: absent, MappedBy: "by index"}
	for c := range classes {
		task.Classes = append(task.Classes, c)
	}
	return ws.Finish(ctx, task)
}

func specOf(m model.Model, s suite.Manifest) (spec signal.Spec, absent []string, err error) {
	settings, err := m.Settings()
	if err != nil {
		return spec, nil, err
	}
	spec = signal.Spec{
		Model: m.Hash, Source: s.Hash, Images: s.Images, Family: sample.Family, Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: 1, Height: side, Width: side, Batch: 32,
		Runtime: "1.27.0", Arch: "amd64", Level: "sample",
	}
	for _, position := range model.DefaultPositions() {
		if tensor, ok := m.Graph.Tensor(position, m.Correction.Positions); ok {
			spec.Positions = append(spec.Positions, signal.Position{Name: position, Tensor: tensor})
		} else {
			absent = append(absent, position)
		}
	}
	return spec, absent, nil
}

// labels makes a round over all models and has three annotators label all of them, in one step as
// from other desks.
func labels(ctx context.Context, ws *store.Workspace, s suite.Manifest, models []string) error {
	people := []string{"A", "B", "C"}
	r, err := ws.CreateRound(ctx, label.Round{
		Name: "Round 1", Suite: s.Hash, Family: sample.Family, Annotators: people, Models: models,
	})
	if err != nil {
		return err
	}
	var events []label.Event
	for k, hash := range models[:len(models)-1] { // one is left to label
		for a, who := range people {
			value := label.Values(3)[(k/7+a*(k%3))%3]
			events = append(events, label.Event{
				ID: ws.NewID(), Desk: ws.Desk(), Round: r.ID, Model: hash, Annotator: who, Kind: label.Label, Pass: 1,
				Value: value, Sure: true, Started: r.Created, Saved: r.Created, Seconds: 3,
			})
		}
	}
	_, err = ws.Merge(events)
	return err
}
