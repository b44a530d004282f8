package picture

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
)

// Missing is the line above pictures that cannot be made: why, and a button to locate the images
// where that helps. It is hidden while all is well.
type Missing struct {
	box    *fyne.Container
	text   *widget.Label
	button *widget.Button
	suite  string
}

// NewMissing makes a hidden line. Locate is asked to find a suite's images; nil leaves the button
// away.
func NewMissing(locate func(suite string)) *Missing {
	m := &Missing{text: widget.NewLabel("")}
	m.text.Importance = widget.WarningImportance
	m.text.Truncation = fyne.TextTruncateEllipsis
	m.button = widget.NewButtonWithIcon("Locate…", theme.FolderOpenIcon(), func() {
		if locate != nil {
			locate(m.suite)
		}
	})
	m.box = container.NewBorder(nil, nil, nil, m.button, m.text)
	m.box.Hide()
	if locate == nil {
		m.button.Hide()
	}
	return m
}

// Object is what the pane shows.
func (m *Missing) Object() fyne.CanvasObject { return m.box }

// Show says a shelf's problem, nil for none, and offers to locate the suite that it is about: the
// one that the problem names, else suiteHash, "" for none. It tells whether the line came or went.
func (m *Missing) Show(problem error, suiteHash string) (rearrange bool) {
	m.suite = suiteHash
	var of *store.SuiteError
	if errors.As(problem, &of) {
		m.suite = of.Suite
	}
	before := m.box.Visible()
	if problem == nil {
		m.box.Hide()
		return before
	}
	m.text.SetText(present.Sentence(problem))
	if m.suite != "" && Gone(problem) {
		m.button.Enable()
	} else {
		m.button.Disable()
	}
	m.box.Show()
	return !before
}

// Gone tells whether a problem is that the images are not where they were or not what they were,
// so that locating them may help.
func Gone(problem error) bool {
	return errors.Is(problem, store.ErrNoImages) || errors.Is(problem, suite.ErrMissing) || errors.Is(problem, suite.ErrChanged)
}
