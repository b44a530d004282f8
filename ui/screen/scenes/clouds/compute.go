package clouds

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/ui/present"
)

// cloudKey names a cloud: signals, the end of the axes, measure and the share of the targets.
type cloudKey struct {
	signals string
	far     float64
	measure scenes.Measure
	share   int
	seed    uint64
}

// matrixKey names what is made of a cloud.
type matrixKey struct {
	cloudKey
	by     scatter.Interpolant
	points string
	raster int
}

// cache keeps values of a total size; one more lets all go that were there. It is safe for many
// goroutines.
type cache[K comparable, V any] struct {
	most, size int
	mu         sync.Mutex
	kept       map[K]V
}

func newCache[K comparable, V any](most int) *cache[K, V] {
	return &cache[K, V]{most: most, kept: map[K]V{}}
}

func (c *cache[K, V]) get(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok = c.kept[key]
	return v, ok
}

func (c *cache[K, V]) put(key K, v V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += size; c.size > c.most {
		clear(c.kept)
		c.size = size
	}
	c.kept[key] = v
}

// vault keeps what was read and computed while the page looks at a selection.
type vault struct {
	evidence *cache[string, *scenes.Evidence]  // by the model and the key of its signals
	matrices *cache[matrixKey, scatter.Matrix] // exact ones and pictures of points
	bins     *cache[cloudKey, scatter.Bins]
}

// newVault makes one for the evidence of 6 models or selections, 8 million numbers in matrices, and
// 8 clouds in bins.
func newVault() *vault {
	return &vault{
		newCache[string, *scenes.Evidence](6), newCache[matrixKey, scatter.Matrix](8 << 20),
		newCache[cloudKey, scatter.Bins](8),
	}
}

// look is a model in the scenes of a selection (hash).
type look struct {
	Row
	selection string
}

// mostSelections is how many selections are shown below each other.
const mostSelections = 5

// looks are models in the scenes of a selection. In mode Several the first one stands in those of
// all selections of the same targets that it ran in, by name; left says for each of the others what
// is wrong with it, or that there is no room.
func looks(ws *store.Workspace, rows []Row, selection, mode string) (list []look, left []string, err error) {
	for _, r := range rows {
		list = append(list, look{r, selection})
	}
	if mode != Several {
		return list, nil, nil
	}
	records, err := ws.Selections()
	if err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(records, func(a, b store.SelectionRecord) int { return result.Natural(a.Name, b.Name) })
	at := slices.IndexFunc(records, func(r store.SelectionRecord) bool { return r.Hash == selection })
	if at < 0 {
		return list, nil, nil // it was just removed
	}
	others, own := 0, list[0]
	list = nil
	for k, r := range records {
		if k == at {
			list = append(list, own)
			continue
		}
		if r.Targets != records[at].Targets {
			continue
		}
		var info store.SetInfo
		var why result.Reason
		family, err := r.Family()
		if err == nil {
			info, why, err = lookup.Set(ws, own.Model, r.Targets, family)
		}
		switch {
		case err != nil:
			left = append(left, r.Name+": "+present.Sentence(err))
		case !why.None():
		case others == mostSelections-1:
			left = append(left, fmt.Sprintf("%s: there is room for %d selections", r.Name, mostSelections))
		default:
			others++
			list = append(list, look{Row{Model: own.Model, Selection: r.Name, Key: info.Key}, r.Hash})
		}
	}
	return list, left, nil
}

// read is the evidence of models in scenes. Scenes that cannot be read are left out, with the
// reason, unless they are those of the selection that is looked at.
func (v *vault) read(
	ctx context.Context, ws *store.Workspace, looks []look, selection string,
) (list []*scenes.Evidence, left []string, err error) {
	for _, r := range looks {
		e, ok := v.evidence.get(r.Model.Hash + r.Key)
		if !ok {
			made, reason, err := scenes.Read(ctx, ws, r.Model, r.selection)
			if err == nil && reason != "" {
				err = fmt.Errorf("%s: %s", r.Model.ID, reason)
			}
			switch {
			case err != nil && (r.selection == selection || ctx.Err() != nil):
				return nil, nil, err
			case err != nil:
				left = append(left, r.Selection+": "+present.Sentence(err))
				continue
			}
			e = &made
			v.evidence.put(r.Model.Hash+r.Key, e, 1)
		}
		list = append(list, e)
	}
	return list, left, nil
}

func (v *vault) matrix(k matrixKey) (scatter.Matrix, bool) { return v.matrices.get(k) }

func (v *vault) put(k matrixKey, m scatter.Matrix) { v.matrices.put(k, m, len(m.Values)) }

// binned counts a cloud into cells, once.
func (v *vault) binned(ctx context.Context, k cloudKey, c scatter.Cloud) (scatter.Bins, error) {
	if b, ok := v.bins.get(k); ok {
		return b, nil
	}
	b, err := scatter.Bin(ctx, c, scatter.DefaultCells)
	if err == nil {
		v.bins.put(k, b, 1)
	}
	return b, err
}

func (a ask) cloudKey(model int, m scenes.Measure, share int) cloudKey {
	e := a.evidence[model]
	k := cloudKey{signals: e.Model.Hash + e.Set.Key, far: a.far(), measure: m, share: share, seed: a.settings.Seed}
	if share == wholeShare {
		k.seed = 0
	}
	return k
}

func (a ask) key(s spec, share int) matrixKey {
	k := matrixKey{cloudKey: a.cloudKey(s.model, s.measure, share), by: s.by, raster: s.raster}
	if s.points() {
		k.points = a.settings.Points
	}
	return k
}

// preview makes a sheet within the time that a slider may take: what was computed exactly before
// as it is, the rest from bins and marked as a preview.
func preview(ctx context.Context, v *vault, a ask) (*sheet, error) {
	s := &sheet{ask: a, rows: tiles(a), counts: map[places]scatter.Matrix{}, exact: true}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	if err := s.bin(ctx, v); err != nil {
		return nil, err
	}
	for _, row := range s.rows {
		for k := range row {
			if t := &row[k]; t.absent == "" && t.model != difference {
				work.Go(func() error { return t.fill(ctx, v, a) })
			}
		}
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	s.finish(v)
	s.paint(a.settings)
	return s, nil
}

// tiles are the tiles of an ask without their matrices.
func tiles(a ask) [][]tile {
	var rows [][]tile
	for _, specs := range a.layout() {
		var row []tile
		for _, s := range specs {
			t := tile{spec: s, apart: math.NaN()}
			for _, who := range s.models() {
				if _, ok := a.evidence[who].Clouds[s.measure]; !ok {
					t.absent = a.evidence[who].Absent[s.measure]
				}
			}
			row = append(row, t)
		}
		rows = append(rows, row)
	}
	return rows
}

// models are those that a tile is made of.
func (s spec) models() []int {
	if s.model == difference {
		return []int{0, 1}
	}
	return []int{s.model}
}

// bin makes the bins of all clouds that need a preview, each once.
func (s *sheet) bin(ctx context.Context, v *vault) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	seen := map[cloudKey]bool{}
	for _, row := range s.rows {
		for _, t := range row {
			if t.absent != "" || t.model == difference || t.points() {
				continue
			}
			key := s.ask.cloudKey(t.model, t.measure, s.ask.settings.Share)
			_, known := v.matrix(s.ask.key(t.spec, s.ask.settings.Share))
			if known || seen[key] {
				continue
			}
			seen[key] = true
			cloud, _ := s.ask.cloud(t.model, t.measure, s.ask.settings.Share)
			work.Go(func() error {
				_, err := v.binned(ctx, key, cloud)
				return err
			})
		}
	}
	return work.Wait()
}

// fill fills a tile with the exact matrix where it is known, else with a preview.
func (t *tile) fill(ctx context.Context, v *vault, a ask) error {
	share := a.settings.Share
	key := a.key(t.spec, share)
	if m, ok := v.matrix(key); ok {
		t.matrix = m
		return nil
	}
	cloud, _ := a.cloud(t.model, t.measure, share)
	if t.points() {
		var err error
		if t.matrix, err = drawPoints(ctx, cloud, a.settings.Points); err == nil {
			v.put(key, t.matrix)
		}
		return err
	}
	bins, err := v.binned(ctx, key.cloudKey, cloud)
	if err != nil {
		return err
	}
	t.matrix, t.preview = bins.Preview(t.raster, t.by), true
	return ctx.Err()
}

// drawPoints draws a cloud's scatter picture.
func drawPoints(ctx context.Context, c scatter.Cloud, how string) (scatter.Matrix, error) {
	switch how {
	case Mean:
		bins, err := scatter.Bin(ctx, c, pointsSide)
		if err != nil {
			return scatter.Matrix{}, err
		}
		return bins.Means(), nil
	case Dots:
		return scatter.Dots(c, pointsSide), nil
	}
	return scatter.LogDensity(c, pointsSide), nil
}

// finish adds what follows from the matrices: differences, those from all targets, and the numbers
// of points.
func (s *sheet) finish(v *vault) {
	share := s.ask.settings.Share
	for _, row := range s.rows {
		for k := range row {
			t := &row[k]
			if t.model == difference && t.absent == "" {
				t.matrix, t.preview = minus(row[0].matrix, row[1].matrix), row[0].preview || row[1].preview
			}
			if t.preview {
				s.exact = false
			}
			if _, known := s.counts[t.places()]; !known && t.absent == "" {
				s.counts[t.places()] = s.count(v, t.spec)
			}
			if share == wholeShare || t.points() || t.model == difference || t.absent != "" {
				continue
			}
			whole, known := v.matrix(s.ask.key(t.spec, wholeShare))
			if !known {
				s.exact = false
				continue
			}
			t.apart = scatter.Difference(t.matrix, whole)
		}
	}
}

// count is how many points lie in the elements of a raster, which depends on distances alone.
func (s *sheet) count(v *vault, of spec) scatter.Matrix {
	key := matrixKey{
		cloudKey: s.ask.cloudKey(of.models()[0], of.measure, s.ask.settings.Share), points: counted, raster: of.raster,
	}
	if m, ok := v.matrix(key); ok {
		return m
	}
	cloud, _ := s.ask.cloud(of.models()[0], of.measure, s.ask.settings.Share)
	m := scatter.Density(cloud, of.raster)
	v.put(key, m)
	return m
}

// counted marks the numbers of points among the matrices of a vault.
const counted = "counted"

func minus(a, b scatter.Matrix) scatter.Matrix {
	m := scatter.Matrix{R: a.R, Values: make([]float64, len(a.Values))}
	for e := range m.Values {
		m.Values[e] = a.Values[e] - b.Values[e]
	}
	return m
}

// missing are the exact matrices that an ask lacks, in groups that are computed at once: of one
// cloud and raster. With a share of the targets the matrices of all targets belong to it, to be
// compared with.
type missing struct {
	model   int
	measure scenes.Measure
	share   int
	raster  int
	list    []scatter.Interpolant
}

func (a ask) missing(v *vault) []missing {
	var groups []missing
	add := func(s spec, share int) {
		if _, known := v.matrix(a.key(s, share)); known {
			return
		}
		for k := range groups {
			if g := &groups[k]; g.model == s.model && g.measure == s.measure && g.share == share &&
				g.raster == s.raster {
				g.list = append(g.list, s.by)
				return
			}
		}
		groups = append(groups, missing{s.model, s.measure, share, s.raster, []scatter.Interpolant{s.by}})
	}
	for _, row := range tiles(a) {
		for _, t := range row {
			if t.absent != "" || t.model == difference || t.points() {
				continue
			}
			add(t.spec, a.settings.Share)
			if a.settings.Share < wholeShare {
				add(t.spec, wholeShare)
			}
		}
	}
	return groups
}

// exact computes the exact matrices that an ask lacks, which the workspace keeps, and the sheet of
// all.
func exact(ctx context.Context, ws *store.Workspace, v *vault, a ask, p engine.Progress) (*sheet, error) {
	groups := a.missing(v)
	p.SetTotal(int64(len(groups)))
	for _, g := range groups {
		e := *a.evidence[g.model]
		cloud, _ := a.cloud(g.model, g.measure, g.share)
		e.Clouds = map[scenes.Measure]scatter.Cloud{g.measure: cloud}
		matrices, err := scenes.Matrices(ctx, ws, e, g.measure, g.raster, g.list)
		if err != nil {
			return nil, err
		}
		for k, by := range g.list {
			v.put(a.key(spec{model: g.model, measure: g.measure, by: by, raster: g.raster}, g.share), matrices[k])
		}
		p.Add(1)
	}
	return preview(ctx, v, a)
}
