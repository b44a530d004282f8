// Package database has the database of a workspace, which bbolt keeps in one file: its buckets and
// their keys, records and codecs, its schema and migrations, who owns it, and which files it names.
//
// The buckets of workspace.db, schema 7. They are declared in keys.go, with the types of their
// keys and values; "packed" is JSON, deflated when large (codec.go). SET is a
// Spec.Key, UNIT a Spec.UnitKey.
//
//	meta
//	├── schema                  decimal number of the schema
//	├── desk                    ULID, made when the workspace is created
//	├── created                 RFC 3339 time
//	└── journal                 (since schema 7) decimal length of the journal that this
//	                            database agrees with
//	models
//	└── HASH                    model.Model as JSON, without the parts in model-details
//	model-details
//	└── HASH                    packed: tensor names and loss curves
//	model-ids
//	└── ID                      HASH
//	suites
//	└── HASH                    suite.Manifest as JSON, without the parts in suite-details
//	suite-details
//	└── HASH                    packed: labels and files
//	sets
//	└── SET                     set record as JSON: the signal.Spec and what the run said of it
//	set-index
//	└── MODEL SUITE FAMILY SET  empty; the parts are joined by a zero byte
//	units
//	└── UNIT                    unit record as JSON: set, chunk, SHA-256 and size of its file
//	summaries
//	└── SET                     matrices and accuracies of a finished set, binary (summary.go)
//	runs
//	└── ULID                    RunRecord as JSON
//	rounds
//	└── ULID                    label.Round as JSON
//	events
//	└── ROUND EVENT             label.Event as JSON; two ULIDs joined, so that events lie in order
//	settings
//	└── KEY                     JSON
//	round-evidence              (since schema 2)
//	└── MODEL SUITE FAMILY FILTER ROUND    what a round package brought, binary (evidence.go);
//	                            the parts are joined by a zero byte
//	image-labels                (since schema 3)
//	└── SUITE IMAGE             ImageLabel as JSON; suite and eight digits, joined by a zero byte
//	predictions                 (since schema 3)
//	└── ULID                    PredictionTable as JSON
//	kept                        (since schema 3)
//	└── NAME                    values that can be computed again, packed
//	masks                       (since schema 4, as all that follow)
//	└── HASH                    MaskSet as JSON, without the files in mask-details
//	mask-details
//	└── HASH                    packed: files
//	keyword-tables
//	└── HASH                    KeywordTable as JSON, without the parts in the two that follow
//	keyword-details
//	└── HASH                    packed: names of elements and scenes, and the rows without vectors
//	keyword-vectors
//	└── HASH                    the vectors of all rows one behind the other, float64, deflated
//	ontologies
//	└── ULID                    OntologyRecord as JSON
//	selections
//	└── HASH                    SelectionRecord as JSON, without the part in selection-details
//	selection-details
//	└── HASH                    packed: the background.Selection with its scenes
//	context-vectors
//	└── KEY                     keyword vector of an image by a pair of networks, float64;
//	                            it can be computed again
//
// bbolt trusts its file, so its pages are walked before bbolt sees them (package pages), and every
// transaction turns a panic into ErrDamaged.
package database
