package wire

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// The bounds of an order's values, those of engine/onnx where it has some.
const (
	maxName      = 4096 // bytes of an id, a tensor, a position
	maxWord      = 64   // bytes of a version, an architecture, a level
	maxEdit      = 4096
	maxFamily    = 1 << 16 // bytes of a family's text: that of masks lists layers
	maxTensors   = 256     // tensors and positions
	maxVectors   = 64
	maxBatch     = 4096
	maxElements  = 1 << 27 // numbers of one batch
	mostChannels = 3
)

// check says what keeps a unit from travelling. Nothing is allocated by what the order declares.
func (o Order) check() error {
	if err := checkText("the model's id", o.ID, maxName); err != nil {
		return err
	}
	if err := o.checkObjects(); err != nil {
		return err
	}
	family, err := o.checkFamily()
	if err != nil {
		return err
	}
	if err := o.checkModel(); err != nil {
		return err
	}
	if err := o.checkPositions(); err != nil {
		return err
	}
	if err := o.checkClasses(); err != nil {
		return err
	}
	if limit := ResultLimit(o.Spec, o.Chunk, family.N()); limit > MaxResult {
		return fmt.Errorf("its result can have %d bytes, and at most %d travel; ask for fewer positions, vector modalities or transformations", limit, MaxResult)
	}
	if o.Unit != o.Spec.UnitKey(o.Chunk) {
		return fmt.Errorf("it is named %.80q, which is not the key of its spec and chunk", o.Unit)
	}
	return nil
}

// checkObjects looks at hashes, sizes and the chunk.
func (o Order) checkObjects() error {
	s := o.Spec
	if err := checkHash("the source", s.Source); err != nil {
		return err
	}
	if err := o.Model.check("the model's file", MaxModel); err != nil {
		return err
	}
	if o.Model.SHA256 != s.Model {
		return fmt.Errorf("its model's file is %.12s, but its signals are those of model %.80q", o.Model.SHA256, s.Model)
	}
	if o.Images != (Blob{}) { // a worker process asks for images as it needs them
		if err := o.Images.CheckPack(); err != nil {
			return err
		}
	}
	if s.Images < 1 || s.Images > MaxImages {
		return fmt.Errorf("its source has %d images; from 1 to %d are possible", s.Images, MaxImages)
	}
	if o.Chunk < 0 || o.Chunk >= s.Chunks() {
		return fmt.Errorf("there is no chunk %d; the %d images have %d", o.Chunk, s.Images, s.Chunks())
	}
	return nil
}

// checkFamily looks at transformations, masks and the image size.
func (o Order) checkFamily() (transform.Family, error) {
	s := o.Spec
	if err := checkText("the family", s.Family, maxFamily); err != nil {
		return transform.Family{}, err
	}
	family, err := transform.ParseAny(s.Family)
	if err != nil {
		return family, err
	}
	if family.String() != s.Family {
		return family, fmt.Errorf("its family is written %.80q in place of %.80q", s.Family, family)
	}
	if s.Channels != 1 && s.Channels != mostChannels {
		return family, fmt.Errorf("its images have %d channels; 1 or %d are possible", s.Channels, mostChannels)
	}
	if err := family.Fits(s.Channels, s.Height, s.Width); err != nil {
		return family, err
	}
	masks, masked := family.Masked()
	if masked != (o.Mask != nil) || masked && (masks.N != o.Mask.N || masks.Auto != o.Mask.Auto || masks.AfterBatchNorm != o.Mask.AfterBatchNorm || !slices.Equal(masks.Layers, o.Mask.Layers)) {
		return family, fmt.Errorf("its model is not opened with the masks of %.80s", s.Family)
	}
	return family, nil
}

// checkModel looks at what the model takes and gives.
func (o Order) checkModel() error {
	s, in := o.Spec, o.Input
	if s.Batch < 1 || s.Batch > maxBatch || int64(s.Batch)*int64(s.Channels)*int64(s.Height)*int64(s.Width) > maxElements {
		return fmt.Errorf("batches of %d images of %d x %d x %d cannot be run", s.Batch, s.Channels, s.Height, s.Width)
	}
	if in.Batch != s.Batch || in.Channels != s.Channels || in.Height != s.Height || in.Width != s.Width {
		return fmt.Errorf("its model takes %d x %d x %d x %d numbers in place of %d x %d x %d x %d",
			in.Batch, in.Channels, in.Height, in.Width, s.Batch, s.Channels, s.Height, s.Width)
	}
	if !in.Layout.Known() {
		return fmt.Errorf("the layout %.80q of its model's input is unknown", in.Layout)
	}
	if !in.Type.Known() {
		return fmt.Errorf("the number type %.80q of its model's input is unknown", in.Type)
	}
	for _, t := range []struct {
		what, text string
		most       int
	}{
		{"the model's input", in.Name, maxName},
		{"the model's output", o.Output, maxName},
		{"the edit of the model", s.Edit, maxEdit},
		{"the runtime's version", s.Runtime, maxWord},
		{"the architecture", s.Arch, maxWord},
		{"the instruction-set level", s.Level, maxWord},
	} {
		if err := checkText(t.what, t.text, t.most); err != nil {
			return err
		}
	}
	if !device.IsKind(s.Device) {
		return fmt.Errorf("the kind of device %.80q is unknown", s.Device)
	}
	if o.Output != s.Output {
		return fmt.Errorf("its model is opened for output %.80q in place of %.80q", o.Output, s.Output)
	}
	if kind, ok := model.ParseOutputKind(string(s.OutputKind)); !ok || kind != s.OutputKind {
		return fmt.Errorf("the output kind %.80q is unknown", s.OutputKind)
	}
	return checkPreprocessing(s.Preprocessing, in.Layout, s.Channels, s.Height, s.Width)
}

func checkPreprocessing(p model.Preprocessing, layout model.Layout, channels, height, width int) error {
	if len(p.Recipe) > maxName {
		return fmt.Errorf("its recipe has %d characters; at most %d are possible", len(p.Recipe), maxName)
	}
	for _, list := range [][]float64{p.Mean, p.Std} {
		if len(list) != 1 && len(list) != channels {
			return fmt.Errorf("mean and std have %d and %d numbers; 1 or %d are possible", len(p.Mean), len(p.Std), channels)
		}
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return errors.New("mean and std must be finite numbers")
			}
		}
	}
	if !strings.Contains(p.Recipe, "resize=") && p.Resize == "" {
		return errors.New("the way of resizing is not said")
	}
	to, _, err := suite.Inputs(p, layout, channels, height, width)
	if err != nil {
		return err
	}
	if h, w := to.Geometry.Fixed(); h != 0 && (h != height || w != width) {
		return fmt.Errorf("its recipe gives %d x %d pixels in place of %d x %d", h, w, height, width)
	}
	return nil
}

// checkPositions looks at positions, the tensors behind them and vector modalities.
func (o Order) checkPositions() error {
	s := o.Spec
	if len(o.Tensors) > maxTensors || len(s.Positions) > maxTensors || len(s.Vectors) > maxVectors {
		return fmt.Errorf("it has %d tensors, %d positions and %d vector modalities; at most %d, %d and %d are possible",
			len(o.Tensors), len(s.Positions), len(s.Vectors), maxTensors, maxTensors, maxVectors)
	}
	for i, tensor := range o.Tensors {
		if err := checkText("a tensor", tensor, maxName); err != nil {
			return err
		}
		if tensor == o.Output || slices.Contains(o.Tensors[:i], tensor) {
			return fmt.Errorf("tensor %.80q is asked for twice", tensor)
		}
	}
	for i, p := range s.Positions {
		if err := errors.Join(checkText("a position", p.Name, maxName), checkText("a position's tensor", p.Tensor, maxName)); err != nil {
			return err
		}
		if s.Position(p.Name) < i {
			return fmt.Errorf("position %.80q is there twice", p.Name)
		}
		if p.Name != model.CONF && p.Tensor != o.Output && !slices.Contains(o.Tensors, p.Tensor) {
			return fmt.Errorf("tensor %.80q of position %.80q is not among those that the model is opened with", p.Tensor, p.Name)
		}
	}
	for i, text := range s.Vectors {
		m, err := signal.ParseModality(text)
		if err != nil || !m.Vector() || m.String() != text || s.Position(m.Position) < 0 || slices.Contains(s.Vectors[:i], text) {
			return fmt.Errorf("vector modality %.80q is none, has no position or is there twice", text)
		}
	}
	return nil
}

// checkClasses looks at the tables from labels to classes.
func (o Order) checkClasses() error {
	for _, class := range slices.Concat(o.Classes, o.Spec.TrueClass) {
		if class < -1 || class >= MaxClasses {
			return fmt.Errorf("a label means class %d; from -1 (none) to %d are possible", class, MaxClasses-1)
		}
	}
	if s := o.Spec; len(s.TrueClass) > 0 && !slices.Equal(s.TrueClass, o.Classes) {
		return errors.New("labels mean other classes in its spec than in its task")
	}
	return nil
}
