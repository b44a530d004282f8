package engine

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// DefaultBatch is the number of images of a batch where neither the user nor the model says
// otherwise.
const DefaultBatch = 32

// PlanInput is what one model of a run is resolved from.
type PlanInput struct {
	Model model.Model
	Path  string // the model's file
	Suite suite.Manifest
	// Backgrounds is the suite of a set of scenes' backgrounds, empty for every other family.
	Backgrounds suite.Manifest
	Family      transform.Family // or a transformation set
	// empty for the defaults; CONF is always taken along. Of the sets, scenes alone has one: HEAD
	Positions []string
	Vectors   []string          // vector modalities, "L2@CONV-1"; their positions are taken along
	ClassMap  map[string]string // suite class to model class, nil without a table
	Runtime   string            // Runtime.Version
	Batch     int               // 0 for DefaultBatch; a model with a fixed batch uses that
	// Classes is what a probe found for a model whose file does not tell the number of its
	// classes, else 0.
	Classes int
	Device  device.Device // empty for the processor
	// Mixed lets processors of other kinds compute units, too; the results are named apart
	// (signal.Mixed).
	Mixed bool
}

// Plan resolves one model of a run: settings in force, positions and which of them are absent,
// input size, matching of classes, and the spec that names the results. It is pure. Errors name
// the model and what to do.
func Plan(in PlanInput) (Task, error) {
	if masks, ok := in.Family.Masked(); ok {
		if err := CheckMasks(in.Model.Graph, masks); err != nil {
			return Task{}, fmt.Errorf("model %s %w", in.Model.ID, err)
		}
	}
	task, err := plan(in)
	if err != nil {
		return Task{}, fmt.Errorf("model %s: %w", in.Model.ID, err)
	}
	return task, nil
}

func plan(in PlanInput) (Task, error) {
	settings, err := in.Model.Settings()
	if err != nil {
		return Task{}, err
	}
	if in.Suite.Images == 0 {
		return Task{}, fmt.Errorf("suite %s has no images", in.Suite.Name)
	}
	input, err := inputSize(in, settings.Recipe)
	if err != nil {
		return Task{}, err
	}
	if err := in.Family.Fits(input.Channels, input.Height, input.Width); err != nil {
		return Task{}, err
	}
	if err := checkNormalisation(settings.Preprocessing, input.Channels); err != nil {
		return Task{}, err
	}
	// The suite's number of classes counts where neither the file nor a probe has told the model's:
	// the probe that has to pass before the run tells it, and Plan is asked again.
	classes := cmp.Or(settings.Classes, in.Classes, len(settings.ClassNames), len(in.Suite.Classes))
	mapped, by, err := MatchClasses(in.Suite, settings, classes, in.ClassMap)
	if err != nil {
		return Task{}, err
	}
	asked, err := resolve(in, settings.Output)
	if err != nil {
		return Task{}, err
	}
	spec := signal.Spec{
		Model: in.Model.Hash, Source: in.Suite.Hash, Decoding: cmp.Or(in.Suite.Decoding(), in.Backgrounds.Decoding()),
		Images: in.Suite.Images, Family: in.Family.String(), Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: input.Channels, Height: input.Height,
		Width: input.Width, Positions: asked.positions, Vectors: asked.vectors,
		Batch: input.Batch, Runtime: in.Runtime, Device: in.Device.Kind(), Arch: runtime.GOARCH, Level: Level(),
	}
	if in.Mixed {
		spec.Arch, spec.Level = signal.Mixed, signal.Mixed
	}
	if classes > signal.FullSoftmaxClasses {
		spec.TrueClass = mapped
	}
	feed := Feed{Path: in.Path, Input: input, Output: settings.Output, Tensors: asked.tensors, Device: in.Device}
	if masks, ok := in.Family.Masked(); ok {
		feed.Mask = &masks
	}
	var probed bool
	feed.Shapes, probed = in.Model.Probes[feed.ProbeName()]
	return Task{
		ID: in.Model.ID, Spec: spec, Feed: feed, Absent: asked.absent, Classes: mapped, MappedBy: by,
		Skipped: len(in.Suite.Skipped), Probed: probed,
	}, nil
}

func checkNormalisation(p model.Preprocessing, channels int) error {
	for _, list := range [][]float64{p.Mean, p.Std} {
		if len(list) != 1 && len(list) != channels {
			return fmt.Errorf("mean and std need 1 or %d numbers, one per channel of the images; correct the "+
				"preprocessing or use another suite", channels)
		}
	}
	for _, v := range slices.Concat(p.Mean, p.Std) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("mean and std must be finite numbers; correct the preprocessing")
		}
	}
	if slices.Contains(p.Std, 0) {
		return fmt.Errorf("std must not be 0; correct the preprocessing")
	}
	return nil
}

// inputSize fills in what the model leaves open: the batch, and the suite's image size.
func inputSize(in PlanInput, r recipe.Recipe) (model.Input, error) {
	input := in.Model.Graph.Input
	input.Batch = cmp.Or(input.Batch, in.Batch, in.Model.Correction.Batch, DefaultBatch)
	input = sizedBy(input, r, in.Suite)
	if input.Channels == 0 || input.Height == 0 || input.Width == 0 {
		return input, fmt.Errorf("it takes images of any size, but the images of suite %s differ in size; use a "+
			"suite whose images have one size, or a model with a fixed input size", in.Suite.Name)
	}
	if input.Channels != 1 && input.Channels != 3 {
		return input, fmt.Errorf("its input has %d channels; "+
			"images have 1 (gray) or 3 (red, green, blue)", input.Channels)
	}
	return input, nil
}

// sizedBy is an input with the sizes that the model leaves open taken from its recipe, else from
// the suite's images; 0 where these differ in size.
func sizedBy(input model.Input, r recipe.Recipe, s suite.Manifest) model.Input {
	height, width := r.Fixed()
	input.Height, input.Width = cmp.Or(input.Height, height), cmp.Or(input.Width, width)
	if channels, ok := map[recipe.Channels]int{recipe.Gray: 1, recipe.RGB: 3, recipe.BGR: 3}[r.Channels]; ok {
		input.Channels = cmp.Or(input.Channels, channels)
	}
	input.Channels = cmp.Or(input.Channels, s.Shape[0])
	input.Height, input.Width = cmp.Or(input.Height, s.Shape[1]), cmp.Or(input.Width, s.Shape[2])
	return input
}

// resolved are the positions and vector modalities that a model has.
type resolved struct {
	positions []signal.Position
	tensors   []string // beside the class output, each once
	vectors   []string
	absent    []string
}

func resolve(in PlanInput, output string) (resolved, error) {
	names := in.Positions
	if in.Family.IsSet() && len(in.Vectors) > 0 {
		return resolved{}, fmt.Errorf("vector modality %s: %w", in.Vectors[0], transform.ErrSet)
	}
	_, _, scened := in.Family.Scened()
	if scened && len(names) == 0 {
		names = []string{model.Head} // the signals of scatter plots: spec/background.md section 8
	}
	if in.Family.IsSet() && len(names) == 0 {
		return resolved{}, nil // predictions and softmax say all; without matrices, reduced signals serve nothing
	}
	if len(names) == 0 {
		names = model.DefaultPositions()
	}
	names = append([]string{model.CONF}, names...)
	modalities := make([]signal.Modality, len(in.Vectors))
	for i, text := range in.Vectors {
		m, err := signal.ParseModality(text)
		if err != nil {
			return resolved{}, err
		}
		if !m.Vector() {
			return resolved{}, fmt.Errorf("%s is no vector modality; every scalar one is stored in any case", m)
		}
		modalities[i] = m
		names = append(names, m.Position)
	}
	var r resolved
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		if err := r.add(in.Model, name, output); err != nil {
			return resolved{}, err
		}
	}
	for _, m := range modalities {
		if text := m.String(); !slices.Contains(r.vectors, text) && !slices.Contains(r.absent, m.Position) {
			r.vectors = append(r.vectors, text)
		}
	}
	return r, nil
}

// add resolves one position. CONF is the softmax of the class output in force, whatever else is
// assigned.
func (r *resolved) add(m model.Model, name, output string) error {
	if name == model.CONF {
		r.positions = append(r.positions, signal.Position{Name: name, Tensor: output})
		return nil
	}
	tensor, ok := m.Graph.Tensor(name, m.Correction.Positions)
	if !ok {
		r.absent = append(r.absent, name)
		return nil
	}
	if tensor != output && !slices.Contains(m.Graph.Tensors, tensor) {
		return fmt.Errorf("position %s is assigned to tensor %q, which the graph does not have; assign another",
			name, tensor)
	}
	r.positions = append(r.positions, signal.Position{Name: name, Tensor: tensor})
	if tensor != output && !slices.Contains(r.tensors, tensor) {
		r.tensors = append(r.tensors, tensor)
	}
	return nil
}
