package shards

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/internal/testdata"
)

// manifestOf is the manifest of a small plan.
func manifestOf(t *testing.T) (b *fixture, data []byte) {
	t.Helper()
	b = newFixture(t, 300, "a", "b")
	f := b.plan(b.request(), 3)
	data, err := os.ReadFile(f.path(manifestFile))
	must(b, err)
	return b, data
}

// TestEveryUnitCanBeOrdered: what a plan says of its units is what an order must be.
func TestEveryUnitCanBeOrdered(t *testing.T) {
	_, data := manifestOf(t)
	p, err := readPlan(data)
	must(t, err)
	seen := map[string]bool{}
	for _, o := range p.all() {
		text := testdata.Must(o.Encode())(t)
		again, err := wire.ParseOrder(text)
		if err != nil || !reflect.DeepEqual(again, o) || seen[o.Unit] {
			t.Errorf("%+v: %v", o, err)
		}
		seen[o.Unit] = true
	}
	if len(seen) != len(p.units) || len(seen) != 4 || p.ID == "" || !bytes.Contains(data, []byte(p.ID)) ||
		p.Suite != "pets" || p.Program != "0.1.0" {
		t.Errorf("%d units in %+v", len(seen), p)
	}
}

// TestPlansThatContradictThemselves have a right hash and are refused nevertheless.
func TestPlansThatContradictThemselves(t *testing.T) {
	b, data := manifestOf(t)
	order := func(alter func(o *wire.Order)) func(*manifest) {
		return func(m *manifest) { b.order(m, 1, alter) }
	}
	chunks := func(list ...int) func(*manifest) { return func(m *manifest) { m.Models[0].Chunks = list } }
	raw := func(text string) func(*manifest) {
		return func(m *manifest) { m.Models[0].Order = json.RawMessage(text) }
	}
	hash := func(sum string) func(*manifest) { return func(m *manifest) { m.Packs[1].SHA256 = sum } }
	size := func(n int64) func(*manifest) { return func(m *manifest) { m.Packs[1].Size = n } }
	long := strings.Repeat("a", maxName+1)
	const much = "more than a run can have"
	for name, test := range map[string]struct {
		alter func(*manifest)
		want  string
	}{
		"no shards":       {func(m *manifest) { m.Shards = 0 }, "0 shards"},
		"too many shards": {func(m *manifest) { m.Shards = MaxShards + 1 }, "are possible"},
		"too many units":  {chunks(make([]int, maxUnits+1)...), "make several plans"},
		"too many models": {
			func(m *manifest) { m.Models = slices.Repeat(m.Models[:1], maxModels+1) }, "make several plans",
		},
		"model twice": {func(m *manifest) { m.Models[1] = m.Models[0] }, "twice"},
		"runtime":     {order(func(o *wire.Order) { o.Spec.Runtime = "2.0" }), "is for ONNX Runtime"},
		"level":       {order(func(o *wire.Order) { o.Spec.Level = "other" }), "other"},
		"suite":       {order(func(o *wire.Order) { o.Spec.Source = strings.Repeat("a", 64) }), "another suite"},
		"order":       {raw(`{"wire":1}`), "model 0"}, "order of nothing": {raw(`null`), "model 0"},
		"packs exchanged": {func(m *manifest) {
			m.Packs[0].Blob, m.Packs[1].Blob = m.Packs[1].Blob, m.Packs[0].Blob
		}, "are not those of the plan"},
		"pack of no unit": {
			func(m *manifest) { m.Models[0].Chunks, m.Models[1].Chunks = []int{0}, []int{0} },
			"of 1 chunks, and it has those of 2",
		},
		"no first unit":   {chunks(1), "not described by its first chunk"},
		"no chunks":       {chunks(), "not described by its first chunk"},
		"chunk out of it": {chunks(0, 2), "no images of it"},
		"negative chunk":  {chunks(0, -1), "no images of it"},
		"chunk twice":     {chunks(0, 0), "out of turn"},
		"no models":       {func(m *manifest) { m.Models = nil }, "0 models"},
		"no packs":        {func(m *manifest) { m.Packs = nil }, "0 chunks"},
		"odd suite":       {func(m *manifest) { m.Suite = "a\x1b[2J" }, "must be"},
		"long text":       {func(m *manifest) { m.Program = strings.Repeat("a", 300) }, "must be"},
		"models":          {func(m *manifest) { m.Request.Models = m.Request.Models[:1] }, "not among those"},
		"batches":         {func(m *manifest) { m.Request.Batches = nil }, "not among those"},
		"a path":          {hash(strings.Repeat("../", 18) + "etc/passwd"), "no SHA-256"},
		"capitals":        {hash(strings.Repeat("A", 64)), "no SHA-256"},
		"empty pack":      {size(0), "0 bytes"}, "pack too large": {size(wire.MaxPack + 1), "can travel"},
		"pack of chunk 9": {
			func(m *manifest) { m.Packs = append(m.Packs, pack{9, m.Packs[1].Blob}) }, "it has those of 3",
		},
		"pack twice":     {func(m *manifest) { m.Packs = append(m.Packs, m.Packs[1]) }, "after those of chunk"},
		"too many packs": {func(m *manifest) { m.Packs = make([]pack, maxUnits+1) }, "1048576 of 16384 are possible"},
		"models asked":   {func(m *manifest) { m.Request.Models = slices.Repeat(m.Request.Models, maxModels) }, much},
		"positions":      {func(m *manifest) { m.Request.Positions = make([]string, maxPositions+1) }, much},
		"many vectors":   {func(m *manifest) { m.Request.Vectors = make([]string, maxPositions+1) }, much},
		"long position":  {func(m *manifest) { m.Request.Positions = []string{long} }, "must be"},
		"long class":     {func(m *manifest) { m.Request.ClassMap = map[string]string{"a": long} }, "must be"},
		"long model":     {func(m *manifest) { m.Request.Models[1] = long }, "must be"},
		"odd class":      {func(m *manifest) { m.Request.ClassMap = map[string]string{"\x1b[2J": "a"} }, "must be"},
	} {
		var m manifest
		must(b, json.Unmarshal(data, &m))
		test.alter(&m)
		testdata.Refused(t, name, testdata.Err(readPlan(m.encode())), test.want)
	}
	endless := append(slices.Clone(data), bytes.Repeat([]byte(" "), maxManifest)...)
	testdata.Refused(t, "a manifest without end", testdata.Err(readPlan(endless)))
}

// TestALargePlanIsReadSoon: what an order says of a model is looked at once, not for each of its
// chunks and units. A thousand times as many units of the same long orders take a few times as
// long as two of each then, and more than a hundred times as long otherwise.
func TestALargePlanIsReadSoon(t *testing.T) {
	b, data := manifestOf(t)
	const chunks = 4000
	small, large := b.long(data, chunks, 2), b.long(data, chunks, chunks)
	quick, slow := b.reading(small, 2), b.reading(large, chunks)
	for range 2 { // other processes disturb some of them
		quick, slow = min(quick, b.reading(small, 2)), min(slow, b.reading(large, chunks))
	}
	if slow > 20*quick {
		t.Errorf("%d units took %v, and 4 took %v", 2*chunks, slow, quick)
	}
}

// long is a manifest with units of the first so many chunks of all, and with long orders.
func (b *fixture) long(data []byte, all, planned int) []byte {
	b.Helper()
	var m manifest
	must(b, json.Unmarshal(data, &m))
	b.orders(&m, func(o *wire.Order) {
		o.Spec.Images, o.Classes = all*signal.ChunkSize, make([]int, 100_000)
		o.Spec.TrueClass = o.Classes
	})
	var list []int
	for chunk := range planned {
		list = append(list, chunk)
		if chunk > 1 {
			m.Packs = append(m.Packs, pack{chunk, m.Packs[1].Blob})
		}
	}
	m.Models[0].Chunks, m.Models[1].Chunks, m.Shards = list, list, 1
	return m.encode()
}

// reading is how long it takes to read a plan of so many units of each of two models, and to list
// them.
func (b *fixture) reading(text []byte, units int) time.Duration {
	b.Helper()
	began := time.Now()
	p := testdata.Must(readPlan(text))(b)
	list := p.all()
	took := time.Since(began)
	if len(list) != 2*units || list[units+1].Unit != p.models[1].Spec.UnitKey(1) {
		b.Errorf("%d units", len(list))
	}
	return took
}

// FuzzReadPlan: nothing makes the parser panic, and what it accepts has one form only and
// describes units that can be computed.
func FuzzReadPlan(f *testing.F) {
	data, err := os.ReadFile("testdata/manifest.json")
	must(f, err)
	newer := bytes.Replace(data, []byte(`"variscope_plan":3`), []byte(`"variscope_plan":4`), 1)
	for _, seed := range [][]byte{data, newer, data[:len(data)/2], []byte("{}"), nil} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// The hash of what was changed is put right, so that more than the hash is tried.
		for _, text := range [][]byte{data, hashed(data)} {
			p, err := readPlan(text)
			if err != nil {
				continue
			}
			if len(p.units) > 1<<16 {
				return
			}
			for _, u := range p.all() {
				must(t, testdata.Err(u.Encode()))
			}
			var m manifest
			must(t, json.Unmarshal(text, &m))
			if !bytes.Equal(m.encode(), text) {
				t.Fatalf("another form is accepted: %s", text)
			}
		}
	})
}

// hashed is a manifest with the hash that it should have, nil where it is none.
func hashed(data []byte) []byte {
	var m manifest
	if json.Unmarshal(data, &m) != nil {
		return nil
	}
	return m.encode()
}

// TestTheKeptManifestIsRead: plans that were written stay readable as long as the form has the
// same number. testdata/manifest.json is that of a mixed plan of two models and 300 images.
func TestTheKeptManifestIsRead(t *testing.T) {
	data := testdata.Must(os.ReadFile("testdata/manifest.json"))(t)
	p, err := readPlan(data)
	if err != nil || p.Shards != 3 || len(p.units) != 4 || len(p.models) != 2 || p.spec().Runtime != "1.0" ||
		!p.Request.Mixed {
		t.Errorf("%+v %v", p, err)
	}
}
