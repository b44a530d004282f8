package shards

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/job"
)

// Form is the form of manifests that is written and read.
const Form = 3

// The most that a manifest may hold.
const (
	// MaxShards, MaxUnits and MaxModels are the largest numbers of shards, units and models.
	MaxShards = 100_000
	MaxUnits  = 1 << 20
	MaxModels = 1 << 14

	maxManifest  = 64 << 20 // bytes
	maxText      = 256      // bytes of a version or the suite's name
	maxName      = 4096     // bytes of a class, a position, a vector modality
	maxPositions = 256      // positions, and vector modalities
)

// Plan is what a manifest says: the units that a workspace lacks, cut into shards. It is immutable.
type Plan struct {
	// ID is the SHA-256 that the manifest ends with.
	ID string
	// Program is the version of Variscope that wrote it.
	Program string
	// Runtime, Arch and Level are what the units' names hold: the version of ONNX Runtime, the
	// architecture and the instruction-set level, which are signal.Mixed where any processor will
	// do.
	Runtime, Arch, Level string
	// Suite is the suite's name, for people.
	Suite string
	// Request repeats the run in its workspace.
	Request job.Request

	packs  map[int]wire.Blob // by chunk
	models []planModel
	shards [][]part
}

// planModel is a model of a plan.
type planModel struct {
	wire.Order        // of the first planned chunk
	key        string // of its spec
	count      int    // transformations
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

// part are units of one model in a shard.
type part struct {
	Model  int   `json:"model"` // index
	Chunks []int `json:"chunks"`
}

// Unit is one unit of a plan.
type Unit struct {
	Shard int // from 1
	Order wire.Order
	// Transformations is T of the unit.
	Transformations int
}

// inferences is what the unit takes.
func (u Unit) inferences() int64 {
	_, images := u.Order.Spec.ChunkImages(u.Order.Chunk)
	return int64(images) * int64(u.Transformations)
}

// Shards is the number of shards; they are counted from 1.
func (p *Plan) Shards() int { return len(p.shards) }

// Mixed tells whether processors of any kind may compute the units.
func (p *Plan) Mixed() bool { return p.Request.Mixed }

// Models is the number of models that lack units.
func (p *Plan) Models() int { return len(p.models) }

// Units are those of a shard, model by model; the error says that there is no such shard.
func (p *Plan) Units(shard int) ([]Unit, error) {
	if shard < 1 || shard > len(p.shards) {
		return nil, fmt.Errorf("the plan has no shard %d; it has shards 1 to %d", shard, len(p.shards))
	}
	var list []Unit
	for _, part := range p.shards[shard-1] {
		for _, chunk := range part.Chunks {
			list = append(list, Unit{shard, p.order(part.Model, chunk), p.models[part.Model].count})
		}
	}
	return list, nil
}

// all are the units of all shards.
func (p *Plan) all() (list []Unit) {
	for k := range p.shards {
		units, _ := p.Units(k + 1) // there is such a shard
		list = append(list, units...)
	}
	return list
}

// UnitCount is the number of all units.
func (p *Plan) UnitCount() (n int) {
	for _, shard := range p.shards {
		for _, part := range shard {
			n += len(part.Chunks)
		}
	}
	return n
}

// order describes a unit of a model.
func (p *Plan) order(model, chunk int) wire.Order {
	m := p.models[model]
	o := m.Order
	o.Chunk, o.Unit, o.Images = chunk, signal.UnitKeyOf(m.key, chunk), p.packs[chunk]
	return o
}

// encode writes a manifest with its hash.
func (m manifest) encode() ([]byte, error) {
	m.SHA256 = ""
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	m.SHA256 = hex.EncodeToString(sum[:])
	text, err = json.Marshal(m)
	return append(text, '\n'), err
}

// errManifest is what can be done about a manifest that was changed.
var errManifest = errors.New("it was cut off or changed; plan the run again")

// ReadPlan reads a manifest and believes nothing of it: it has one form only, its hash, and
// orders, packs and shards that fit each other. The error is a sentence.
func ReadPlan(data []byte) (*Plan, error) {
	p, err := readPlan(data)
	if err != nil {
		return nil, fmt.Errorf("the plan's manifest cannot be used: %w", err)
	}
	return p, nil
}

func readPlan(data []byte) (*Plan, error) {
	if len(data) > maxManifest {
		return nil, fmt.Errorf("it has more than %d bytes", maxManifest)
	}
	var version struct {
		Form int `json:"variscope_plan"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("%w (%w)", errManifest, err)
	}
	if version.Form != Form {
		return nil, fmt.Errorf("it has form %d, and this program reads form %d; use the same version of Variscope on all machines", version.Form, Form)
	}
	var m manifest
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		return nil, fmt.Errorf("%w (%w)", errManifest, err)
	}
	again, err := m.encode()
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", errManifest, err)
	}
	if !bytes.Equal(again, data) {
		return nil, errManifest
	}
	return m.plan()
}

// plan checks what a manifest says.
func (m manifest) plan() (*Plan, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	p := &Plan{ID: m.SHA256, Program: m.Program, Suite: m.Suite, packs: map[int]wire.Blob{}}
	for i, pack := range m.Packs {
		if i > 0 && pack.Chunk <= m.Packs[i-1].Chunk {
			return nil, fmt.Errorf("it lists the images of chunk %d after those of chunk %d", pack.Chunk, m.Packs[i-1].Chunk)
		}
		if err := pack.CheckPack(); err != nil { // files are opened by these names
			return nil, fmt.Errorf("the images of chunk %d: %w", pack.Chunk, err)
		}
		p.packs[pack.Chunk] = pack.Blob
	}
	var units []planned
	used := map[int]bool{}
	for i, part := range m.Models {
		o, err := wire.ParseOrder(part.Order)
		if err != nil {
			return nil, fmt.Errorf("model %d: %w", i, err)
		}
		family, err := transform.ParseAny(o.Spec.Family)
		if err != nil {
			return nil, fmt.Errorf("model %d: %w", i, err)
		}
		p.models = append(p.models, planModel{o, o.Spec.Key(), family.N()})
		if err := p.checkModel(m.Request, part.Chunks); err != nil {
			return nil, err
		}
		for _, chunk := range part.Chunks {
			_, images := o.Spec.ChunkImages(chunk)
			units = append(units, planned{i, chunk, int64(images) * int64(family.N())})
			used[chunk] = true
		}
	}
	if len(used) != len(p.packs) {
		return nil, fmt.Errorf("its units need the images of %d chunks, and it has those of %d", len(used), len(p.packs))
	}
	s := p.models[0].Spec
	p.Runtime, p.Arch, p.Level, p.shards = s.Runtime, s.Arch, s.Level, cut(units, m.Shards)
	var on map[string]string
	for _, o := range p.models {
		if o.Spec.Device != "" {
			if on == nil {
				on = map[string]string{}
			}
			on[o.Spec.Model] = o.Spec.Device
		}
	}
	p.Request = job.Request{
		Device: device.Pick{Device: string(device.CPU)}, On: on,
		Models: m.Request.Models, Suite: s.Source, Family: s.Family, Positions: m.Request.Positions, Vectors: m.Request.Vectors,
		ClassMap: m.Request.ClassMap, Batches: m.Request.Batches, Mixed: s.IsMixed(),
	}
	return p, nil
}
