package label

import (
	"context"
	"time"

	"github.com/variscope/variscope/ui/background"
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

// settingChanged follows what was chosen elsewhere: the colour maps, the longest pause, and the names of annotators. What is
// being kept was chosen here.
func (s *Screen) settingChanged(key string) {
	switch {
	case (key == settingMap || key == evidence.SettingFieldMap || key == settingIdle) && !s.keeper.Keeping(key):
		s.readSettings()
	case key == settingAnnotators && s.shown:
		s.Refresh()
	case key == settingAnnotators:
		s.stale = true
	}
}

func (s *Screen) readSettings() {
	background.Load(s.deps.Work, &s.settings, "read settings", func(context.Context) (chosen, error) {
		return readChosen(s.deps.Store)
	}, func(c chosen, err error) {
		if err == nil {
			s.follow(c)
		}
	})
}

// keep remembers a setting that was chosen here. What is being read is older than that.
func (s *Screen) keep(key string, value any) {
	s.settings.Next()
	s.keeper.KeepThen(key, value, s.readSettings)
}

// follow applies what was chosen elsewhere, without storing it again.
func (s *Screen) follow(c chosen) {
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
