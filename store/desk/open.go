package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// About says what a round package holds, before it is opened.
type About struct {
	Round     string   `json:"round"`
	RoundName string   `json:"round_name"`
	Desk      string   `json:"desk"`
	Full      bool     `json:"full"`
	Models    int      `json:"models"`
	Names     []string `json:"annotators"` // for people
	Blind     bool     `json:"blind"`
}

// Look reads what a round package says of itself. Only its list of members and its round are
// checked.
func Look(path string) (About, error) {
	in, err := openPackage(path)
	if err != nil {
		return About{}, err
	}
	defer in.close()
	var p store.Package
	if err := in.decode("round.json", &p.Round); err != nil {
		return About{}, in.problem(err)
	}
	a := About{
		Round: in.Round, RoundName: p.Round.Name, Desk: in.Desk, Full: in.Full, Models: len(p.Round.Models),
		Blind: p.Round.Blind,
	}
	for _, id := range p.Round.Annotators {
		name := in.Names[id]
		if name == "" {
			name = id
		}
		a.Names = append(a.Names, name)
	}
	return a, nil
}

// Open adds the round package at path to a workspace, under the round's own id. Everything is read
// and checked first; a damaged package changes nothing. Opening it again changes nothing either.
// Progress counts members; p may be nil.
func Open(ctx context.Context, ws *store.Workspace, path string, p engine.Progress) (store.PackageReport, error) {
	if p == nil {
		p = engine.NoProgress{}
	}
	in, err := openPackage(path)
	if err != nil {
		return store.PackageReport{}, err
	}
	defer in.close()
	p.SetTotal(int64(len(in.Members)))
	content, err := in.content(ctx, p)
	if err != nil {
		return store.PackageReport{}, in.problem(err)
	}
	if !in.Full {
		report, err := ws.AddPackage(content)
		if err != nil {
			return report, in.problem(err)
		}
		return report, nil
	}
	report, err := in.openFull(ctx, ws, content, p)
	var half *halfError
	switch {
	case errors.As(err, &half):
		return report, fmt.Errorf("%s: %w", in.name, err)
	case err != nil:
		return report, in.problem(err)
	}
	return report, nil
}

// opened is a round package on disk.
type opened struct {
	*archive
	file *outside.File
	name string
}

func openPackage(path string) (*opened, error) {
	f, a, err := openFile(path, roundFormat)
	if err != nil {
		return nil, err
	}
	return &opened{archive: a, file: f, name: filepath.Base(path)}, nil
}

// openFile opens an archive on disk; the error names it.
func openFile(path, format string) (*outside.File, *archive, error) {
	f, err := outside.Open(path, outside.Package)
	if err != nil {
		return nil, nil, err
	}
	a, err := openArchive(f, f.Size(), format)
	if err != nil {
		_ = f.Close()
		return nil, nil, fmt.Errorf("%s: %w; nothing was changed", filepath.Base(path), err)
	}
	return f, a, nil
}

// halfError is what went wrong after a full package's round was taken in: the rest of it is not
// here yet.
type halfError struct{ err error }

func (e *halfError) Error() string {
	return fmt.Sprintf("its round is here now, and not all of its models and images (%v); "+
		"open it again to bring the rest", e.err)
}

func (e *halfError) Unwrap() error { return e.err }

func (o *opened) close() { _ = o.file.Close() } // it was only read

func (o *opened) problem(err error) error {
	return fmt.Errorf("%s: %w; nothing was changed", o.name, err)
}

// content reads and checks everything but models' files and images, and that no other members are
// there.
func (o *opened) content(ctx context.Context, p engine.Progress) (store.Package, error) {
	c := store.Package{Desk: o.Desk, Names: o.Names}
	if err := errors.Join(o.decode("round.json", &c.Round), o.decode("suite.json", &c.Suite)); err != nil {
		return c, err
	}
	if c.Round.ID != o.Round {
		return c, errors.New("its manifest names another round")
	}
	if c.Suite.Hash != c.Round.Suite {
		return c, errors.New("its suite is not the one of its round")
	}
	if _, err := o.bytes("guideline.md"); err != nil {
		return c, err
	}
	known := []string{"round.json", "suite.json", "guideline.md"}
	if c.Suite.Derived != nil {
		if err := o.decode(baseMember, &c.Base); err != nil {
			return c, err
		}
		known = append(known, baseMember)
	}
	for _, hash := range c.Round.Models {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		paths, err := o.model(hash, &c)
		if err != nil {
			return c, err
		}
		known = append(known, paths...)
		p.Add(int64(len(paths)))
	}
	if o.Full {
		for _, f := range c.Source().Files {
			known = append(known, imagePath(f))
		}
	}
	slices.Sort(known)
	for _, m := range o.Members {
		if _, ok := slices.BinarySearch(known, m.Path); !ok {
			return c, fmt.Errorf("member %s does not belong into a round package", m.Path)
		}
	}
	return c, nil
}

// model reads what the package holds of a model and returns the members' paths.
func (o *opened) model(hash string, into *store.Package) ([]string, error) {
	var m model.Model
	if err := o.decode(modelPath(hash), &m); err != nil {
		return nil, err
	}
	if m.Hash != hash {
		return nil, fmt.Errorf("member %s describes another model", modelPath(hash))
	}
	into.Models = append(into.Models, m)
	paths := []string{modelPath(hash), allPath(hash), thumbnailPath(hash)}
	filters := []string{variance.AllImages().String()}
	if o.files[roundPath(hash)] != nil {
		paths, filters = append(paths, roundPath(hash)), append(filters, into.Round.Filter)
	}
	evidence := []string{allPath(hash), roundPath(hash)}
	for k, filter := range filters {
		data, err := o.bytes(evidence[k])
		if err != nil {
			return nil, err
		}
		e, err := database.DecodeEvidence(data)
		if err == nil && (e.Model != hash || e.Filter != filter) {
			err = errors.New("it belongs to something else")
		}
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", evidence[k], err)
		}
		into.Evidence = append(into.Evidence, e)
	}
	if _, err := o.bytes(thumbnailPath(hash)); err != nil {
		return nil, err
	}
	if o.Full {
		paths = append(paths, onnxPath(hash))
	}
	return paths, nil
}

// openFull unpacks models and images beside the workspace's own files, checks them, and then takes
// everything in. What can be wrong with a package is found before anything is taken in.
func (o *opened) openFull(
	ctx context.Context, ws *store.Workspace, c store.Package, p engine.Progress,
) (store.PackageReport, error) {
	if err := o.room(ctx, ws, c); err != nil {
		return store.PackageReport{}, err
	}
	draft, err := ws.PackageDraft()
	if err != nil {
		return store.PackageReport{}, err
	}
	defer func() { _ = durable.DeleteAll(draft) }()
	for _, m := range c.Models {
		if err := o.unpack(ctx, draft, onnxPath(m.Hash), p); err != nil {
			return store.PackageReport{}, err
		}
		if file, _ := o.listed(onnxPath(m.Hash)); file.SHA256 != m.Hash {
			return store.PackageReport{}, fmt.Errorf("model %s: its file is another one", m.ID)
		}
	}
	source := c.Source()
	for _, f := range source.Files {
		if err := o.unpack(ctx, draft, imagePath(f), p); err != nil {
			return store.PackageReport{}, err
		}
	}
	verified, err := suite.Verify(ctx, source, filepath.Join(draft, "images"), engine.NoProgress{})
	switch {
	case errors.Is(err, suite.ErrChanged), errors.Is(err, suite.ErrMissing):
		return store.PackageReport{}, fmt.Errorf("its images are not those of suite %s", source.Name)
	case err != nil:
		return store.PackageReport{}, err
	}
	report, err := ws.AddPackage(c)
	if err != nil {
		return report, err
	}
	// The round is here now, and a cancel that came after that would leave it without what belongs
	// to it.
	if err := bring(context.WithoutCancel(ctx), ws, c.Models, draft, verified); err != nil {
		return report, &halfError{err}
	}
	return report, nil
}

// bring takes in what was unpacked, as far as it is not here already.
func bring(ctx context.Context, ws *store.Workspace, models []model.Model, draft string, images suite.Manifest) error {
	for _, m := range models {
		if err := addFile(ws, m, filepath.Join(draft, filepath.FromSlash(onnxPath(m.Hash)))); err != nil {
			return err
		}
	}
	if have, err := ws.OpenSuiteContext(ctx, images.Hash); err == nil {
		return have.Close()
	}
	_, err := ws.CopySuite(ctx, images)
	return err
}

// room refuses what does not fit on the disk: each member may say that it is 4 GiB large and be
// packed into next to nothing.
func (o *opened) room(ctx context.Context, ws *store.Workspace, c store.Package) error {
	need := o.need(ctx, ws, c)
	if err := ctx.Err(); err != nil {
		return err
	}
	if free, err := store.FreeSpace(ws.Path()); err == nil && free < need {
		return fmt.Errorf("%w (its models and images need %s, %s is free)", store.ErrFull, store.SizeText(need),
			store.SizeText(free))
	}
	return nil
}

// need is how many bytes models and images take. What is not here yet is there twice for a moment,
// unpacked and in its place; what is here is only unpacked.
func (o *opened) need(ctx context.Context, ws *store.Workspace, c store.Package) (need int64) {
	for _, m := range c.Models {
		size := o.lists[onnxPath(m.Hash)].Size
		if need += size; !ws.HasFile(m.Hash) {
			need += size
		}
	}
	images := int64(0)
	for _, f := range c.Source().Files {
		images += o.lists[imagePath(f)].Size
	}
	if hasImages(ctx, ws, c.Source().Hash) {
		return need + images
	}
	return need + 2*images
}

// hasImages tells whether the images of a suite are within reach.
func hasImages(ctx context.Context, ws *store.Workspace, hash string) bool {
	have, err := ws.OpenSuiteContext(ctx, hash)
	return err == nil && have.Close() == nil
}

// unpack writes a member below the draft folder.
func (o *opened) unpack(ctx context.Context, draft, path string, p engine.Progress) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	place := filepath.Join(draft, filepath.FromSlash(path))
	if err := durable.Folders(filepath.Dir(place)); err != nil {
		return err
	}
	out, err := durable.New(place)
	if err != nil {
		return err
	}
	p.Add(1)
	return errors.Join(o.copy(ctx, path, out), out.Close())
}

// addFile brings a model's file into the workspace; the model itself is there.
func addFile(ws *store.Workspace, m model.Model, place string) error {
	if ws.HasFile(m.Hash) {
		return nil
	}
	in, err := os.Open(place)
	if err != nil {
		return err
	}
	_, _, err = ws.AddModel(model.Model{Hash: m.Hash, ID: m.ID, File: m.File}, in)
	return errors.Join(err, in.Close())
}
