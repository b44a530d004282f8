package label

import (
	"slices"
	"time"

	"github.com/variscope/variscope/ui/kit/evidence"
)

// chosen are the settings that are also chosen elsewhere.
type chosen struct {
	colours string
	fields  string // the map of interpolated matrices
	idle    time.Duration
}

// readChosen reads what an annotator (an id) has chosen, else what counts for everybody; "" is
// nobody.
func readChosen(from Store, annotator string) (chosen, error) {
	c, seconds := chosen{colours: evidence.DefaultMap, fields: evidence.DefaultFieldMap}, 0
	for key, into := range map[string]*string{settingMap: &c.colours, evidence.SettingFieldMap: &c.fields} {
		if _, err := from.Setting(key, into); err != nil {
			return c, err
		}
		if annotator == "" {
			continue
		}
		if _, err := from.Setting(evidence.OfPerson(key, annotator), into); err != nil {
			return c, err
		}
	}
	_, err := from.Setting(settingIdle, &seconds)
	c.idle = time.Duration(seconds) * time.Second
	return c, err
}

// keeping tells whether a setting that was chosen here is still being stored.
func (s *Screen) keeping() bool {
	if s.session != nil && slices.ContainsFunc([]string{settingMap, evidence.SettingFieldMap}, func(key string) bool {
		return s.keeper.Keeping(evidence.OfPerson(key, s.session.Annotator()))
	}) {
		return true
	}
	return slices.ContainsFunc(followed, s.keeper.Keeping)
}

// followed are the settings that a change elsewhere is followed of: the colour maps, the longest
// pause, and the names of annotators.
var followed = []string{settingMap, evidence.SettingFieldMap, settingIdle, settingAnnotators}

// keep remembers a setting that was chosen here, and reads again once it is stored.
func (s *Screen) keep(key string, value any) {
	s.saved++
	s.keeper.KeepThen(key, value, func() { s.late = true; s.catchUp() })
}

// follow applies what was chosen elsewhere, without storing it again. A reading that began before
// something was chosen here, or while that was being stored, may not know of it: it does not count,
// and what is stored is read again after it (keep).
func (s *Screen) follow(c chosen, r read) {
	if r.early || r.saved != s.saved {
		return
	}
	s.applyIdle(c.idle)
	before := s.view
	s.view.Map, s.view.FieldMap = c.colours, c.fields
	if s.view.Map != before.Map || s.view.FieldMap != before.FieldMap {
		s.widgets.repaint()
	}
}
