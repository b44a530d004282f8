package models

import (
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// The keys of the workspace's settings that the screen uses.
const (
	settingLooks  = "models.list"   // looks
	settingRanges = "models.ranges" // map of modality to savedRange
	settingMap    = evidence.SettingMap
	settingPreset = evidence.SettingPreset
	settingOwn    = evidence.SettingOwn
)

// looks is what the screen remembers of how it looks.
type looks struct {
	Gallery    bool    `json:"gallery"`
	Modality   string  `json:"modality"` // of the gallery
	Tile       float32 `json:"tile"`     // side of a matrix in the gallery, device-independent pixels
	Sort       string  `json:"sort"`     // key of a column
	Descending bool    `json:"descending"`
	Round      string  `json:"round"` // whose labels are shown, "" for the newest
}

// The sizes of the gallery's matrices.
const (
	smallestTile = 72
	usualTile    = 124
	largestTile  = 300
)

// firstLooks are those of a workspace where nothing is remembered.
func firstLooks() looks {
	return looks{Modality: signal.DefaultModalities()[0].String(), Tile: usualTile, Sort: "model_id"}
}

func readLooks(from Store) (looks, error) {
	l := firstLooks()
	if _, err := from.Setting(settingLooks, &l); err != nil {
		return l, err
	}
	l.Tile = min(max(l.Tile, smallestTile), largestTile)
	if _, err := signal.ParseModality(l.Modality); err != nil {
		l.Modality = firstLooks().Modality
	}
	return l, nil
}

// order is the remembered order. Older versions remembered other keys: "id", "#state", and columns
// of training records by their bare names.
func (l looks) order() result.Order {
	key, own := strings.CutPrefix(l.Sort, "#")
	switch {
	case key == "id":
		key = "model_id"
	case key == "robust":
		key = "robust_accuracy"
	case !own && !strings.HasPrefix(key, result.RecordKey("")) && !slices.Contains(ownKeys, key):
		key = result.RecordKey(key)
	}
	return result.Order{Key: key, Descending: l.Descending}
}

// ownKeys are the columns that are none of training records.
var ownKeys = []string{
	"model_id", "matrices", "state", "reason", "accuracy", "robust_accuracy", "chance", "label", "agreement", "ratings",
	"parameters", "input", "classes", "opset", "file",
}
