// Package background joins what background invariance needs of a workspace (spec/background.md): from keyword tables to ontologies, from
// ontologies to selections of testing scenes, from selections to runs, and from their signals to clouds and matrices.
package background

import (
	"context"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Networks are two ONNX models that say what a scene contains (spec/background.md section 1): files, with the names of their classes in order.
type Networks struct {
	Segmentation, Scene string   // paths
	Elements, Scenes    []string // names; empty takes class_names of the file's metadata
}

// Understand computes the keyword vectors of images with two networks: those of the targets with their masks (nil for none), then those of the backgrounds.
// What was computed before for the same networks, image and mask is taken from the workspace, so a stopped computation goes on. The error for a list of names that does not
// match the network's classes says both numbers. Progress counts images.
func Understand(ctx context.Context, ws *store.Workspace, rt engine.Runtime, n Networks, targets, backgrounds suite.Manifest, masks *Masks, p engine.Progress) (background.Table, error) {
	panic("not built yet")
}
