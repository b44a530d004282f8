package store

import (
	"strings"

	"github.com/variscope/variscope/store/durable"
)

// SchemaVersion is the schema of the database that this program writes, and the newest that it
// reads; see the package comment.
const SchemaVersion = 5

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

// The buckets.
var (
	bucketMeta         = []byte("meta")
	bucketModels       = []byte("models")
	bucketModelDetails = []byte("model-details")
	bucketModelIDs     = []byte("model-ids")
	bucketSuites       = []byte("suites")
	bucketSuiteDetails = []byte("suite-details")
	bucketSets         = []byte("sets")
	bucketSetIndex     = []byte("set-index")
	bucketUnits        = []byte("units")
	bucketSummaries    = []byte("summaries")
	bucketRuns         = []byte("runs")
	bucketRounds       = []byte("rounds")
	bucketEvents       = []byte("events")
	bucketSettings     = []byte("settings")
	// since schema 2
	bucketRoundEvidence = []byte("round-evidence")
	// since schema 3
	bucketImageLabels = []byte("image-labels")
	bucketPredictions = []byte("predictions")
	bucketKept        = []byte("kept")
	// since schema 4
	bucketMasks            = []byte("masks")
	bucketMaskDetails      = []byte("mask-details")
	bucketKeywords         = []byte("keyword-tables")
	bucketKeywordDetails   = []byte("keyword-details")
	bucketKeywordVectors   = []byte("keyword-vectors")
	bucketOntologies       = []byte("ontologies")
	bucketSelections       = []byte("selections")
	bucketSelectionDetails = []byte("selection-details")
	bucketContextVectors   = []byte("context-vectors")
)

func allBuckets() [][]byte {
	return [][]byte{
		bucketMeta, bucketModels, bucketModelDetails, bucketModelIDs, bucketSuites, bucketSuiteDetails, bucketSets,
		bucketSetIndex, bucketUnits, bucketSummaries, bucketRuns, bucketRounds, bucketEvents, bucketSettings,
		bucketRoundEvidence, bucketImageLabels, bucketPredictions, bucketKept,
		bucketMasks, bucketMaskDetails, bucketKeywords, bucketKeywordDetails, bucketKeywordVectors, bucketOntologies,
		bucketSelections, bucketSelectionDetails, bucketContextVectors,
	}
}

// bucketsSince are the buckets that came with a schema; the others are those of the first.
var bucketsSince = map[int][][]byte{
	2: {bucketRoundEvidence}, 3: {bucketImageLabels, bucketPredictions, bucketKept},
	4: {
		bucketMasks, bucketMaskDetails, bucketKeywords, bucketKeywordDetails, bucketKeywordVectors, bucketOntologies,
		bucketSelections, bucketSelectionDetails, bucketContextVectors,
	},
}

// The keys of the meta bucket.
var (
	keySchema  = []byte("schema")
	keyDesk    = []byte("desk")
	keyCreated = []byte("created")
)

// settingCurrent is the key of Current in the settings bucket.
const settingCurrent = "current"

const separator = "\x00"

// indexKey is the key of a set in set-index; with fewer parts, the prefix of all sets that share
// them.
func indexKey(parts ...string) []byte {
	if len(parts) == 4 {
		return []byte(strings.Join(parts, separator))
	}
	return []byte(strings.Join(parts, separator) + separator)
}

// splitIndexKey is the inverse of indexKey for a whole key.
func splitIndexKey(key []byte) (model, suite, family, set string, ok bool) {
	parts := strings.Split(string(key), separator)
	if len(parts) != 4 {
		return "", "", "", "", false
	}
	return parts[0], parts[1], parts[2], parts[3], true
}

// eventKey is the key of an event. Round and event are ULIDs of 26 characters.
func eventKey(round, event string) []byte { return []byte(round + event) }

// BucketsSince are the names of the buckets that came with a schema.
func BucketsSince(schema int) (names []string) {
	for _, name := range bucketsSince[schema] {
		names = append(names, string(name))
	}
	return names
}
