// Package picturelabel asks people for the classes of single images: one large picture after the
// other, classes on keys, each label on disk before the next picture comes. Session is the plain
// machine behind it; Screen draws it.
package picturelabel

import (
	"context"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Store is what the screen needs of a workspace; *store.Workspace is one.
type Store interface {
	ImageLabels(suite string) (map[int]store.ImageLabel, error)
	// SetImageLabel stores a label; it is on disk when SetImageLabel returns.
	SetImageLabel(suite string, l store.ImageLabel) error
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
	PredictionTables() ([]store.PredictionTable, error)
	Suite(hash string) (suite.Manifest, error)
}

// Task is what is to be labelled.
type Task struct {
	Suite   string // content hash, or id of a table of predictions
	Title   string
	Images  []int    // numbers of images, in the order in which they are asked for; a second mention counts nothing
	Classes []string // names in the order of class numbers
}
