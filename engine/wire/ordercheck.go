package wire

import (
	"cmp"
	"errors"
	"fmt"
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
	maxName     = 4096    // bytes of an id, a tensor, a position
	maxWord     = 64      // bytes of a version, an architecture, a level
	maxFamily   = 1 << 16 // bytes of a family's text: that of masks lists layers
	maxTensors  = 256     // tensors and positions
	maxVectors  = 64
	maxBatch    = 4096
	maxElements = 1 << 27 // numbers of one batch
)

// check says what keeps a unit from travelling. Nothing is allocated by what the order declares.
func (o Order) check() error {
	s, in := o.Spec, o.Input
	if o.Wire != orderVersion {
		return fmt.Errorf("it has form %d, and this program reads form %d; "+
			"use the same version of Variscope on all machines", o.Wire, orderVersion)
	}
	if len(o.Tensors) > maxTensors || len(s.Positions) > maxTensors || len(s.Vectors) > maxVectors {
		return fmt.Errorf(
			"it has %d tensors, %d positions and %d vector modalities; at most %d, %d and %d are possible",
			len(o.Tensors), len(s.Positions), len(s.Vectors), maxTensors, maxTensors, maxVectors)
	}
	err := cmp.Or(o.checkNames(), checkHash("the source", s.Source), o.Model.check("the model's file", MaxModel))
	if err != nil {
		return err
	}
	if o.Images != (Blob{}) {
		if err := o.Images.CheckPack(); err != nil {
			return err
		}
	}
	kind, known := model.ParseOutputKind(string(s.OutputKind))
	switch {
	case o.Model.SHA256 != s.Model:
		return fmt.Errorf("its model's file is %.12s, but its signals are those of model %.80q",
			o.Model.SHA256, s.Model)
	case s.Images < 1 || s.Images > MaxImages:
		return fmt.Errorf("its source has %d images; from 1 to %d are possible", s.Images, MaxImages)
	case o.Chunk < 0 || o.Chunk >= s.Chunks():
		return fmt.Errorf("there is no chunk %d; the %d images have %d", o.Chunk, s.Images, s.Chunks())
	case !in.Layout.Known() || !in.Type.Known():
		return fmt.Errorf("the layout %.80q or the number type %.80q of its model's input is unknown",
			in.Layout, in.Type)
	case !device.IsKind(s.Device):
		return fmt.Errorf("the kind of device %.80q is unknown", s.Device)
	case !known || kind != s.OutputKind:
		return fmt.Errorf("the output kind %.80q is unknown", s.OutputKind)
	}
	family, err := o.checkInput()
	if err == nil {
		err = o.checkLists()
	}
	if err != nil {
		return err
	}
	if limit := ResultLimit(s, o.Chunk, family.N()); limit > MaxResult {
		return fmt.Errorf("its result can have %d bytes, and at most %d travel; ask for fewer positions, vector "+
			"modalities or transformations", limit, MaxResult)
	}
	if o.Unit != s.UnitKey(o.Chunk) {
		return fmt.Errorf("it is named %.80q, which is not the key of its spec and chunk", o.Unit)
	}
	return nil
}

// checkNames looks at all texts that are not one of a few.
func (o Order) checkNames() error {
	s := o.Spec
	names := append([]string{o.ID, o.Input.Name, s.Output, s.Edit, s.Preprocessing.Recipe}, o.Tensors...)
	for _, p := range s.Positions {
		names = append(names, p.Name, p.Tensor)
	}
	for _, list := range []struct {
		most  int
		names []string
	}{{maxName, names}, {maxWord, []string{s.Runtime, s.Arch, s.Level}}, {maxFamily, []string{s.Family}}} {
		for _, name := range list.names {
			if err := checkText(name, list.most); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkInput looks at what the model takes: transformations and preprocessing, the image size.
func (o Order) checkInput() (transform.Family, error) {
	s, in := o.Spec, o.Input
	family, err := transform.ParseAny(s.Family)
	switch {
	case err != nil:
		return family, err
	case family.String() != s.Family:
		return family, fmt.Errorf("its family is written %.80q in place of %.80q", s.Family, family)
	case s.Channels != 1 && s.Channels != mostChannels:
		return family, fmt.Errorf("its images have %d channels; 1 or %d are possible", s.Channels, mostChannels)
	case in.Batch != s.Batch || in.Channels != s.Channels || in.Height != s.Height || in.Width != s.Width:
		return family, fmt.Errorf("its model takes %d x %d x %d x %d numbers in place of %d x %d x %d x %d",
			in.Batch, in.Channels, in.Height, in.Width, s.Batch, s.Channels, s.Height, s.Width)
	}
	if err := family.Fits(s.Channels, s.Height, s.Width); err != nil {
		return family, err
	}
	to, _, err := suite.Inputs(s.Preprocessing, in.Layout, s.Channels, s.Height, s.Width)
	if err != nil {
		return family, err
	}
	switch h, w := to.Geometry.Fixed(); {
	case s.Batch < 1 || s.Batch > maxBatch ||
		int64(s.Batch)*int64(s.Channels)*int64(s.Height)*int64(s.Width) > maxElements:
		return family, fmt.Errorf("batches of %d images of %d x %d x %d cannot be run",
			s.Batch, s.Channels, s.Height, s.Width)
	case s.Preprocessing.Resize == "" && !strings.Contains(s.Preprocessing.Recipe, "resize="):
		return family, errors.New("the way of resizing is not said")
	case h != 0 && (h != s.Height || w != s.Width):
		return family, fmt.Errorf("its recipe gives %d x %d pixels in place of %d x %d", h, w, s.Height, s.Width)
	}
	return family, nil
}

// checkLists looks at tensors, positions, vector modalities and the tables from labels to classes.
func (o Order) checkLists() error {
	s := o.Spec
	for i, tensor := range o.Tensors {
		if tensor == s.Output || slices.Contains(o.Tensors[:i], tensor) {
			return fmt.Errorf("tensor %.80q is asked for twice", tensor)
		}
	}
	for i, p := range s.Positions {
		if s.Position(p.Name) < i {
			return fmt.Errorf("position %.80q is there twice", p.Name)
		}
		if p.Name != model.CONF && p.Tensor != s.Output && !slices.Contains(o.Tensors, p.Tensor) {
			return fmt.Errorf("tensor %.80q of position %.80q is not among those that the model is opened with",
				p.Tensor, p.Name)
		}
	}
	for i, text := range s.Vectors {
		m, err := signal.ParseModality(text)
		if err != nil || !m.Vector() || m.String() != text || s.Position(m.Position) < 0 ||
			slices.Contains(s.Vectors[:i], text) {
			return fmt.Errorf("vector modality %.80q is none, has no position or is there twice", text)
		}
	}
	for _, class := range o.Classes {
		if class < -1 || class >= MaxClasses {
			return fmt.Errorf("a label means class %d; from -1 (none) to %d are possible", class, MaxClasses-1)
		}
	}
	if len(s.TrueClass) > 0 && !slices.Equal(s.TrueClass, o.Classes) {
		return errors.New("labels mean other classes in its spec than in its task")
	}
	return nil
}
