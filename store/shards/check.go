package shards

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
)

// checkHead looks at texts and numbers of shards and models.
func (m manifest) checkHead() error {
	for _, text := range []string{m.Program, m.Runtime, m.Arch, m.Level, m.Suite} {
		if err := checkText(text, maxText); err != nil {
			return err
		}
	}
	if len(m.Shards) < 1 || len(m.Shards) > MaxShards {
		return fmt.Errorf("it has %d shards; 1 to %d are possible", len(m.Shards), MaxShards)
	}
	if len(m.Models) < 1 || len(m.Packs) < 1 {
		return fmt.Errorf("it has %d models and the images of %d chunks; there must be some", len(m.Models), len(m.Packs))
	}
	if m.Request.Mixed != (m.Level == signal.Mixed) || m.Request.Mixed != (m.Arch == signal.Mixed) {
		return fmt.Errorf("it is for processors of level %q (%q), which does not fit what was asked for", m.Level, m.Arch)
	}
	return nil
}

func checkText(text string, most int) error {
	if len(text) > most || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("it holds the text %.80q where a version or a name must be", text)
	}
	return nil
}

// checkSize bounds what a plan can cost before anything is made of it.
func (m manifest) checkSize() error {
	units := 0
	for _, shard := range m.Shards {
		for _, part := range shard {
			units += len(part.Chunks)
		}
	}
	if len(m.Models) > MaxModels || len(m.Packs) > MaxUnits || units > MaxUnits {
		return tooLarge(len(m.Models), units)
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

// checkModels looks whether the orders belong to one run, the one of the request.
func (p *Plan) checkModels() error {
	seen, asked := map[string]bool{}, map[string]bool{}
	for _, hash := range p.Request.Models {
		asked[hash] = true
	}
	for _, o := range p.models {
		s := o.Spec
		switch {
		case seen[s.Model]:
			return fmt.Errorf("model %q is there twice", o.ID)
		case s.Runtime != p.Runtime || s.Arch != p.Arch || s.Level != p.Level:
			return fmt.Errorf("model %q is for ONNX Runtime %q on %q (%q) in place of %q on %q (%q)", o.ID, s.Runtime, s.Level, s.Arch, p.Runtime, p.Level, p.Arch)
		case s.Source != p.Request.Suite || s.Family != p.Request.Family || s.Images != p.models[0].Spec.Images:
			return fmt.Errorf("model %q is to be run on another suite or under another family than the plan says", o.ID)
		case !asked[s.Model] || p.Request.Batches[s.Model] != s.Batch:
			return fmt.Errorf("model %q, or its batch of %d images, is not among those of the plan", o.ID, s.Batch)
		case o.Images != p.packs[o.Chunk]:
			return fmt.Errorf("the images of model %q are not those of the plan", o.ID)
		}
		seen[s.Model] = true
	}
	return nil
}

// checkPacks looks at the names and sizes of packs as the orders do that need them: what else an order holds is the same for all chunks. Files are opened by these names.
func (p *Plan) checkPacks() error {
	chunks := p.models[0].Spec.Chunks()
	for chunk, blob := range p.packs {
		if err := blob.CheckPack(); err != nil {
			return fmt.Errorf("the images of chunk %d: %w", chunk, err)
		}
		if chunk < 0 || chunk >= chunks {
			return fmt.Errorf("it has images of chunk %d, and there is no chunk %d; there are %d", chunk, chunk, chunks)
		}
	}
	return nil
}

// checkShards looks whether every unit is in one shard, and has images.
func (p *Plan) checkShards() error {
	at := place{-1, -1} // of the unit before
	first := make([]int, len(p.models))
	used := map[int]bool{}
	for k, shard := range p.shards {
		for _, part := range shard {
			if part.Model < 0 || part.Model >= len(p.models) || len(part.Chunks) == 0 {
				return fmt.Errorf("shard %d has no units of model %d of %d", k+1, part.Model, len(p.models))
			}
			for _, chunk := range part.Chunks {
				here := place{part.Model, chunk}
				if _, ok := p.packs[chunk]; !ok || chunk < 0 || chunk >= p.models[part.Model].Spec.Chunks() {
					return fmt.Errorf("shard %d has chunk %d, of which there are no images", k+1, chunk)
				}
				if !at.before(here) || here.model > at.model+1 {
					return fmt.Errorf("shard %d has chunk %d of model %d out of turn", k+1, chunk, part.Model)
				}
				if here.model != at.model {
					first[here.model] = chunk
				}
				at, used[chunk] = here, true
			}
		}
	}
	if at.model != len(p.models)-1 || len(used) != len(p.packs) {
		return fmt.Errorf("its shards have units of %d models on %d chunks in place of %d on %d", at.model+1, len(used), len(p.models), len(p.packs))
	}
	for i, o := range p.models {
		if o.Chunk != first[i] {
			return fmt.Errorf("model %q is described by chunk %d in place of %d", o.ID, o.Chunk, first[i])
		}
	}
	return nil
}

// place is where a unit stands: units go through all shards in this order.
type place struct{ model, chunk int }

func (p place) before(q place) bool {
	return p.model < q.model || p.model == q.model && p.chunk < q.chunk
}
