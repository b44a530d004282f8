package database

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// ImageLabel is the class that somebody gave one image of a suite, or of a table of predictions.
type ImageLabel struct {
	Image int       `json:"image"`
	Class int       `json:"class"` // in the suite's numbering, or the table's
	By    string    `json:"by"`    // annotator's name; "" where it is not known
	At    time.Time `json:"at"`
}

// KeywordTable is a table of keyword vectors that the workspace has.
type KeywordTable struct {
	Hash     string    `json:"hash"` // over the table's content
	Name     string    `json:"name"`
	Made     string    `json:"made"` // "file", or the two networks that made it
	Images   int       `json:"images"`
	Elements int       `json:"elements"`
	Scenes   int       `json:"scenes"`
	Added    time.Time `json:"added"`
}

// KeywordPart is a table without its vectors.
type KeywordPart struct {
	Elements []string         `json:"elements"`
	Scenes   []string         `json:"scenes"`
	Rows     []background.Row `json:"rows"` // without vectors
}

// HashIn is what the set's hash would be with the masks that lie below root.
func (m MaskSet) HashIn(ctx context.Context, root string) (string, error) {
	h := NewMaskHash(m.Suite)
	for _, f := range m.Files {
		local, err := filepath.Localize(f.Path)
		if err != nil {
			return "", suite.ErrMissing
		}
		data, err := outside.Read(filepath.Join(root, local), outside.Picture)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return "", err
		}
		sum := sha256.Sum256(data)
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// MaskSet is the foreground masks of a suite's images: gray pictures in a folder, one per image,
// found by the image's path with the ending .png (spec/background.md section 7). They are
// referenced and checked as a suite's images are (DESIGN.md section 5), or lie inside the
// workspace.
type MaskSet struct {
	Hash   string       `json:"hash"`  // over the suite's hash and the masks' bytes, in the suite's order
	Suite  string       `json:"suite"` // content hash of the suite
	Root   string       `json:"root"`
	Inside string       `json:"inside,omitempty"` // folder relative to the workspace
	Made   string       `json:"made"`             // "files", or the segmentation model and classes that made them
	Files  []suite.File `json:"files"`            // one per image
	Added  time.Time    `json:"added"`
}

// Copied tells whether the masks lie in the workspace's own folder.
func (m MaskSet) Copied() bool { return m.Inside == path.Join(MasksFolder, m.Hash) }

// MaskName is where the mask of an image lies in the folder of masks.
func MaskName(image string) string { return strings.TrimSuffix(image, path.Ext(image)) + ".png" }

// MaskPart is the part of a mask set that grows with the number of images.
type MaskPart struct {
	Files []suite.File `json:"files"`
}

// modelPart is the part of a model that can be large; it is kept packed and apart, so that the
// rest is read fast.
type modelPart struct {
	Tensors []string      `json:"tensors,omitempty"`
	Curves  []model.Epoch `json:"curves,omitempty"`
}

// OntologyRecord is an ontology that a workspace keeps: what it is made of, and the edits by hand.
// The graph is made of these again.
type OntologyRecord struct {
	ID            string          `json:"id"` // ULID
	Name          string          `json:"name"`
	Table         string          `json:"table"`
	Rule          background.Rule `json:"rule"`
	MinSupport    float64         `json:"min_support"`
	MinConfidence float64         `json:"min_confidence"`
	Edits         []itemset.Edit  `json:"edits,omitempty"`
	Changed       time.Time       `json:"changed"`
}

// Check says why an ontology cannot be kept.
func (o OntologyRecord) Check(tx *Tx) error {
	switch {
	case !IsULID(o.ID):
		return NotFound("ontology", o.ID)
	case o.Name == "":
		return fmt.Errorf("it needs a name")
	case !(o.MinSupport > 0 && o.MinSupport <= 1) || !(o.MinConfidence > 0 && o.MinConfidence <= 1):
		return fmt.Errorf("support %v and confidence %v must lie above 0 and at most at 1", o.MinSupport,
			o.MinConfidence)
	case !Keywords.Has(tx, o.Table):
		return NotFound("keyword table", o.Table)
	}
	return nil
}

// RunRecord says what a run was asked to do, so that one that was killed can be resumed with the
// same request; what it had finished is found on disk. Phase and the counts are as of the last
// PutRun or Ended.
type RunRecord struct {
	ID      string    `json:"id"` // ULID, from NewID
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	// What was asked.
	Models    []string          `json:"models"` // hashes, in order
	Suite     string            `json:"suite"`  // content hash
	Family    string            `json:"family"` // canonical text
	Positions []string          `json:"positions"`
	Vectors   []string          `json:"vectors,omitempty"`
	ClassMap  map[string]string `json:"class_map,omitempty"`
	Batch     int               `json:"batch"`
	// Mixed says that processors of any kind may compute the units (signal.Mixed).
	Mixed         bool   `json:"mixed,omitempty"`
	Device        string `json:"device,omitempty"` // device.Pick
	AnyDifference bool   `json:"any_difference,omitempty"`
	// Devices are, by hash, the models that are not computed on the processor.
	Devices map[string]OnDevice `json:"devices,omitempty"`
	// What became of it. Done, Total and Reused are inferences: images x transformations.
	Phase    engine.Phase      `json:"phase"`
	Done     int64             `json:"done"`
	Total    int64             `json:"total"`
	Reused   int64             `json:"reused"`
	Skipped  int               `json:"skipped"`            // corrupt images that the suite left out
	Failures map[string]string `json:"failures,omitempty"` // model hash -> sentence
	// Working are the hashes of the models that are being computed, while the run is at work:
	// after a crash, those that were.
	Working []string `json:"working,omitempty"`
}

// OnDevice says on what a model is computed.
type OnDevice struct {
	Device string `json:"device"` // its kind
	// Difference is the largest one of its softmax from the processor's, over some images.
	Difference float64 `json:"difference"`
}

// Unfinished says whether the run had not ended when it was recorded last. A run of this kind that
// the engine does not know was killed with its process.
func (r RunRecord) Unfinished() bool {
	return r.Phase != engine.Done && r.Phase != engine.Failed && r.Phase != engine.Cancelled
}

// SelectionRecord names a selection of the workspace.
type SelectionRecord struct {
	Hash        string               `json:"hash"`
	Name        string               `json:"name"`
	Also        []string             `json:"also,omitempty"` // further names
	Added       time.Time            `json:"added"`
	Selection   background.Selection `json:"-"` // stored packed, apart
	Targets     string               `json:"targets"`
	Backgrounds string               `json:"backgrounds"`
	N           int                  `json:"n"`
	Method      background.Method    `json:"method"`
}

// Called tells whether this is one of the selection's names.
func (r SelectionRecord) Called(name string) bool {
	return r.Name == name || slices.Contains(r.Also, name)
}

// Family is the canonical text of the transformation set under which the selection's composites
// are run.
func (r SelectionRecord) Family() (string, error) {
	f, err := transform.Scenes(r.Hash, r.N)
	return f.String(), err
}

// SetRecord is what the database holds of the signals of one spec. The last fields are filled by
// Finish.
type SetRecord struct {
	Spec            signal.Spec `json:"spec"`
	Transformations int         `json:"transformations"`
	Classes         int         `json:"classes"`
	Updated         time.Time   `json:"updated"`
	Finished        bool        `json:"finished"`
	Absent          []string    `json:"absent,omitempty"`
	ClassMap        []int       `json:"class_map,omitempty"`
	MappedBy        string      `json:"mapped_by,omitempty"`
	Skipped         int         `json:"skipped,omitempty"`
	// From is SetInfo.From.
	From string `json:"from,omitempty"`
	// Damaged says of chunks whose files were found damaged what is wrong with them, until the
	// set is finished again.
	Damaged map[int]string `json:"damaged,omitempty"`
}

// UnitRecord is what the database holds of a signal file.
type UnitRecord struct {
	Set   string `json:"set"`
	Chunk int    `json:"chunk"`
	// XXH3 is the file's hash of 128 bits, hexadecimal: it finds damage. Units that were kept
	// before schema 5 have SHA256, which takes as long as all else that keeping one does.
	XXH3   string `json:"xxh3,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Size   int64  `json:"size"`
	// Reducers is how many reducers the file has of each position; older units do not say it and
	// lack signal.MeanAbs.
	Reducers int `json:"reducers,omitempty"`
}

// Matches tells whether content is that of the unit's file.
func (u UnitRecord) Matches(content []byte) bool {
	if u.XXH3 == "" {
		sum := sha256.Sum256(content)
		return hex.EncodeToString(sum[:]) == u.SHA256
	}
	sum := xxh3.Hash128(content).Bytes()
	return hex.EncodeToString(sum[:]) == u.XXH3
}

// suitePart is the part of a manifest that lists do not need and that grows with the number of
// images.
type suitePart struct {
	Labels []int        `json:"labels"`
	Files  []suite.File `json:"files"`
}

// PredictionTable is the record of a table of predictions that was made elsewhere; its numbers lie
// in predictions/ID.npz.
type PredictionTable struct {
	ID          string    `json:"id"` // ULID
	Name        string    `json:"name"`
	Suite       string    `json:"suite,omitempty"` // whose images these are; "" for a table that stands for itself
	Models      []string  `json:"models"`
	Samples     int       `json:"samples"`
	Classes     int       `json:"classes"`
	ClassNames  []string  `json:"class_names,omitempty"`
	SampleNames []string  `json:"sample_names,omitempty"`
	Soft        []bool    `json:"soft"`  // per model: whether probabilities are kept
	Truth       bool      `json:"truth"` // whether true classes are kept
	SHA256      string    `json:"sha256"`
	Added       time.Time `json:"added"`
}
