package database

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/durable"
)

// SchemaVersion is the schema of the database that this program writes, and the newest that it
// reads; see the package comment.
const SchemaVersion = 7

// The files and folders of a workspace.
const (
	Suffix        = ".variscope"
	File          = "workspace.db"
	OwnerFile     = "owner.json"
	SocketFile    = "owner.sock" // also in the folder that it has elsewhere
	ModelsFolder  = "models"
	SignalsFolder = "signals"
	SuitesFolder  = "suites"
	BackupsFolder = "backups"
	ThumbsFolder  = "thumbs"
	// AssessorsFolder came later; it is made with the first assessor.
	AssessorsFolder = "assessors"
	// PredictionsFolder is made with the first table.
	PredictionsFolder = "predictions"
	// MasksFolder is made with the first masks that are kept inside.
	MasksFolder = "masks"
	// QueueFolder is made when other machines are let in. It holds secrets and what is on its way,
	// so it stays where it is.
	QueueFolder = "queue"
	ModelSuffix = ".onnx"
	UnitSuffix  = ".npz"
	PartSuffix  = durable.PartSuffix // a file that is being written
)

// Meta says what the database itself is. The other buckets follow in the order in which
// Examine looks at them; the package comment says what is in them.
var Meta = &RawBucket{Name: "meta", Check: func(string, []byte) error { return nil }}

var (
	Models = recordsOf(RawBucket{
		Name: "models", singular: "model", Plural: "models", Loss: "the list of models cannot be shown",
	}, func(m model.Model) string { return m.Hash })
	ModelDetails = recordsOf[string, modelPart](RawBucket{
		Name: "model-details", Plural: "details of models", Loss: "the model's tensors and loss curves are lost",
		Codec: asPacked, Of: Models.RawBucket,
	}, nil)
	ModelIDs = plain(RawBucket{
		Name: "model-ids", Plural: "names of models", Loss: "the model is not found by its name", Check: checkModelID,
		Derived: true,
	})
	Suites = recordsOf(RawBucket{
		Name: "suites", singular: "suite", Plural: "suites", Loss: "the list of suites cannot be shown",
	}, func(m suite.Manifest) string { return m.Hash })
	SuiteDetails = recordsOf[string, suitePart](RawBucket{
		Name: "suite-details", Plural: "details of suites", Loss: "the suite's labels and files are not known",
		Codec: asPacked, Of: Suites.RawBucket,
	}, nil)
	Sets = recordsOf(RawBucket{
		Name: "sets", singular: "set of signals", Plural: "sets of signals", Loss: "signals cannot be read",
	}, func(s SetRecord) string { return s.Spec.Key() })
	SetIndex = plain(RawBucket{
		Name: "set-index", Plural: "index of signals", Loss: "signals are not found", Check: checkIndexKey,
		Derived: true,
	})
	Units = recordsOf[string, UnitRecord](RawBucket{
		Name: "units", singular: "unit of signals", Plural: "units of signals",
		Loss:  "the unit's signals count as missing",
		Check: checkUnit,
	}, nil)
	Summaries = plain(RawBucket{
		Name: "summaries", Plural: "summaries", Loss: "the model's matrices cannot be shown", Check: checkSummary,
		Derived: true,
	})
	Runs = recordsOf(RawBucket{
		Name: "runs", singular: "run", Plural: "runs", Loss: "the history of runs cannot be shown",
	}, func(r RunRecord) string { return r.ID })
	Rounds = recordsOf(RawBucket{
		Name: "rounds", singular: "round", Plural: "rounds", Loss: "the rounds cannot be shown",
	}, func(r label.Round) string { return r.ID })
	Events = recordsOf[eventKey, label.Event](RawBucket{
		Name: "events", Plural: "label events", Loss: "the labels of its round cannot be shown", Check: CheckEvent,
	}, nil)
	Settings = recordsOf[string, any](RawBucket{
		Name: "settings", Plural: "settings", Loss: "the setting cannot be read",
	}, nil)
	RoundEvidence = plain(RawBucket{
		Name: "round-evidence", Since: 2, Plural: "matrices of round packages",
		Loss: "the model cannot be labelled from its package", Check: checkEvidence,
	})
	ImageLabels = recordsOf[ImageKey, ImageLabel](RawBucket{
		Name: "image-labels", Since: 3, Plural: "labels of images",
		Loss: "the labels of its suite's images cannot be shown", Check: checkImageLabel,
	}, nil)
	Predictions = recordsOf(RawBucket{
		Name: "predictions", Since: 3, singular: "table of predictions", Plural: "tables of predictions",
		Loss: "the tables cannot be shown",
	}, func(t PredictionTable) string { return t.ID })
	Kept = recordsOf[string, any](RawBucket{
		Name: "kept", Since: 3, Plural: "kept results", Loss: "the result has to be computed again", Codec: asPacked,
		Derived: true,
	}, nil)
	Masks = recordsOf(RawBucket{
		Name: "masks", Since: 4, singular: "mask set", Plural: "mask sets", Loss: "the masks cannot be shown",
	}, func(m MaskSet) string { return m.Hash })
	MaskDetails = recordsOf[string, MaskPart](RawBucket{
		Name: "mask-details", Since: 4, Plural: "details of mask sets", Loss: "the files of the masks are not known",
		Codec: asPacked, Of: Masks.RawBucket,
	}, nil)
	Keywords = recordsOf(RawBucket{
		Name: "keyword-tables", Since: 4, singular: "keyword table", Plural: "keyword tables",
		Loss: "the keyword tables cannot be shown",
	}, func(k KeywordTable) string { return k.Hash })
	KeywordDetails = recordsOf[string, KeywordPart](RawBucket{
		Name: "keyword-details", Since: 4, Plural: "details of keyword tables",
		Loss:  "the keyword table cannot be read",
		Codec: asPacked, Of: Keywords.RawBucket,
	}, nil)
	KeywordVectors = recordsOf[string, []float64](RawBucket{
		Name: "keyword-vectors", Since: 4, Plural: "vectors of keyword tables",
		Loss:  "the keyword table cannot be read",
		Codec: asNumbers, Of: Keywords.RawBucket,
	}, nil)
	Ontologies = recordsOf(RawBucket{
		Name: "ontologies", Since: 4, singular: "ontology", Plural: "ontologies",
		Loss: "the ontologies cannot be shown",
	}, func(o OntologyRecord) string { return o.ID })
	Selections = recordsOf(RawBucket{
		Name: "selections", Since: 4, singular: "selection", Plural: "selections",
		Loss: "the selections cannot be shown",
	}, func(r SelectionRecord) string { return r.Hash })
	SelectionDetails = recordsOf[string, background.Selection](RawBucket{
		Name: "selection-details", Since: 4, Plural: "scenes of selections", Loss: "the selection cannot be read",
		Codec: asPacked, Check: checkScenes, Of: Selections.RawBucket,
	}, nil)
	ContextVectors = recordsOf[string, []float64](RawBucket{
		Name: "context-vectors", Since: 4, Plural: "context vectors", Loss: "the vector has to be computed again",
		Codec: asNumbers, Derived: true,
	}, nil)
)

// AllBuckets are meta and RecordBuckets.
func AllBuckets() []*RawBucket { return append([]*RawBucket{Meta}, RecordBuckets...) }

// The keys of the meta bucket.
var (
	KeySchema  = []byte("schema")
	KeyDesk    = []byte("desk")
	keyCreated = []byte("created")
	KeyJournal = []byte("journal")
)

// SettingCurrent is the key of Current in the settings bucket.
const SettingCurrent = "current"

// Separator joins the parts of a key.
const Separator = "\x00"

// IndexKey is the key of a set in set-index; with fewer parts, the prefix of all sets that share
// them.
func IndexKey(parts ...string) string {
	if len(parts) == 4 {
		return strings.Join(parts, Separator)
	}
	return strings.Join(parts, Separator) + Separator
}

// SplitIndexKey is the inverse of IndexKey for a whole key.
func SplitIndexKey(key string) (model, suite, family, set string, ok bool) {
	parts := strings.Split(key, Separator)
	if len(parts) != 4 {
		return "", "", "", "", false
	}
	return parts[0], parts[1], parts[2], parts[3], true
}

// eventKey is the key of a label event: the ids of round and event, ULIDs of 26 characters.
type eventKey string

// KeyOfEvent is the key of a label event of a round.
func KeyOfEvent(round, event string) eventKey { return eventKey(round + event) }

// ImageKey is the key of a label of an image: suite, separator, and the image with eight digits, so
// that a suite's labels lie together and in the order of its images.
type ImageKey string

// KeyOfImage is the key of the label of an image of a suite or table.
func KeyOfImage(suite string, image int) ImageKey {
	return ImageKey(fmt.Sprintf("%s%s%08d", suite, Separator, image))
}

// BucketsSince are the names of the buckets that came with a schema.
func BucketsSince(schema int) (names []string) {
	for _, b := range RecordBuckets {
		if b.Since == schema {
			names = append(names, b.Name)
		}
	}
	return names
}
