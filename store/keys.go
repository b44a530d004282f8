package store

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
	suffix        = ".variscope"
	databaseFile  = "workspace.db"
	ownerFile     = "owner.json"
	socketFile    = "owner.sock" // also in the folder that it has elsewhere
	modelsFolder  = "models"
	signalsFolder = "signals"
	suitesFolder  = "suites"
	backupsFolder = "backups"
	thumbsFolder  = "thumbs"
	// assessorsFolder came later; it is made with the first assessor.
	assessorsFolder = "assessors"
	// predictionsFolder is made with the first table.
	predictionsFolder = "predictions"
	// masksFolder is made with the first masks that are kept inside.
	masksFolder = "masks"
	// queueFolder is made when other machines are let in. It holds secrets and what is on its way,
	// so it stays where it is.
	queueFolder = "queue"
	modelSuffix = ".onnx"
	unitSuffix  = ".npz"
	partSuffix  = durable.PartSuffix // a file that is being written
)

// bucketMeta says what the database itself is. The other buckets follow in the order in which
// Examine looks at them; the package comment says what is in them.
var bucketMeta = &form{name: "meta", read: func(string, []byte) error { return nil }}

var (
	bucketModels = recordsOf(form{
		name: "models", one: "model", what: "models", lost: "the list of models cannot be shown",
	}, func(m model.Model) string { return m.Hash })
	bucketModelDetails = recordsOf[string, modelDetails](form{
		name: "model-details", what: "details of models", lost: "the model's tensors and loss curves are lost",
		codec: asPacked, of: bucketModels.form,
	}, nil)
	bucketModelIDs = plain(form{
		name: "model-ids", what: "names of models", lost: "the model is not found by its name", read: idForm,
		derived: true,
	})
	bucketSuites = recordsOf(form{
		name: "suites", one: "suite", what: "suites", lost: "the list of suites cannot be shown",
	}, func(m suite.Manifest) string { return m.Hash })
	bucketSuiteDetails = recordsOf[string, suiteDetails](form{
		name: "suite-details", what: "details of suites", lost: "the suite's labels and files are not known",
		codec: asPacked, of: bucketSuites.form,
	}, nil)
	bucketSets = recordsOf(form{
		name: "sets", one: "set of signals", what: "sets of signals", lost: "signals cannot be read",
	}, func(s setRecord) string { return s.Spec.Key() })
	bucketSetIndex = plain(form{
		name: "set-index", what: "index of signals", lost: "signals are not found", read: indexForm, derived: true,
	})
	bucketUnits = recordsOf[string, unitRecord](form{
		name: "units", one: "unit of signals", what: "units of signals", lost: "the unit's signals count as missing",
		read: unitForm,
	}, nil)
	bucketSummaries = plain(form{
		name: "summaries", what: "summaries", lost: "the model's matrices cannot be shown", read: summaryForm,
		derived: true,
	})
	bucketRuns = recordsOf(form{
		name: "runs", one: "run", what: "runs", lost: "the history of runs cannot be shown",
	}, func(r RunRecord) string { return r.ID })
	bucketRounds = recordsOf(form{
		name: "rounds", one: "round", what: "rounds", lost: "the rounds cannot be shown",
	}, func(r label.Round) string { return r.ID })
	bucketEvents = recordsOf[eventKey, label.Event](form{
		name: "events", what: "label events", lost: "the labels of its round cannot be shown", read: eventForm,
	}, nil)
	bucketSettings = recordsOf[string, any](form{
		name: "settings", what: "settings", lost: "the setting cannot be read",
	}, nil)
	bucketRoundEvidence = plain(form{
		name: "round-evidence", since: 2, what: "matrices of round packages",
		lost: "the model cannot be labelled from its package", read: evidenceForm,
	})
	bucketImageLabels = recordsOf[imageKey, ImageLabel](form{
		name: "image-labels", since: 3, what: "labels of images",
		lost: "the labels of its suite's images cannot be shown", read: imageLabelForm,
	}, nil)
	bucketPredictions = recordsOf(form{
		name: "predictions", since: 3, one: "table of predictions", what: "tables of predictions",
		lost: "the tables cannot be shown",
	}, func(t PredictionTable) string { return t.ID })
	bucketKept = recordsOf[string, any](form{
		name: "kept", since: 3, what: "kept results", lost: "the result has to be computed again", codec: asPacked,
		derived: true,
	}, nil)
	bucketMasks = recordsOf(form{
		name: "masks", since: 4, one: "mask set", what: "mask sets", lost: "the masks cannot be shown",
	}, func(m MaskSet) string { return m.Hash })
	bucketMaskDetails = recordsOf[string, maskDetails](form{
		name: "mask-details", since: 4, what: "details of mask sets", lost: "the files of the masks are not known",
		codec: asPacked, of: bucketMasks.form,
	}, nil)
	bucketKeywords = recordsOf(form{
		name: "keyword-tables", since: 4, one: "keyword table", what: "keyword tables",
		lost: "the keyword tables cannot be shown",
	}, func(k KeywordTable) string { return k.Hash })
	bucketKeywordDetails = recordsOf[string, keywordDetails](form{
		name: "keyword-details", since: 4, what: "details of keyword tables", lost: "the keyword table cannot be read",
		codec: asPacked, of: bucketKeywords.form,
	}, nil)
	bucketKeywordVectors = recordsOf[string, []float64](form{
		name: "keyword-vectors", since: 4, what: "vectors of keyword tables", lost: "the keyword table cannot be read",
		codec: asNumbers, of: bucketKeywords.form,
	}, nil)
	bucketOntologies = recordsOf(form{
		name: "ontologies", since: 4, one: "ontology", what: "ontologies", lost: "the ontologies cannot be shown",
	}, func(o OntologyRecord) string { return o.ID })
	bucketSelections = recordsOf(form{
		name: "selections", since: 4, one: "selection", what: "selections", lost: "the selections cannot be shown",
	}, func(r SelectionRecord) string { return r.Hash })
	bucketSelectionDetails = recordsOf[string, background.Selection](form{
		name: "selection-details", since: 4, what: "scenes of selections", lost: "the selection cannot be read",
		codec: asPacked, read: scenesForm, of: bucketSelections.form,
	}, nil)
	bucketContextVectors = recordsOf[string, []float64](form{
		name: "context-vectors", since: 4, what: "context vectors", lost: "the vector has to be computed again",
		codec: asNumbers, derived: true,
	}, nil)
)

func allBuckets() []*form { return append([]*form{bucketMeta}, forms...) }

// The keys of the meta bucket.
var (
	keySchema  = []byte("schema")
	keyDesk    = []byte("desk")
	keyCreated = []byte("created")
	keyJournal = []byte("journal")
)

// settingCurrent is the key of Current in the settings bucket.
const settingCurrent = "current"

const separator = "\x00"

// indexKey is the key of a set in set-index; with fewer parts, the prefix of all sets that share
// them.
func indexKey(parts ...string) string {
	if len(parts) == 4 {
		return strings.Join(parts, separator)
	}
	return strings.Join(parts, separator) + separator
}

// splitIndexKey is the inverse of indexKey for a whole key.
func splitIndexKey(key string) (model, suite, family, set string, ok bool) {
	parts := strings.Split(key, separator)
	if len(parts) != 4 {
		return "", "", "", "", false
	}
	return parts[0], parts[1], parts[2], parts[3], true
}

// eventKey is the key of a label event: the ids of round and event, ULIDs of 26 characters.
type eventKey string

func keyOfEvent(round, event string) eventKey { return eventKey(round + event) }

// imageKey is the key of a label of an image: suite, separator, and the image with eight digits, so
// that a suite's labels lie together and in the order of its images.
type imageKey string

func keyOfImage(suite string, image int) imageKey {
	return imageKey(fmt.Sprintf("%s%s%08d", suite, separator, image))
}

// BucketsSince are the names of the buckets that came with a schema.
func BucketsSince(schema int) (names []string) {
	for _, b := range forms {
		if b.since == schema {
			names = append(names, b.name)
		}
	}
	return names
}
