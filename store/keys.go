package store

import (
	"encoding/json"
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
var bucketMeta = &bucket{name: "meta", read: func(string, []byte) error { return nil }}

var (
	bucketModels = recordsOf(bucket{
		name: "models", one: "model", what: "models", lost: "the list of models cannot be shown", telling: true,
	}, func(m model.Model) string { return m.Hash })
	bucketModelDetails = recordsOf[modelDetails](bucket{
		name: "model-details", what: "details of models", lost: "the model's tensors and loss curves are lost",
		codec: asPacked, of: bucketModels.bucket,
	}, nil)
	bucketModelIDs = plain(bucket{
		name: "model-ids", what: "names of models", lost: "the model is not found by its name", read: idForm, derived: true,
	})
	bucketSuites = recordsOf(bucket{
		name: "suites", one: "suite", what: "suites", lost: "the list of suites cannot be shown", telling: true,
	}, func(m suite.Manifest) string { return m.Hash })
	bucketSuiteDetails = recordsOf[suiteDetails](bucket{
		name: "suite-details", what: "details of suites", lost: "the suite's labels and files are not known",
		codec: asPacked, of: bucketSuites.bucket,
	}, nil)
	bucketSets = recordsOf(bucket{
		name: "sets", one: "set of signals", what: "sets of signals", lost: "signals cannot be read", telling: true,
	}, func(s setRecord) string { return s.Spec.Key() })
	bucketSetIndex = plain(bucket{
		name: "set-index", what: "index of signals", lost: "signals are not found", read: indexForm, derived: true,
	})
	bucketUnits = recordsOf[unitRecord](bucket{
		name: "units", one: "unit of signals", what: "units of signals", lost: "the unit's signals count as missing",
		read: unitForm, telling: true,
	}, nil)
	bucketSummaries = plain(bucket{
		name: "summaries", what: "summaries", lost: "the model's matrices cannot be shown", read: summaryForm, derived: true,
	})
	bucketRuns = recordsOf(bucket{
		name: "runs", one: "run", what: "runs", lost: "the history of runs cannot be shown", telling: true,
	}, func(r RunRecord) string { return r.ID })
	bucketRounds = recordsOf(bucket{
		name: "rounds", one: "round", what: "rounds", lost: "the rounds cannot be shown", telling: true,
	}, func(r label.Round) string { return r.ID })
	bucketEvents = recordsOf[label.Event](bucket{
		name: "events", what: "label events", lost: "the labels of its round cannot be shown", read: eventForm, telling: true,
	}, nil)
	bucketSettings = recordsOf[json.RawMessage](bucket{
		name: "settings", what: "settings", lost: "the setting cannot be read",
	}, nil)
	bucketRoundEvidence = plain(bucket{
		name: "round-evidence", since: 2, what: "matrices of round packages",
		lost: "the model cannot be labelled from its package", read: evidenceForm, telling: true,
	})
	bucketImageLabels = recordsOf[ImageLabel](bucket{
		name: "image-labels", since: 3, what: "labels of images", lost: "the labels of its suite's images cannot be shown",
		read: imageLabelForm, telling: true,
	}, nil)
	bucketPredictions = recordsOf(bucket{
		name: "predictions", since: 3, one: "table of predictions", what: "tables of predictions",
		lost: "the tables cannot be shown", telling: true,
	}, func(t PredictionTable) string { return t.ID })
	bucketKept = recordsOf[json.RawMessage](bucket{
		name: "kept", since: 3, what: "kept results", lost: "the result has to be computed again", codec: asPacked, derived: true,
	}, nil)
	bucketMasks = recordsOf(bucket{
		name: "masks", since: 4, one: "mask set", what: "mask sets", lost: "the masks cannot be shown", telling: true,
	}, func(m MaskSet) string { return m.Hash })
	bucketMaskDetails = recordsOf[maskDetails](bucket{
		name: "mask-details", since: 4, what: "details of mask sets", lost: "the files of the masks are not known",
		codec: asPacked, of: bucketMasks.bucket,
	}, nil)
	bucketKeywords = recordsOf(bucket{
		name: "keyword-tables", since: 4, one: "keyword table", what: "keyword tables",
		lost: "the keyword tables cannot be shown", telling: true,
	}, func(k KeywordTable) string { return k.Hash })
	bucketKeywordDetails = recordsOf[keywordDetails](bucket{
		name: "keyword-details", since: 4, what: "details of keyword tables", lost: "the keyword table cannot be read",
		codec: asPacked, of: bucketKeywords.bucket,
	}, nil)
	bucketKeywordVectors = recordsOf[[]float64](bucket{
		name: "keyword-vectors", since: 4, what: "vectors of keyword tables", lost: "the keyword table cannot be read",
		codec: asNumbers, of: bucketKeywords.bucket,
	}, nil)
	bucketOntologies = recordsOf(bucket{
		name: "ontologies", since: 4, one: "ontology", what: "ontologies", lost: "the ontologies cannot be shown", telling: true,
	}, func(o OntologyRecord) string { return o.ID })
	bucketSelections = recordsOf(bucket{
		name: "selections", since: 4, one: "selection", what: "selections", lost: "the selections cannot be shown", telling: true,
	}, func(r SelectionRecord) string { return r.Hash })
	bucketSelectionDetails = recordsOf[background.Selection](bucket{
		name: "selection-details", since: 4, what: "scenes of selections", lost: "the selection cannot be read",
		codec: asPacked, read: scenesForm, telling: true, of: bucketSelections.bucket,
	}, nil)
	bucketContextVectors = recordsOf[[]float64](bucket{
		name: "context-vectors", since: 4, what: "context vectors", lost: "the vector has to be computed again",
		codec: asNumbers, derived: true,
	}, nil)
)

func allBuckets() []*bucket { return append([]*bucket{bucketMeta}, forms...) }

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

// eventKey is the key of an event. Round and event are ULIDs of 26 characters.
func eventKey(round, event string) string { return round + event }

// BucketsSince are the names of the buckets that came with a schema.
func BucketsSince(schema int) (names []string) {
	for _, b := range forms {
		if b.since == schema {
			names = append(names, b.name)
		}
	}
	return names
}
