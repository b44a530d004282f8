package desk

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
)

// The endings of the two kinds of file.
const (
	RoundSuffix  = ".vround"
	LabelsSuffix = ".vlabels"
)

// Written says what was written: the file, its size, and the SHA-256 by which its receiver can
// tell that it is whole.
type Written struct {
	Round, Path string // name of the round, and the file
	Size        int64
	SHA256      string
	// Models of the round in a package; Events in a labels file.
	Models, Events int
}

// InviteOptions are what a round package may hold besides.
type InviteOptions struct {
	Full bool `help:"Put the model files and the images into the package too (invite)." label:"With the model files and the images (large)"`
}

// Invite writes the round package of a round to path. With full it holds the model files and the
// suite's images too. Every model of the round must have matrices. The round's colour ranges are
// fixed first, so that all desks see the same colours. The file is written beside its place and
// moved there when it is complete. Progress counts models and members; p may be nil.
func Invite(
	ctx context.Context, ws *store.Workspace, roundID, path string, full bool, p engine.Progress,
) (Written, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	w := packing{ctx: ctx, ws: ws, full: full, progress: p}
	if err := w.gather(roundID); err != nil {
		return Written{}, fmt.Errorf("invite: %w", err)
	}
	written, err := writeFile(path, func(out io.Writer) error {
		return writeArchive(ctx, out, w.manifest, w.sources, func() { p.Add(1) })
	})
	if err != nil {
		return Written{}, fmt.Errorf("invite: %w", err)
	}
	written.Round, written.Models = w.round.Name, len(w.round.Models)
	return written, nil
}

// packing collects the members of a round package.
type packing struct {
	ctx      context.Context
	ws       *store.Workspace
	full     bool
	progress engine.Progress
	round    label.Round
	filter   variance.Images
	manifest manifest
	sources  []source
}

func (w *packing) gather(roundID string) error {
	r, err := w.ws.Round(roundID)
	if err != nil {
		return err
	}
	ranges, err := w.ws.RoundRanges(w.ctx, r)
	if err != nil {
		return err
	}
	if w.round, err = w.ws.FixRanges(r.ID, ranges); err != nil {
		return err
	}
	w.round = w.round.Sealed()
	if w.filter, err = variance.ParseImages(r.Filter); err != nil {
		return err
	}
	if err := w.describe(); err != nil {
		return err
	}
	if err := w.add("round.json", w.round); err != nil {
		return err
	}
	w.sources = append(w.sources, text("guideline.md", []byte(w.round.Guideline)))
	if err := w.suite(); err != nil {
		return err
	}
	w.progress.SetTotal(int64(w.steps()))
	for _, hash := range r.Models {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.model(hash); err != nil {
			return err
		}
		w.progress.Add(1)
	}
	return nil
}

// steps are the models to gather and the members to write: those that are there before the models,
// and the manifest.
func (w *packing) steps() int {
	each := 4 // gathering it, its record, its matrices and their thumbnail
	if w.full {
		each++
	}
	if w.round.Kind != label.BackgroundRound && w.filter.String() != variance.AllImages().String() {
		each++
	}
	return each*len(w.round.Models) + len(w.sources) + 1
}

// describe writes what the manifest says of the round.
func (w *packing) describe() error {
	r := w.round
	names, err := w.ws.AnnotatorNames()
	if err != nil {
		return err
	}
	w.manifest = manifest{
		Format: roundFormat, Version: versionOf(r), Round: r.ID, RoundName: r.Name, Desk: w.ws.Desk(),
		Full: w.full, Names: map[string]string{},
	}
	for _, id := range r.Annotators {
		if name, ok := names[id]; ok {
			w.manifest.Names[id] = name
		}
	}
	return nil
}

func (w *packing) add(path string, v any) error {
	content, err := json.Marshal(v)
	if err == nil {
		w.sources = append(w.sources, text(path, content))
	}
	return err
}

// suite adds what is known of the round's suite, and for a derived one also of the suite that it
// is made from.
func (w *packing) suite() error {
	m, err := w.ws.Suite(w.round.Suite)
	if err != nil {
		return err
	}
	if m.Derived == nil {
		return w.images("suite.json", m)
	}
	base, err := w.ws.Suite(m.Derived.Of)
	if err != nil {
		return err
	}
	m.Root, m.Inside, m.Copied, m.Labels, m.Files = "", "", false, nil, nil
	if err := w.add("suite.json", m); err != nil {
		return err
	}
	return w.images(baseMember, base)
}

// images adds a suite that has images of its own, and these to a full package.
func (w *packing) images(member string, m suite.Manifest) error {
	m.Root, m.Inside, m.Copied = "", "", false
	if !w.full {
		m.Labels, m.Files = nil, nil
		return w.add(member, m)
	}
	root, err := w.ws.SuiteFolder(w.ctx, m.Hash)
	if err != nil {
		return fmt.Errorf("a full package holds the images: %w", err)
	}
	for _, f := range m.Files {
		if !safe(imagePath(f)) {
			return fmt.Errorf("image %s of suite %s lies outside its folder, or its name is not allowed elsewhere",
				f.Path, m.Name)
		}
		w.sources = append(w.sources, file(imagePath(f), filepath.Join(root, filepath.FromSlash(f.Path))))
	}
	return w.add(member, m)
}

// baseMember describes the suite that a derived one is made from; packages of other suites have
// none.
const baseMember = "base.json"

func imagePath(f suite.File) string { return "images/" + f.Path }

func file(path, place string) source {
	return source{path: path, open: func() (io.ReadCloser, error) { return outside.Open(place, outside.KeptOutside) }}
}

func (w *packing) model(hash string) error {
	m, err := w.ws.Model(hash)
	if err != nil {
		return err
	}
	if w.round.Kind == label.BackgroundRound {
		err = w.scenes(m)
	} else {
		err = w.matrices(m)
	}
	if err != nil {
		return err
	}
	if w.full {
		if !w.ws.HasFile(hash) {
			return fmt.Errorf("model %s: %w", m.ID, store.ErrNoFile)
		}
		w.sources = append(w.sources, file(onnxPath(hash), w.ws.ModelPath(hash)))
	}
	m = w.round.Shown(m)
	m.Probes, m.Compared = nil, nil // what passed a probe here says nothing about another computer
	return w.add(modelPath(hash), m)
}

// matrices adds a model's variance matrices, over all images and over those of the round, and
// their thumbnail.
func (w *packing) matrices(m model.Model) error {
	all, err := w.evidence(m, variance.AllImages(), withDefaults(w.round.Modalities))
	if err != nil {
		return err
	}
	if err := w.addEvidence(allPath(m.Hash), all); err != nil {
		return err
	}
	shown := all
	if w.filter.String() != variance.AllImages().String() {
		if shown, err = w.evidence(m, w.filter, w.round.Modalities); err != nil {
			return err
		}
		if err := w.addEvidence(roundPath(m.Hash), shown); err != nil {
			return err
		}
	}
	var tiles []render.Tile
	for _, modality := range w.round.Modalities {
		low, high := render.DefaultRange(modality, shown.Matrices[modality].Data)
		c := cmp.Or(w.round.Ranges[modality], label.Range{Low: low, High: high})
		tiles = append(tiles, render.Tile{
			Matrix: shown.Matrices[modality], Scale: render.Scale{Low: c.Low, High: c.High, Map: &render.Viridis},
		})
	}
	return w.thumbnail(m.Hash, tiles)
}

func modelPath(hash string) string     { return "models/" + hash + ".json" }
func allPath(hash string) string       { return "evidence/" + hash + ".bin" }
func roundPath(hash string) string     { return "evidence/" + hash + ".round.bin" }
func onnxPath(hash string) string      { return "onnx/" + hash + ".onnx" }
func thumbnailPath(hash string) string { return "thumbnails/" + hash + ".png" }

func withDefaults(modalities []string) []string {
	list := slices.Clone(modalities)
	for _, m := range signal.DefaultModalities() {
		if !slices.Contains(list, m.String()) {
			list = append(list, m.String())
		}
	}
	return list
}

// evidence reads a model's matrices over the images of a filter.
func (w *packing) evidence(m model.Model, images variance.Images, modalities []string) (store.Evidence, error) {
	r := w.round
	answer, err := w.ws.Matrices(w.ctx, store.MatrixRequest{
		Model: m, Suite: r.Suite, Family: r.Family,
		Modalities: modalities, Images: images,
	})
	if err != nil {
		return store.Evidence{}, err
	}
	summary, _, err := w.ws.Summary(m, r.Suite, r.Family)
	return store.Evidence{
		Round: r.ID, Model: m.Hash, Suite: r.Suite, Family: r.Family, Filter: images.String(),
		Chosen: answer.Chosen, Total: answer.Total, Skipped: answer.Skipped, Labelled: summary.Labelled,
		Classes: summary.Classes, MappedBy: summary.MappedBy, Absent: answer.Absent, Accuracy: answer.Accuracy,
		Robust: answer.Robust, Matrices: answer.Matrices, Chance: summary.Chance,
	}, err
}

func (w *packing) addEvidence(path string, e store.Evidence) error {
	content, err := e.Encode()
	if err == nil {
		w.sources = append(w.sources, text(path, content))
	}
	return err
}

// thumbnailSize is the size of a matrix on a thumbnail, in pixels.
const thumbnailSize = 64

func (w *packing) thumbnail(hash string, tiles []render.Tile) error {
	var out bytes.Buffer
	if err := png.Encode(&out, render.Strip(tiles, thumbnailSize, 4)); err != nil {
		return err
	}
	s := text(thumbnailPath(hash), out.Bytes())
	s.packed = false
	w.sources = append(w.sources, s)
	return nil
}

// writeFile writes a file beside its place, moves it there when it is complete, and says what it
// is.
func writeFile(path string, fill func(io.Writer) error) (w Written, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return w, err
	}
	sum := sha256.New()
	count := &counter{}
	err = durable.WriteFile(path, func(out io.Writer) error { return fill(io.MultiWriter(out, sum, count)) })
	if err != nil {
		return w, err
	}
	return Written{Path: path, Size: count.n, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

type counter struct{ n int64 }

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}
