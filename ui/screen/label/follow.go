package label

import (
	"time"

	"github.com/variscope/variscope/ui/screen/evidence"
)

// chosen are the settings that are also chosen elsewhere.
type chosen struct {
	colours string
	fields  string // the map of interpolated matrices
	idle    time.Duration
}

func readChosen(from Store) (chosen, error) {
	c, seconds := chosen{colours: evidence.DefaultMap, fields: evidence.DefaultFieldMap}, 0
	if _, err := from.Setting(settingMap, &c.colours); err != nil {
		return c, err
	}
	if _, err := from.Setting(evidence.SettingFieldMap, &c.fields); err != nil {
		return c, err
	}
	_, err := from.Setting(settingIdle, &seconds)
	c.idle = time.Duration(seconds) * time.Second
	return c, err
}

// followed are the settings that a change elsewhere is followed of: the colour maps, the longest
// pause, and the names of annotators.
var followed = []string{settingMap, evidence.SettingFieldMap, settingIdle, settingAnnotators}

// keep remembers a setting that was chosen here. What is being read is older than that.
func (s *Screen) keep(key string, value any) {
	s.saved++
	s.keeper.KeepThen(key, value, func() { s.late = true; s.catchUp() })
}

// follow applies what was chosen elsewhere, without storing it again; saved is what was known when
// it was read.
func (s *Screen) follow(c chosen, saved int) {
	if saved != s.saved {
		return
	}
	if !s.keeper.Keeping(settingIdle) {
		s.applyIdle(c.idle)
	}
	before := s.view
	if !s.keeper.Keeping(settingMap) {
		s.view.Map = c.colours
	}
	if !s.keeper.Keeping(evidence.SettingFieldMap) {
		s.view.FieldMap = c.fields
	}
	if s.view.Map != before.Map || s.view.FieldMap != before.FieldMap {
		s.widgets.repaint()
	}
}
