package inspect

import (
	"slices"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// The workspace settings that the screen remembers.
const (
	settingModel      = "inspect.model"
	settingModalities = "inspect.modalities"
	settingTab        = "inspect.tab"
	settingSplit      = "inspect.split"
	settingPrecision  = "inspect.precision"
	settingExcluded   = "inspect.excluded." // followed by the hashes of model and suite
	settingMap        = evidence.SettingMap
	settingPreset     = evidence.SettingPreset
	settingOwn        = evidence.SettingOwn
)

// excludedKey is where the excluded images of a model and suite are remembered.
func excludedKey(model, suite string) string { return settingExcluded + model + "." + suite }

// remembered is what a workspace remembers of the screen.
type remembered struct {
	model      string
	modalities []string
	tab        string
	split      float64
	precision  float64
	view       evidence.View // Map, Preset and Own
}

// recall reads everything that is remembered; what was never set keeps its value in before.
func recall(from Store, before remembered) (remembered, error) {
	r := before
	r.modalities = slices.Clone(before.modalities) // decoding writes into what is there
	preset := int(r.view.Preset)
	for _, one := range []struct {
		key  string
		into any
	}{
		{settingModel, &r.model},
		{settingModalities, &r.modalities},
		{settingTab, &r.tab},
		{settingSplit, &r.split},
		{settingPrecision, &r.precision},
		{settingMap, &r.view.Map},
		{settingPreset, &preset},
		{settingOwn, &r.view.Own},
	} {
		if _, err := from.Setting(one.key, one.into); err != nil {
			return before, err
		}
	}
	r.view.Preset = evidence.Preset(min(max(preset, int(evidence.Shared)), int(evidence.Own)))
	if r.view.Own == (label.Range{}) && r.view.Preset == evidence.Own {
		r.view.Preset = evidence.Shared
	}
	if len(r.modalities) == 0 {
		r.modalities = evidence.DefaultModalities()
	}
	return r, nil
}

// keep remembers a value. Settings that are being read from the store are old then.
func (s *Screen) keep(key string, value any) {
	s.following.Next()
	s.keeper.Keep(key, value)
}
