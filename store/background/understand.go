package background

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Networks are two ONNX models that say what a scene contains (spec/background.md section 1):
// files, with the names of their classes in order.
type Networks struct {
	Segmentation, Scene string   // paths
	Elements, Scenes    []string // names; empty takes class_names of the file's metadata
	// Workers are the goroutines that run them; 0 for one per processor. Results do not depend on
	// it.
	Workers int
	// Kept counts the images whose vectors were there already; nil counts nothing.
	Kept *atomic.Int64
}

// NetworksOf reads the names that go with the files.
func NetworksOf(o background.KeywordNetworks) (n Networks, err error) {
	n.Segmentation, n.Scene = o.Segmentation, o.Scene
	if n.Elements, err = ReadNames(o.Elements); err == nil {
		n.Scenes, err = ReadNames(o.Scenes)
	}
	return n, err
}

// Understand computes the keyword vectors of images with two networks: those of the targets with
// their masks (nil for none), then those of the backgrounds. What was computed before for the same
// networks, image and mask is taken from the workspace, so a stopped computation goes on. The
// error for a list of names that does not match the network's classes says both numbers. Progress
// counts images.
//
// Images are fitted to each network's input and normalised by the mean and std of its file's
// metadata; masks are brought to the size of the segmentation network's scores by the nearest
// pixel. Scene scores that are probabilities already are divided by their sum. Of the suites one
// may have no images. Files in the table are named by the last part of their suite's folder and
// their path in it.
func Understand(ctx context.Context, ws *store.Workspace, rt engine.Runtime, n Networks, targets,
	backgrounds suite.Manifest, masks *Masks, p engine.Progress,
) (background.Table, error) {
	if targets.Images+backgrounds.Images == 0 {
		return background.Table{},
			errors.New("there are no images to look at; choose a suite of targets and one of backgrounds")
	}
	var cut foregrounds
	if masks != nil {
		if of := masks.Set().Suite; of != targets.Hash {
			return background.Table{}, fmt.Errorf("the masks %.12s belong to another suite than %s; "+
				"choose masks of that suite, or none", masks.Set().Hash, targets.Name)
		}
		cut = maskSet{masks}
	}
	return understand(ctx, ws, rt, n, targets, backgrounds, cut, p)
}

// Keep lets the networks make a keyword table of two suites (Understand) and keeps it under a name.
// masks is the hash of the targets' mask set; "" counts the pixels of foregrounds, too.
func (n Networks) Keep(
	ctx context.Context, ws *store.Workspace, rt engine.Runtime, name, targets, backgrounds, masks string,
	p engine.Progress,
) (record store.KeywordTable, table background.Table, err error) {
	of, err := ws.Suite(targets)
	if err != nil {
		return record, table, err
	}
	on, err := ws.Suite(backgrounds)
	if err != nil {
		return record, table, err
	}
	var cut *Masks
	if masks != "" {
		set, err := ws.MaskSet(masks)
		if err == nil {
			cut, err = OpenMasks(ctx, ws, set)
		}
		if err != nil {
			return record, table, err
		}
	}
	if table, err = Understand(ctx, ws, rt, n, of, on, cut, p); err != nil {
		return record, table, err
	}
	record, err = ws.AddKeywords(name, filepath.Base(n.Segmentation)+" and "+filepath.Base(n.Scene), table)
	return record, table, err
}

// maskSet gives masks a name.
type maskSet struct{ *Masks }

// Hash is the mask set's, over the bytes of all masks.
func (m maskSet) Hash() string { return m.Set().Hash }

// understand is Understand for masks from anywhere.
func understand(ctx context.Context, ws *store.Workspace, rt engine.Runtime, n Networks, targets,
	backgrounds suite.Manifest, masks foregrounds, p engine.Progress,
) (background.Table, error) {
	both := []suite.Manifest{targets, backgrounds}
	seg, err := openNetwork(ctx, ws, rt, segmentation, n.Segmentation, n.Elements, both...)
	if err != nil {
		return background.Table{}, err
	}
	scene, err := openNetwork(ctx, ws, rt, sceneNetwork, n.Scene, n.Scenes, both...)
	if err != nil {
		return background.Table{}, err
	}
	u := &understanding{ws: ws, rt: rt, seg: seg, scene: scene, workers: n.Workers, there: n.Kept}
	if u.there == nil {
		u.there = &atomic.Int64{}
	}
	if u.workers < 1 {
		u.workers = runtime.NumCPU()
	}
	u.parts = []*gallery{
		newGallery(ws, targets, background.TargetKind, masks),
		newGallery(ws, backgrounds, background.BackgroundKind, nil),
	}
	return u.table(ctx, p)
}

// understanding is one call of Understand.
type understanding struct {
	ws         *store.Workspace
	rt         engine.Runtime
	seg, scene *network
	workers    int
	there      *atomic.Int64 // images whose vectors were kept before
	parts      []*gallery
}

// chunk is how many images a goroutine takes, and keeps, at a time.
const chunk = 32

// span is images from..to-1 of a suite.
type span struct {
	*gallery
	from, to int
}

// table computes what is missing and puts the rows together.
func (u *understanding) table(ctx context.Context, p engine.Progress) (t background.Table, err error) {
	total := 0
	var spans []span
	for _, g := range u.parts {
		total += g.manifest.Images
		g.load()
		for from := 0; from < g.manifest.Images; from += chunk {
			spans = append(spans, span{g, from, min(from+chunk, g.manifest.Images)})
		}
	}
	p.SetTotal(int64(total))
	err = u.all(ctx, spans, p)
	for _, g := range u.parts {
		err = errors.Join(err, g.close())
	}
	if err != nil {
		return background.Table{}, err
	}
	return u.rows(), nil
}

// all works through the spans with several goroutines.
func (u *understanding) all(ctx context.Context, spans []span, p engine.Progress) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(u.workers)
	for _, one := range spans {
		work.Go(func() error { return u.do(ctx, one, p) })
	}
	return work.Wait()
}

// rows are the table of all vectors: those of the galleries in their order.
func (u *understanding) rows() background.Table {
	t := background.Table{Elements: u.seg.classes, Scenes: u.scene.classes}
	folders := [2]string{}
	for i, g := range u.parts {
		folders[i] = strings.Trim(filepath.ToSlash(filepath.Base(g.manifest.Root)), "/.")
	}
	alike := folders[0] == folders[1]
	for i, g := range u.parts {
		folder := folders[i]
		if alike { // files of both suites must not have the same name
			folder = path.Join(g.kind+"s", folder)
		}
		for k, v := range g.vectors {
			row := background.Row{
				File: path.Join(folder, g.manifest.ImageName(k)), Kind: g.kind, Visible: int(v[0]), Vector: v[1:],
			}
			if label := g.manifest.Labels[k]; g.kind == background.TargetKind && label >= 0 &&
				label < len(g.manifest.Classes) {
				row.Label = g.manifest.Classes[label]
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// waiting is an image that has to be computed.
type waiting struct {
	image int
	key   string
}

// do finds or computes the vectors of a span and keeps the new ones.
func (u *understanding) do(ctx context.Context, s span, p engine.Progress) error {
	var missing []waiting
	for i := s.from; i < s.to; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		next, err := u.look(ctx, s.gallery, i)
		if err != nil {
			return err
		}
		if next == nil {
			u.there.Add(1)
			p.Add(1)
			continue
		}
		missing = append(missing, *next)
	}
	if len(missing) == 0 {
		return nil
	}
	fresh, err := u.compute(ctx, s.gallery, missing)
	if err != nil {
		return err
	}
	if err := u.ws.PutContextVectors(fresh); err != nil {
		return fmt.Errorf("keep the keywords of suite %s: %w", s.manifest.Name, err)
	}
	p.Add(int64(len(missing)))
	return nil
}

// look finds an image's vector in the workspace; where there is none it gives what has to be
// computed. The image is read only if its content is not known, or its vector is missing.
func (u *understanding) look(ctx context.Context, g *gallery, i int) (*waiting, error) {
	if d := g.digests[i]; d != (digest{}) {
		if found, err := u.kept(g, i, d); found || err != nil {
			return nil, err
		}
	}
	img, mask, err := g.read(ctx, i)
	if err != nil {
		return nil, err
	}
	d := digestOf(img, mask)
	known := d == g.digests[i]
	g.digests[i] = d
	if !known {
		if found, err := u.kept(g, i, d); found || err != nil {
			return nil, err
		}
	}
	return &waiting{image: i, key: u.key(d)}, nil
}

// kept reads a vector from the workspace. One that is damaged, or of another length, counts as
// missing: it is computed again.
func (u *understanding) kept(g *gallery, i int, d digest) (bool, error) {
	v, found, err := u.ws.ContextVector(u.key(d))
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return false, err
	}
	if err != nil || !found || !u.plausible(v) {
		return false, nil
	}
	g.vectors[i] = v
	return true, nil
}

// plausible tells whether a kept vector can be one of these networks: the pixels counted, then
// shares and scores.
func (u *understanding) plausible(v []float64) bool {
	if len(v) != 1+len(u.seg.classes)+len(u.scene.classes) || v[0] < 0 ||
		v[0] > float64(u.seg.tried.Height*u.seg.tried.Width) || v[0] != math.Trunc(v[0]) {
		return false
	}
	for _, x := range v[1:] {
		if !(x >= 0 && x <= 1) {
			return false
		}
	}
	return true
}

// compute runs both networks over the images of one span and returns their vectors by key.
func (u *understanding) compute(ctx context.Context, g *gallery, list []waiting) (map[string][]float64, error) {
	images := make([]int, len(list))
	for k, one := range list {
		images[k] = one.image
	}
	vectors := make([][]float64, len(list))
	err := u.rt.Rows(ctx, u.seg.rows(engine.Elements, images), g, func(k int, row []float64) error {
		counts := make([]int, len(row))
		for at, n := range row {
			counts[at] = int(n)
		}
		shares, visible := background.SharesOf(counts)
		vectors[k] = append([]float64{float64(visible)}, shares...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	fresh := map[string][]float64{}
	err = u.rt.Rows(ctx, u.scene.rows(engine.SceneScores, images), g, func(k int, row []float64) error {
		v := append(vectors[k], row...)
		g.vectors[list[k].image], fresh[list[k].key] = v, v
		return nil
	})
	return fresh, err
}
