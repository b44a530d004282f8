package models

import (
	"slices"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/ui/screen/evidence"
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
	Gallery    bool     `json:"gallery"`
	Modality   string   `json:"modality"` // of the gallery
	Tile       float32  `json:"tile"`     // side of a matrix in the gallery, device-independent pixels
	Hidden     []string `json:"hidden"`   // keys of columns
	Sort       string   `json:"sort"`
	Descending bool     `json:"descending"`
	Round      string   `json:"round"` // whose labels are shown, "" for the newest
}

// The sizes of the gallery's matrices.
const (
	smallestTile = 72
	usualTile    = 124
	largestTile  = 300
)

// firstLooks are those of a workspace where nothing is remembered. Columns that say little of most models are hidden.
func firstLooks() looks {
	return looks{
		Modality: signal.DefaultModalities()[0].String(), Tile: usualTile, Sort: keyID, Hidden: []string{keyOpset, keyRatings},
	}
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

// looks is how the view is now, beside what the caller knows of the gallery and the round.
func (v *View) looks(l looks) looks {
	l.Hidden = v.Hiding()
	l.Sort, l.Descending = v.Order()
	return l
}

// apply puts remembered looks on the view.
func (v *View) apply(l looks) {
	for _, key := range v.Hiding() {
		if !slices.Contains(l.Hidden, key) {
			v.Hide(key, false)
		}
	}
	for _, key := range l.Hidden {
		v.Hide(key, true)
	}
	v.SetOrder(l.Sort, l.Descending)
}
