package images

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/ui/background"
)

func TestPaceAnswersTheNewestQuestion(t *testing.T) {
	s := stage.New(t)
	work := background.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	p := pace{work: work}
	release := make(chan struct{})
	var answered []int
	for k := range 6 {
		ask(&p, "count", func() int {
			if k == 0 {
				<-release
			}
			return k
		}, func(v int, err error) {
			if err != nil {
				t.Error(err)
			}
			answered = append(answered, v)
		})
	}
	close(release)
	s.Until("answers", func() bool { return len(answered) == 2 })
	if !slices.Equal(answered, []int{0, 5}) || p.busy || p.next != nil {
		t.Errorf("answered %v", answered)
	}
	p.closed = true
	ask(&p, "count", func() int { return 7 }, func(v int, _ error) { answered = append(answered, v) })
	s.Until("the last question", func() bool { return !p.busy })
	if len(answered) != 2 {
		t.Error("a closed pane gets answers")
	}
}
