package store

import (
	"maps"
	"slices"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
)

// sceneRange is the range of all interpolated matrices: signals of CONF as they are, those of HEAD divided by a constant per model, so that
// colours compare (spec/background.md section 11).
var sceneRange = label.Range{Low: 0, High: 0.5}

// canonicalScenes fills the defaults of a round of backgrounds: the matrices of spec/background.md section 13. true@CONF, which no
// variance matrix has, is among its modalities.
func canonicalScenes(r *label.Round) {
	usual := feature.DefaultBackgroundLayout()
	if len(r.Modalities) == 0 {
		r.Modalities = usual.Modalities
	}
	if len(r.Interpolants) == 0 {
		r.Interpolants = usual.Background.Interpolants
	}
}

// ofScenes tells a modality of interpolated matrices, which is canonical as it is.
func ofScenes(r label.Round, modality string) bool {
	return r.Kind == label.BackgroundRound && slices.Contains(feature.BackgroundModalities(), modality)
}

// sceneRanges are the colour ranges of a round of backgrounds: those that it has, else the one of all interpolated matrices.
func sceneRanges(r label.Round) map[string]label.Range {
	ranges := map[string]label.Range{}
	for _, modality := range r.Modalities {
		ranges[modality] = sceneRange
	}
	maps.Copy(ranges, r.Ranges)
	return ranges
}
