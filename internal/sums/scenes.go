package sums

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

const backgrounds = 7

// Scenes adds backgrounds and masks to a workspace, and a selection of n scenes per target.
func Scenes(t testing.TB, ws *store.Workspace, targets suite.Manifest, n int) store.SelectionRecord {
	t.Helper()
	scenes, masks := filepath.Join(t.TempDir(), "scenes"), filepath.Join(t.TempDir(), "masks")
	for i := range backgrounds {
		Gray(t, filepath.Join(scenes, fmt.Sprintf("bg_%d.png", i)), func(p int) uint8 { return Background(i, p) })
	}
	for i, f := range targets.Files {
		Gray(t, filepath.Join(masks, filepath.FromSlash(f.Path)), func(p int) uint8 { return 255 * Front(i, p) })
	}
	set := testdata.Must(ws.AddMasks(t.Context(), targets.Hash, masks, false, engine.NoProgress{}))(t)
	s := background.Selection{
		Targets: targets.Hash, Masks: set.Hash, Backgrounds: Suite(t, ws, scenes).Hash, Rule: background.PaperRule(),
		Choice: background.Choice{Method: background.Random, N: n, Seed: 1},
	}
	for target := range targets.Images {
		var list []background.Scene
		for j := range n {
			list = append(list, background.Scene{
				Background: SceneOf(target, j+1), Distance: float64(target%5+j) / 7, Keyword: -1, Level: -1,
			})
		}
		s.Chosen = append(s.Chosen, list)
	}
	return testdata.Must(ws.AddSelection("scenes", s))(t)
}

// Background is pixel p of a background.
func Background(i, p int) uint8 { return uint8(p*p*(3+i) + 50*i) }

// Front is 1 where pixel p of a target is foreground: its lower rows are.
func Front(target, p int) uint8 {
	if p/Side >= 1+target%5 {
		return 1
	}
	return 0
}

// SceneOf is the background of scene j of a target, from 1.
func SceneOf(target, j int) int { return (2*target + j) % backgrounds }

// NearAndFar selects two scenes for each target from the targets themselves, and returns the set of
// transformations that models run under. A folder suite's own images are its masks.
func NearAndFar(t testing.TB, ws *store.Workspace, targets suite.Manifest) (set string) {
	t.Helper()
	masks := testdata.Must(ws.AddMasks(t.Context(), targets.Hash, targets.Root, false, engine.NoProgress{}))(t)
	s := background.Selection{
		Targets: targets.Hash, Masks: masks.Hash, Backgrounds: targets.Hash,
		Choice: background.Choice{Method: background.Nearest, N: 2, Seed: 1},
	}
	for range targets.Images {
		s.Chosen = append(s.Chosen, []background.Scene{
			{Background: 0, Distance: 0.25, Keyword: -1, Level: -1},
			{Background: 1, Distance: 0.5, Keyword: -1, Level: -1},
		})
	}
	record := testdata.Must(ws.AddSelection("near", s))(t)
	return testdata.Must(record.Family())(t)
}
