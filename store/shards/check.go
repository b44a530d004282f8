package shards

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/variscope/variscope/engine/wire"
)

// check bounds texts, and what a plan can cost before anything is made of it.
func (m manifest) check() error {
	for _, text := range []string{m.Program, m.Suite} {
		if err := checkText(text, maxText); err != nil {
			return err
		}
	}
	if m.Shards < 1 || m.Shards > MaxShards {
		return fmt.Errorf("it has %d shards; 1 to %d are possible", m.Shards, MaxShards)
	}
	if len(m.Models) < 1 || len(m.Packs) < 1 {
		return fmt.Errorf("it has %d models and the images of %d chunks; there must be some", len(m.Models), len(m.Packs))
	}
	units := 0
	for _, part := range m.Models {
		units += len(part.Chunks)
	}
	if len(m.Models) > MaxModels || len(m.Packs) > MaxUnits || units > MaxUnits {
		return tooLarge(len(m.Models), units)
	}
	return m.Request.check()
}

func checkText(text string, most int) error {
	if len(text) > most || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("it holds the text %.80q where a version or a name must be", text)
	}
	return nil
}

func tooLarge(models, units int) error {
	return fmt.Errorf("it has %d units of %d models; at most %d of %d are possible; make several plans", units, models, MaxUnits, MaxModels)
}

// check bounds what a workspace is asked for.
func (r request) check() error {
	if len(r.Models) > MaxModels || len(r.Batches) > MaxModels || len(r.Positions) > maxPositions || len(r.Vectors) > maxPositions || len(r.ClassMap) > wire.MaxClasses {
		return fmt.Errorf("it asks for %d models with %d batches, %d positions, %d vector modalities and a table of %d classes, which is more than a run can have",
			len(r.Models), len(r.Batches), len(r.Positions), len(r.Vectors), len(r.ClassMap))
	}
	for _, text := range slices.Concat(r.Models, r.Positions, r.Vectors, slices.Collect(maps.Keys(r.ClassMap)), slices.Collect(maps.Values(r.ClassMap))) {
		if err := checkText(text, maxName); err != nil {
			return err
		}
	}
	return nil
}

// checkModel looks whether the last model belongs to the run of the others, which was asked for,
// and has images for its chunks.
func (p *Plan) checkModel(asked request, chunks []int) error {
	first, o := p.models[0].Spec, p.models[len(p.models)-1]
	s := o.Spec
	switch {
	case slices.ContainsFunc(p.models[:len(p.models)-1], func(m planModel) bool { return m.Spec.Model == s.Model }):
		return fmt.Errorf("model %q is there twice", o.ID)
	case s.Runtime != first.Runtime || s.Arch != first.Arch || s.Level != first.Level:
		return fmt.Errorf("model %q is for ONNX Runtime %q on %q (%q) in place of %q on %q (%q)",
			o.ID, s.Runtime, s.Level, s.Arch, first.Runtime, first.Level, first.Arch)
	case s.Source != first.Source || s.Family != first.Family || s.Images != first.Images:
		return fmt.Errorf("model %q is to be run on another suite or under another family than the first one", o.ID)
	case !slices.Contains(asked.Models, s.Model) || asked.Batches[s.Model] != s.Batch:
		return fmt.Errorf("model %q, or its batch of %d images, is not among those of the plan", o.ID, s.Batch)
	case len(chunks) == 0 || o.Chunk != chunks[0] || o.Images != p.packs[o.Chunk]:
		return fmt.Errorf("model %q is not described by its first chunk, or its images are not those of the plan", o.ID)
	}
	for i, chunk := range chunks {
		if _, there := p.packs[chunk]; !there || chunk >= s.Chunks() || i > 0 && chunk <= chunks[i-1] {
			return fmt.Errorf("model %q has chunk %d out of turn, or there are no images of it", o.ID, chunk)
		}
	}
	return nil
}
