package shards

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/job"
)

// Form is the form of manifests that is written and read.
const Form = 3

// MaxShards is the largest number of shards of a plan.
const MaxShards = 100_000

// The most that a manifest may hold otherwise.
const (
	maxUnits     = 1 << 20
	maxModels    = 1 << 14
	maxManifest  = 64 << 20 // bytes
	maxText      = 256      // bytes of a version or the suite's name
	maxName      = 4096     // bytes of a class, a position, a vector modality
	maxPositions = 256      // positions, and vector modalities
)

// Plan is what a manifest says: the units that a workspace lacks, cut into shards. It is
// immutable.
type Plan struct {
	ID      string // SHA-256 that the manifest ends with
	Program string // version of Variscope that wrote it
	Suite   string // name, for people
	Shards  int    // they are counted from 1
	// Request repeats the run in its workspace.
	Request job.Request

	packs  map[int]wire.Blob // by chunk
	models []wire.Order      // of the first planned chunk of each
	keys   []string          // of the models' specs
	count  int               // transformations
	units  []planned         // model by model, and shard by shard
}

// planned is a unit of a plan.
type planned struct {
	shard        int // from 1
	model, chunk int // index and number
	inferences   int64
}

// manifest is how a plan is written. What the orders say of the run stands there alone.
type manifest struct {
	Form    int         `json:"variscope_plan"`
	Program string      `json:"program"`
	Suite   string      `json:"suite_name"`
	Request request     `json:"request"`
	Packs   []pack      `json:"packs"`
	Models  []modelPart `json:"models"`
	Shards  int         `json:"shards"` // that the units are cut into (cut)
	SHA256  string      `json:"sha256"` // of the manifest with this empty
}

// request is of a job.Request what orders do not say.
type request struct {
	Models    []string          `json:"models"`
	Positions []string          `json:"positions"`
	Vectors   []string          `json:"vectors"`
	ClassMap  map[string]string `json:"class_map"`
	Batches   map[string]int    `json:"batches"`
}

// modelPart is a model with the chunks that are planned.
type modelPart struct {
	Order  json.RawMessage `json:"order"` // of the first chunk
	Chunks []int           `json:"chunks"`
}

// pack names the images of a chunk.
type pack struct {
	Chunk int `json:"chunk"`
	wire.Blob
}

// spec is that of the first model; its runtime, processor, suite and family are those of all.
func (p *Plan) spec() signal.Spec { return p.models[0].Spec }

// key is the name of a unit.
func (p *Plan) key(u planned) string { return signal.UnitKeyOf(p.keys[u.model], u.chunk) }

// order describes a unit.
func (p *Plan) order(u planned) wire.Order {
	o := p.models[u.model]
	o.Chunk, o.Unit, o.Images = u.chunk, p.key(u), p.packs[u.chunk]
	return o
}

// cut gives units their shards, of n, without changing their order, so that each shard gets nearly
// the same number of inferences: one differs from the average by what half a unit takes on each
// side at most. Units of one model are in shards that follow each other. Where there are fewer
// units than shards, some shards are empty.
func cut(units []planned, n int) {
	var total, before int64
	for _, u := range units {
		total += u.inferences
	}
	for i, u := range units {
		// The shard that the middle of the unit lies in.
		k := int(float64(2*before+u.inferences) / float64(2*total) * float64(n))
		units[i].shard = 1 + min(n-1, k)
		before += u.inferences
	}
}

// encode writes a manifest with its hash.
func (m manifest) encode() []byte {
	m.SHA256 = ""
	text, _ := json.Marshal(m) // texts, numbers and orders, which are JSON already
	sum := sha256.Sum256(text)
	m.SHA256 = hex.EncodeToString(sum[:])
	text, _ = json.Marshal(m)
	return append(text, '\n')
}

// errManifest is what can be done about a manifest that was changed.
var errManifest = errors.New("it was cut off or changed; plan the run again")

// readPlan reads a manifest and believes nothing of it: it has one form only, its hash, and
// orders, packs and shards that fit each other. The error is a sentence about "it".
func readPlan(data []byte) (*Plan, error) {
	if len(data) > maxManifest {
		return nil, fmt.Errorf("it has more than %d bytes", maxManifest)
	}
	var m manifest
	err := json.Unmarshal(data, &m) // reads all that has its type, whatever else is wrong
	if m.Form != Form && m.Form != 0 {
		return nil, fmt.Errorf("it has form %d, and this program reads form %d; "+
			"use the same version of Variscope on all machines", m.Form, Form)
	}
	if err != nil || !bytes.Equal(m.encode(), data) {
		return nil, errManifest
	}
	return m.plan()
}

// plan checks what a manifest says.
func (m manifest) plan() (*Plan, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	p := &Plan{ID: m.SHA256, Program: m.Program, Suite: m.Suite, Shards: m.Shards, packs: map[int]wire.Blob{}}
	for i, pack := range m.Packs {
		if i > 0 && pack.Chunk <= m.Packs[i-1].Chunk {
			return nil, fmt.Errorf("it lists the images of chunk %d after those of chunk %d", pack.Chunk,
				m.Packs[i-1].Chunk)
		}
		if err := pack.CheckPack(); err != nil { // files are opened by these names
			return nil, fmt.Errorf("the images of chunk %d: %w", pack.Chunk, err)
		}
		p.packs[pack.Chunk] = pack.Blob
	}
	used, on := map[int]bool{}, map[string]string{}
	for i, part := range m.Models {
		o, err := wire.ParseOrder(part.Order)
		if err != nil {
			return nil, fmt.Errorf("model %d: %w", i, err)
		}
		family, _ := transform.ParseAny(o.Spec.Family) // ParseOrder has read it
		p.models, p.keys, p.count = append(p.models, o), append(p.keys, o.Spec.Key()), family.N()
		if err := p.checkModel(m.Request, part.Chunks); err != nil {
			return nil, err
		}
		for _, chunk := range part.Chunks {
			_, images := o.Spec.ChunkImages(chunk)
			p.units = append(p.units, planned{model: i, chunk: chunk, inferences: int64(images) * int64(p.count)})
			used[chunk] = true
		}
		if o.Spec.Device != "" {
			on[o.Spec.Model] = o.Spec.Device
		}
	}
	if len(used) != len(p.packs) {
		return nil, fmt.Errorf("its units need the images of %d chunks, and it has those of %d", len(used),
			len(p.packs))
	}
	cut(p.units, p.Shards)
	s, r := p.spec(), m.Request
	p.Request = job.Request{
		Models: r.Models, Suite: s.Source, Family: s.Family, Positions: r.Positions, Vectors: r.Vectors,
		ClassMap: r.ClassMap, Batches: r.Batches, Mixed: s.IsMixed(), Device: device.Pick{Device: string(device.CPU)},
		On: on,
	}
	return p, nil
}

// check bounds texts, and what a plan can cost before anything is made of it.
func (m manifest) check() error {
	units, r := 0, m.Request
	for _, part := range m.Models {
		units += len(part.Chunks)
	}
	switch {
	case m.Shards < 1 || m.Shards > MaxShards:
		return fmt.Errorf("it has %d shards; 1 to %d are possible", m.Shards, MaxShards)
	case len(m.Models) < 1 || len(m.Packs) < 1:
		return fmt.Errorf("it has %d models and the images of %d chunks; there must be some", len(m.Models),
			len(m.Packs))
	case len(r.Models) > maxModels || len(r.Batches) > maxModels || len(r.Positions) > maxPositions ||
		len(r.Vectors) > maxPositions || len(r.ClassMap) > wire.MaxClasses:
		return fmt.Errorf("it asks for %d models with %d batches, %d positions, %d vector modalities and a table of "+
			"%d classes, which is more than a run can have",
			len(r.Models), len(r.Batches), len(r.Positions), len(r.Vectors), len(r.ClassMap))
	}
	names := slices.Concat(r.Models, r.Positions, r.Vectors,
		slices.Collect(maps.Keys(r.ClassMap)), slices.Collect(maps.Values(r.ClassMap)))
	return cmp.Or(tooLarge(len(m.Models), max(units, len(m.Packs))),
		checkTexts(maxText, m.Program, m.Suite), checkTexts(maxName, names...))
}

// tooLarge is an error about more models or units than a plan may have.
func tooLarge(models, units int) error {
	if models <= maxModels && units <= maxUnits {
		return nil
	}
	return fmt.Errorf("it has %d units of %d models; at most %d of %d are possible; make several plans", units, models,
		maxUnits, maxModels)
}

// checkTexts looks at texts of at most so many bytes.
func checkTexts(most int, texts ...string) error {
	for _, text := range texts {
		if len(text) > most || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Errorf("it holds the text %.80q where a version or a name must be", text)
		}
	}
	return nil
}

// checkModel looks whether the last model belongs to the run of the others, which was asked for,
// and has images for its chunks.
func (p *Plan) checkModel(asked request, chunks []int) error {
	first, o := p.spec(), p.models[len(p.models)-1]
	s := o.Spec
	switch {
	case slices.ContainsFunc(p.models[:len(p.models)-1], func(m wire.Order) bool { return m.Spec.Model == s.Model }):
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
