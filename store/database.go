package store

import "github.com/variscope/variscope/store/database"

// SchemaVersion is the schema of the database that this program writes.
const SchemaVersion = database.SchemaVersion

// NotInPackage is the reason of Matrices.Absent for a modality that a round package does not hold.
const NotInPackage = database.NotInPackage

// What the database keeps, as screens and commands name it.
type (
	Evidence        = database.Evidence
	ImageLabel      = database.ImageLabel
	KeywordTable    = database.KeywordTable
	MaskSet         = database.MaskSet
	OnDevice        = database.OnDevice
	OntologyRecord  = database.OntologyRecord
	PredictionTable = database.PredictionTable
	RunRecord       = database.RunRecord
	SceneFacts      = database.SceneFacts
	SelectionRecord = database.SelectionRecord
	Summary         = database.Summary

	OpenElsewhereError = database.OpenElsewhereError
)
