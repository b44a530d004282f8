package database

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
)

// Over is a derived suite with what belongs to its base.
func Over(base, own suite.Manifest) suite.Manifest {
	base.Hash, base.Name, base.Added, base.Derived = own.Hash, own.Name, own.Added, own.Derived
	return base
}

// AllSuites returns every suite without labels and files, in the order of hashes.
func AllSuites(tx *Tx) ([]suite.Manifest, error) {
	list, err := Suites.All(tx)
	if err != nil {
		return nil, err
	}
	bases := make(map[string]suite.Manifest, len(list))
	for _, m := range list {
		bases[m.Hash] = m
	}
	for i, m := range list {
		if m.Derived == nil {
			continue
		}
		base, ok := bases[m.Derived.Of]
		if !ok || base.Derived != nil {
			return nil, withoutBase(m)
		}
		list[i] = Over(base, m)
	}
	return list, nil
}

func withoutBase(m suite.Manifest) error {
	return fmt.Errorf("%w (suite %s is made from suite %.12s, which is not here or is made from another one itself)",
		ErrDamaged, m.Name, m.Derived.Of)
}

// HeadOfSuite reads a suite without labels and files; found is false where it is not there.
func HeadOfSuite(tx *Tx, hash string) (m suite.Manifest, found bool, err error) {
	if m, found, err = Suites.Get(tx, hash); err != nil || !found || m.Derived == nil {
		return m, found, err
	}
	base, there, err := Suites.Get(tx, m.Derived.Of)
	if err != nil {
		return m, true, err
	}
	if !there || base.Derived != nil {
		return m, true, withoutBase(m)
	}
	return Over(base, m), true, nil
}

// NeedHead is HeadOfSuite of a suite that must be there; kind is what ErrNotFound calls it.
func NeedHead(tx *Tx, kind, hash string) (suite.Manifest, error) {
	m, found, err := HeadOfSuite(tx, hash)
	if err == nil && !found {
		err = NotFound(kind, hash)
	}
	return m, err
}

// mostImages is one more than the largest number of an image that has eight digits.
const mostImages = 100_000_000

// imageLimits are the numbers that labels of a suite or table may have.
type imageLimits struct {
	name            string
	images, classes int // classes is 0 where they are not known: a suite without labels
}

// LimitsOf are the numbers of images and classes of a suite or table.
func LimitsOf(tx *Tx, hash string) (imageLimits, error) {
	if table, found, err := Predictions.Get(tx, hash); err != nil || found {
		return imageLimits{table.Name, table.Samples, table.Classes}, err
	}
	m, err := NeedHead(tx, "suite", hash)
	return imageLimits{m.Name, m.Images, len(m.Classes)}, err
}

func (l imageLimits) Check(label ImageLabel) error {
	switch {
	case label.Image < 0 || label.Image >= min(l.images, mostImages):
		return fmt.Errorf("%s has no image %d; its images are 0 to %d", l.name, label.Image, l.images-1)
	case label.Class < -1 || l.classes > 0 && label.Class >= l.classes:
		return fmt.Errorf("%s has no class %d (image %d); its classes are 0 to %d", l.name, label.Class, label.Image,
			l.classes-1)
	}
	return nil
}

// HashKeywords is SHA-256 over everything in a table, hexadecimal.
func HashKeywords(t background.Table) string {
	h := sha256.New()
	fmt.Fprintf(h, "variscope keywords 1\n%q\n%q\n%d\n", t.Elements, t.Scenes, len(t.Rows))
	var line []byte
	for _, row := range t.Rows {
		line = fmt.Appendf(line[:0], "%q %q %q %q %d\n", row.File, row.Kind, row.Label, row.Scene, row.Visible)
		for _, v := range row.Vector {
			line = binary.LittleEndian.AppendUint64(line, math.Float64bits(v))
		}
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// GetKeywords reads a keyword table whole.
func GetKeywords(tx *Tx, hash string) (t background.Table, err error) {
	if !Keywords.Has(tx, hash) {
		return t, Keywords.Missing(hash)
	}
	d, _, err := KeywordDetails.Get(tx, hash)
	if err != nil {
		return t, err
	}
	width := len(d.Elements) + len(d.Scenes)
	numbers, _, err := KeywordVectors.Get(tx, hash)
	if err != nil {
		return t, err
	}
	if len(numbers) != width*len(d.Rows) {
		return t, KeywordVectors.damaged(hash,
			fmt.Errorf("%d numbers in place of %d", len(numbers), width*len(d.Rows)))
	}
	for i := range d.Rows {
		d.Rows[i].Vector = numbers[i*width : (i+1)*width : (i+1)*width]
	}
	return background.Table{Elements: d.Elements, Scenes: d.Scenes, Rows: d.Rows}, nil
}

// EachEvent calls visit for a round's events in order until it returns false.
func EachEvent(tx *Tx, round string, visit func(label.Event) bool) error {
	if round == "" {
		return nil
	}
	for ev, err := range Events.Index(tx, eventKey(round)) {
		if err != nil {
			return err
		}
		if !visit(ev) {
			return nil
		}
	}
	return nil
}

// HasLabels tells whether a round has labels that keep it from changing.
func HasLabels(tx *Tx, r label.Round) (found bool, err error) {
	err = EachEvent(tx, r.ID, func(ev label.Event) bool {
		found = r.Frozen([]label.Event{ev})
		return !found
	})
	return found, err
}

// NewMaskHash begins MaskSet.Hash; the SHA-256 of each mask follows, in the suite's order.
func NewMaskHash(suite string) hash.Hash {
	h := sha256.New()
	fmt.Fprintf(h, "variscope masks 1\n%s\n", suite)
	return h
}

// GetMasks reads a mask set whole.
func GetMasks(tx *Tx, hash string) (MaskSet, error) {
	m, err := Masks.Need(tx, hash)
	if err != nil {
		return m, err
	}
	d, _, err := MaskDetails.Get(tx, hash)
	m.Files = d.Files
	return m, err
}

// GetModel reads a model whole.
func GetModel(tx *Tx, hash string) (model.Model, error) {
	m, err := Models.Need(tx, hash)
	if err != nil {
		return m, err
	}
	return m, AddDetails(tx, &m)
}

// AddDetails reads the part of a model that lies apart.
func AddDetails(tx *Tx, m *model.Model) error {
	details, _, err := ModelDetails.Get(tx, m.Hash)
	m.Graph.Tensors, m.Curves = details.Tensors, details.Curves
	return err
}

// PutModel stores a model and enters its name.
func PutModel(tx *Tx, m model.Model) error {
	details := modelPart{Tensors: m.Graph.Tensors, Curves: m.Curves}
	m.Graph.Tensors, m.Curves = nil, nil
	if err := ModelDetails.Put(tx, m.Hash, details); err != nil {
		return fmt.Errorf("model %s: %w", m.ID, err)
	}
	if err := Models.Put(tx, m.Hash, m); err != nil {
		return fmt.Errorf("model %s: %w", m.ID, err)
	}
	return ModelIDs.PutBytes(tx, m.ID, []byte(m.Hash))
}

// FreeID is the id, or with -2, -3, ... the first that no model has.
func FreeID(tx *Tx, id string) string {
	ids := ModelIDs.In(tx)
	if ids.Get([]byte(id)) == nil {
		return id
	}
	for i := 2; ; i++ {
		if next := fmt.Sprintf("%s-%d", id, i); ids.Get([]byte(next)) == nil {
			return next
		}
	}
}

// Selectable holds a selection to what it is made of.
func Selectable(tx *Tx, s background.Selection) error {
	targets, err := NeedHead(tx, "suite of targets", s.Targets)
	if err != nil {
		return err
	}
	backgrounds, err := NeedHead(tx, "suite of backgrounds", s.Backgrounds)
	if err != nil {
		return err
	}
	masks, err := Masks.Need(tx, s.Masks)
	switch {
	case err != nil:
		return err
	case masks.Suite != s.Targets:
		return fmt.Errorf("the masks %.12s belong to another suite than the targets %s", s.Masks, targets.Name)
	case len(s.Chosen) != targets.Images:
		return fmt.Errorf("there are scenes for %d targets, and suite %s has %d images", len(s.Chosen), targets.Name,
			targets.Images)
	}
	for t, scenes := range s.Chosen {
		for _, scene := range scenes {
			if scene.Background >= backgrounds.Images {
				return fmt.Errorf("target %d has background %d, and suite %s has %d images", t, scene.Background,
					backgrounds.Name, backgrounds.Images)
			}
		}
	}
	return nil
}

// GetSelection reads a selection whole, and checks that its scenes are those of its hash.
func GetSelection(tx *Tx, hash string) (r SelectionRecord, found bool, err error) {
	if r, found, err = Selections.Get(tx, hash); err != nil || !found {
		return r, found, err
	}
	if r.Selection, _, err = SelectionDetails.Get(tx, hash); err != nil {
		return r, true, err
	}
	if err := r.Selection.Check(); err != nil {
		return r, true, fmt.Errorf("%w (selection %s: %w)", ErrDamaged, r.Name, err)
	}
	if r.Selection.Hash() != hash {
		return r, true, fmt.Errorf("%w (the scenes of selection %s are not those that it was kept with)", ErrDamaged,
			r.Name)
	}
	return r, true, nil
}

// GetSuite reads a suite whole; labels and files of a derived one are those of its base.
func GetSuite(tx *Tx, hash string) (suite.Manifest, error) {
	m, err := NeedHead(tx, "suite", hash)
	if err != nil {
		return m, err
	}
	files := hash
	if m.Derived != nil {
		files = m.Derived.Of
	}
	details, _, err := SuiteDetails.Get(tx, files)
	m.Labels, m.Files = details.Labels, details.Files
	return m, err
}

// PutSuite stores a suite.
func PutSuite(tx *Tx, m suite.Manifest) error {
	if m.Derived != nil {
		own := suite.Manifest{Hash: m.Hash, Name: m.Name, Added: m.Added, Derived: m.Derived} // the rest is its base's
		return Suites.Put(tx, m.Hash, own)
	}
	details := suitePart{Labels: m.Labels, Files: m.Files}
	m.Labels, m.Files = nil, nil
	if err := SuiteDetails.Put(tx, m.Hash, details); err != nil {
		return fmt.Errorf("suite %s: %w", m.Name, err)
	}
	return Suites.Put(tx, m.Hash, m)
}
