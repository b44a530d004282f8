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
// what was found can be copied.
func TestCheckDialog(t *testing.T) {
	s := newRig(t, 2)
	ws := s.ws
	copied := ""
	toClipboard := func(text string) { copied = text }
	CheckDialog(s.host, ws.Workspace, toClipboard)
	s.saying("is healthy")
	s.saying("models: 2")
	s.press("Close")
	for _, m := range ws.Imported[:1] {
		if err := os.Remove(ws.ModelPath(m.Hash)); err != nil {
			t.Fatal(err)
		}
	}
	litter := filepath.Join(ws.Path(), "signals", "ab", strings.Repeat("ab", 32)+".npz")
	if err := os.MkdirAll(filepath.Dir(litter), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(litter, []byte("left"), 0o600); err != nil {
		t.Fatal(err)
	}
	CheckDialog(s.host, ws.Workspace, toClipboard)
	s.saying("1 problem in workspace " + ws.Name())
	s.saying("import the model file again")
	s.saying("What does no harm:")
	s.saying("variscope doctor " + ws.Path() + " --repair")
	s.press("Copy")
	if !strings.HasPrefix(copied, "1 problem in workspace") ||
		!strings.Contains(copied, "import the model file again") {
		t.Errorf("copied %q", copied)
	}
	s.press("Close")
	if len(s.failed) > 0 {
		t.Error(s.failed)
	}
}

// TestACheckIsCancelled: nothing is said but that.
func TestACheckIsCancelled(t *testing.T) {
	s := newRig(t, 1)
	ws := s.ws
	begun, gate := make(chan struct{}), make(chan struct{})
	var once sync.Once
	stop := durable.Watch(func(durable.Step) error { // the copy of the database waits until the button was pressed
		once.Do(func() { close(begun); <-gate })
		return nil
	})
	defer stop()
	CheckDialog(s.host, ws.Workspace, nil)
	<-begun
	s.press("Cancel")
	close(gate)
	s.stage.Until("it has ended", func() bool { return len(s.host.Work.Jobs()) == 0 && s.last() != "" })
	if len(s.failed) > 0 || s.last() != "The check was cancelled." {
		t.Error(s.failed, s.said)
	}
	if list, err := filepath.Glob(filepath.Join(ws.Path(), "*.part")); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}

// TestACheckInTheBackground: what is wrong is told although the dialog was closed.
func TestACheckInTheBackground(t *testing.T) {
	s := newRig(t, 0)
	sheet := s.host.NewDialog("x", s.host.Window.Canvas().Size())
	sheet.Present(nil)
	sheet.Close()
	c := Checking{Examination: doctor.Examination{
		Path:     "/data/a.variscope",
		Findings: []doctor.Finding{{Litter: true}},
	}}
	if c.show(sheet, nil); len(s.failed) > 0 || s.last() != "Workspace a is healthy" {
		t.Errorf("%q, %v", s.last(), s.failed)
	}
	c.Examination.Findings, c.Changed = make([]doctor.Finding, 2), true
	if c.show(sheet, nil); len(s.failed) > 0 || !strings.Contains(s.last(), "check it again") {
		t.Errorf("%q, %v", s.last(), s.failed)
	}
	c.Changed = false
	if c.show(sheet, nil); len(s.failed) != 1 || !strings.Contains(s.failed[0].Error(), "2 problems in workspace a") {
		t.Error(s.failed)
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
	}, Changed: true}
	if got := c.Text(); got != "What was checked:\nmodels: 1,234\nnovelties: 1" {
		t.Errorf("%q", got)
	}
	c.Examination.Findings = []doctor.Finding{wrong}
	if got := c.Text(); !strings.HasPrefix(got,
		"What is wrong:\n- record is gone: nothing; repair it\n\nThe workspace was written to") ||
		strings.Contains(got, "--repair") {
		t.Errorf("%q", got)
	}
	c.Changed = false
	for range mostFindings {
		c.Examination.Findings = append(c.Examination.Findings, mended)
	}
	got := c.Text()
	if strings.Count(got, "is gone") != mostFindings || !strings.Contains(got, "- and 1 more;") ||
		strings.Contains(got, "written to") ||
		!strings.Contains(got, "\nvariscope doctor '/data/my work/a.variscope' --repair\n") {
		t.Errorf("%q", got)
	}
}
