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
var Meta = &Form{Name: "meta", Read: func(string, []byte) error { return nil }}

var (
	Models = recordsOf(Form{
		Name: "models", one: "model", What: "models", Lost: "the list of models cannot be shown",
	}, func(m model.Model) string { return m.Hash })
	ModelDetails = recordsOf[string, ModelPart](Form{
		Name: "model-details", What: "details of models", Lost: "the model's tensors and loss curves are lost",
		Codec: asPacked, Of: Models.Form,
	}, nil)
	ModelIDs = plain(Form{
		Name: "model-ids", What: "names of models", Lost: "the model is not found by its name", Read: idForm,
		Derived: true,
	})
	Suites = recordsOf(Form{
		Name: "suites", one: "suite", What: "suites", Lost: "the list of suites cannot be shown",
	}, func(m suite.Manifest) string { return m.Hash })
	SuiteDetails = recordsOf[string, SuitePart](Form{
		Name: "suite-details", What: "details of suites", Lost: "the suite's labels and files are not known",
		Codec: asPacked, Of: Suites.Form,
	}, nil)
	Sets = recordsOf(Form{
		Name: "sets", one: "set of signals", What: "sets of signals", Lost: "signals cannot be read",
	}, func(s SetRecord) string { return s.Spec.Key() })
	SetIndex = plain(Form{
		Name: "set-index", What: "index of signals", Lost: "signals are not found", Read: indexForm, Derived: true,
	})
	Units = recordsOf[string, UnitRecord](Form{
		Name: "units", one: "unit of signals", What: "units of signals", Lost: "the unit's signals count as missing",
		Read: unitForm,
	}, nil)
	Summaries = plain(Form{
		Name: "summaries", What: "summaries", Lost: "the model's matrices cannot be shown", Read: summaryForm,
		Derived: true,
	})
	Runs = recordsOf(Form{
		Name: "runs", one: "run", What: "runs", Lost: "the history of runs cannot be shown",
	}, func(r RunRecord) string { return r.ID })
	Rounds = recordsOf(Form{
		Name: "rounds", one: "round", What: "rounds", Lost: "the rounds cannot be shown",
	}, func(r label.Round) string { return r.ID })
	Events = recordsOf[eventKey, label.Event](Form{
		Name: "events", What: "label events", Lost: "the labels of its round cannot be shown", Read: EventForm,
	}, nil)
	Settings = recordsOf[string, any](Form{
		Name: "settings", What: "settings", Lost: "the setting cannot be read",
	}, nil)
	RoundEvidence = plain(Form{
		Name: "round-evidence", Since: 2, What: "matrices of round packages",
		Lost: "the model cannot be labelled from its package", Read: evidenceForm,
	})
	ImageLabels = recordsOf[ImageKey, ImageLabel](Form{
		Name: "image-labels", Since: 3, What: "labels of images",
		Lost: "the labels of its suite's images cannot be shown", Read: imageLabelForm,
	}, nil)
	Predictions = recordsOf(Form{
		Name: "predictions", Since: 3, one: "table of predictions", What: "tables of predictions",
		Lost: "the tables cannot be shown",
	}, func(t PredictionTable) string { return t.ID })
	Kept = recordsOf[string, any](Form{
		Name: "kept", Since: 3, What: "kept results", Lost: "the result has to be computed again", Codec: asPacked,
		Derived: true,
	}, nil)
	Masks = recordsOf(Form{
		Name: "masks", Since: 4, one: "mask set", What: "mask sets", Lost: "the masks cannot be shown",
	}, func(m MaskSet) string { return m.Hash })
	MaskDetails = recordsOf[string, MaskPart](Form{
		Name: "mask-details", Since: 4, What: "details of mask sets", Lost: "the files of the masks are not known",
		Codec: asPacked, Of: Masks.Form,
	}, nil)
	Keywords = recordsOf(Form{
		Name: "keyword-tables", Since: 4, one: "keyword table", What: "keyword tables",
		Lost: "the keyword tables cannot be shown",
	}, func(k KeywordTable) string { return k.Hash })
	KeywordDetails = recordsOf[string, KeywordPart](Form{
		Name: "keyword-details", Since: 4, What: "details of keyword tables", Lost: "the keyword table cannot be read",
		Codec: asPacked, Of: Keywords.Form,
	}, nil)
	KeywordVectors = recordsOf[string, []float64](Form{
		Name: "keyword-vectors", Since: 4, What: "vectors of keyword tables", Lost: "the keyword table cannot be read",
		Codec: asNumbers, Of: Keywords.Form,
	}, nil)
	Ontologies = recordsOf(Form{
		Name: "ontologies", Since: 4, one: "ontology", What: "ontologies", Lost: "the ontologies cannot be shown",
	}, func(o OntologyRecord) string { return o.ID })
	Selections = recordsOf(Form{
		Name: "selections", Since: 4, one: "selection", What: "selections", Lost: "the selections cannot be shown",
	}, func(r SelectionRecord) string { return r.Hash })
	SelectionDetails = recordsOf[string, background.Selection](Form{
		Name: "selection-details", Since: 4, What: "scenes of selections", Lost: "the selection cannot be read",
		Codec: asPacked, Read: scenesForm, Of: Selections.Form,
	}, nil)
	ContextVectors = recordsOf[string, []float64](Form{
		Name: "context-vectors", Since: 4, What: "context vectors", Lost: "the vector has to be computed again",
		Codec: asNumbers, Derived: true,
	}, nil)
)

func AllBuckets() []*Form { return append([]*Form{Meta}, Forms...) }

// The keys of the meta bucket.
var (
	KeySchema  = []byte("schema")
	KeyDesk    = []byte("desk")
	keyCreated = []byte("created")
	KeyJournal = []byte("journal")
)

// SettingCurrent is the key of Current in the settings bucket.
const SettingCurrent = "current"

const Separator = "\x00"

// IndexKey is the key of a set in set-index; with fewer parts, the prefix of all sets that share
// them.
func IndexKey(parts ...string) string {
	if len(parts) == 4 {
		return strings.Join(parts, Separator)
	}
	return strings.Join(parts, Separator) + Separator
}

// SplitIndexKey is the inverse of indexKey for a whole key.
func SplitIndexKey(key string) (model, suite, family, set string, ok bool) {
	parts := strings.Split(key, Separator)
	if len(parts) != 4 {
		return "", "", "", "", false
	}
	return parts[0], parts[1], parts[2], parts[3], true
}

// eventKey is the key of a label event: the ids of round and event, ULIDs of 26 characters.
type eventKey string

func KeyOfEvent(round, event string) eventKey { return eventKey(round + event) }

// ImageKey is the key of a label of an image: suite, separator, and the image with eight digits, so
// that a suite's labels lie together and in the order of its images.
type ImageKey string

func KeyOfImage(suite string, image int) ImageKey {
	return ImageKey(fmt.Sprintf("%s%s%08d", suite, Separator, image))
}

// BucketsSince are the names of the buckets that came with a schema.
func BucketsSince(schema int) (names []string) {
	for _, b := range Forms {
		if b.Since == schema {
			names = append(names, b.Name)
		}
	}
	return names
}
