package assessors

import (
	"strings"
	"testing"

	"github.com/variscope/variscope/ui/present"
)

// An assessor that cannot be explained says why, and does not go on computing for ever.
func TestWhatCannotBeExplainedSaysWhy(t *testing.T) {
	r := kept(t)
	subject, _ := r.screen.Subject()
	assessor := *subject.Assessor
	assessor.Settings.MaxDepth = -1 // no other assessor can be trained with these
	subject.Assessor = &assessor
	r.screen.look(&subject)
	r.turn("inside")
	r.screen.widgets.inside.views.SetSelectedIndex(int(importance))
	r.stage.Until("the failure is told", func() bool { return len(r.failed) == 1 })
	if want := present.Sentence(r.failed[0]); !strings.Contains(r.texts(), want) {
		t.Errorf("the page does not say %q", want)
	}
}

// An export goes on when another line is chosen meanwhile.
func TestExportOutlivesAnotherChoice(t *testing.T) {
	r := kept(t)
	page := r.screen.widgets.saved
	page.files.Select("first")
	page.export("first")
	page.choose()
	r.stage.Until("a file is asked for", func() bool { return r.window.Canvas().Overlays().Top() != nil })
}
