package dialogs

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/variscope/variscope/store/doctor"
	"github.com/variscope/variscope/store/durable"
)

// TestCheckDialog: a check of the open workspace says that it is healthy, then what is wrong, and
// what was found can be copied; of one that is cancelled nothing but that is said.
func TestCheckDialog(t *testing.T) {
	s := newRig(t, 2)
	ws := s.ws
	CheckDialog(s.host, ws.Workspace)
	s.saying("is healthy")
	s.saying("models: 2")
	s.press("Close")
	if err := os.Remove(ws.ModelPath(ws.Imported[0].Hash)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(ws.Path(), "signals", "ab", strings.Repeat("ab", 32)+".npz"), "left")
	CheckDialog(s.host, ws.Workspace)
	s.saying("1 problem in workspace " + ws.Name())
	s.saying("import the model file again")
	s.saying("What does no harm:")
	s.saying("variscope doctor " + ws.Path() + " --repair")
	s.press("Copy")
	if copied := s.stage.App().Clipboard().Content(); !strings.HasPrefix(copied, "1 problem in workspace") ||
		!strings.Contains(copied, "import the model file again") {
		t.Errorf("copied %q", copied)
	}
	s.press("Close")

	begun, gate := make(chan struct{}), make(chan struct{})
	var once sync.Once
	stop := durable.Watch(func(durable.Step) error { // the copy of the database waits until the button was pressed
		once.Do(func() { close(begun); <-gate })
		return nil
	})
	defer stop()
	CheckDialog(s.host, ws.Workspace)
	<-begun
	s.press("Cancel")
	close(gate)
	s.stage.Until("it has ended", func() bool { return s.last() == "The check was cancelled." })
	if list, err := filepath.Glob(filepath.Join(ws.Path(), "*.part")); err != nil || len(list)+len(s.failed) > 0 {
		t.Error(list, err, s.failed)
	}
}

func TestCheckingText(t *testing.T) {
	wrong := doctor.Finding{Where: "record", What: "is gone", Means: "nothing", Remedy: "repair it"}
	mended := wrong
	mended.Repairable = true
	c := Checking{Examination: doctor.Examination{
		Path: "/data/my work/a.variscope", Checked: []doctor.Checked{
			{What: "models", Count: 1234},
			{What: "runs"},
			{What: "novelties", Count: 1},
		},
		Findings: []doctor.Finding{{Litter: true}},
	}}
	if done := c.done(); done.Said != "Workspace a is healthy" || done.Failed != nil ||
		!strings.HasSuffix(done.Text, "What was checked:\nmodels: 1,234\nnovelties: 1") {
		t.Errorf("%+v", done)
	}
	c.Examination.Findings, c.Changed = []doctor.Finding{wrong}, true
	if done := c.done(); !strings.HasPrefix(done.Text,
		"What is wrong:\n- record is gone: nothing; repair it\n\nThe workspace was written to") ||
		strings.Contains(done.Text, "--repair") || !strings.Contains(done.Said, "check it again") ||
		done.Failed != nil {
		t.Errorf("%+v", done)
	}
	c.Changed = false
	for range mostFindings {
		c.Examination.Findings = append(c.Examination.Findings, mended)
	}
	done := c.done()
	if strings.Count(done.Text, "is gone") != mostFindings || !strings.Contains(done.Text, "- and 1 more;") ||
		strings.Contains(done.Text, "written to") || done.Failed == nil ||
		!strings.Contains(done.Text, "\nvariscope doctor '/data/my work/a.variscope' --repair\n") {
		t.Errorf("%+v", done)
	}
}
