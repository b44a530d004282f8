package dialogs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

func reportDesk() *reportDialog {
	return &reportDialog{
		version: "1.2.3", current: store.Current{Suite: "s", Family: "rotation:-15:15:1"},
		ready: []model.Model{{ID: "m1", Hash: "h1"}, {ID: "m2", Hash: "h2"}},
		rounds: []label.Round{
			{ID: "01HZZZZZZZ0000000000000001", Name: "first"}, {ID: "01HZZZZZZZ0000000000000002", Name: "first"},
		},
	}
}

func TestReportTopics(t *testing.T) {
	rounds := []string{"round first (000001)", "round first (000002)"}
	for _, c := range []struct {
		name   string
		change func(*reportDialog)
		want   []string
	}{
		{"none chosen", func(*reportDialog) {}, append([]string{"all 2 models with signals"}, rounds...)},
		{
			"one", func(d *reportDialog) { d.chosen = []string{"h2"} },
			append([]string{"model m2", "all 2 models with signals"}, rounds...),
		},
		{
			"one without signals", func(d *reportDialog) { d.chosen = []string{"h9"} },
			append([]string{"the chosen model", "all 2 models with signals"}, rounds...),
		},
		{
			"several", func(d *reportDialog) { d.chosen = []string{"h1", "h2", "h9"} },
			append([]string{"the 3 chosen models", "all 2 models with signals"}, rounds...),
		},
		{"no signals", func(d *reportDialog) { d.ready, d.chosen = nil, []string{"h1"} }, rounds},
		{"nothing", func(d *reportDialog) { d.ready, d.rounds = nil, nil }, nil},
	} {
		d := reportDesk()
		c.change(d)
		var got []string
		for _, topic := range d.topics() {
			got = append(got, topic.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestReportQuestion(t *testing.T) {
	d := reportDesk()
	d.chosen = []string{"h2"}
	o := reportAsk{About: aboutChosen}
	o.Modalities, o.Notes = []string{"max@CONF", "CONV-1/mean"}, true
	q, err := d.request(o)
	if err != nil || !slices.Equal(q.Models, []string{"h2"}) || q.Suite != "s" || q.Family == "" ||
		q.Version != "1.2.3" ||
		!slices.Equal(q.Modalities, []string{"max@CONF", "mean@CONV-1"}) || q.Round != "" || q.Notes {
		t.Errorf("%+v %v", q, err)
	}
	o.About = aboutAll
	if q, err = d.request(o); err != nil || !slices.Equal(q.Models, []string{"h1", "h2"}) {
		t.Errorf("%+v %v", q, err)
	}
	o.About = d.rounds[1].ID
	if q, err = d.request(o); err != nil || q.Round != d.rounds[1].ID || q.Models != nil || !q.Notes {
		t.Errorf("%+v %v", q, err)
	}
	o.About, o.Modalities = aboutAll, []string{"big@CONF"}
	if _, err := d.request(o); err == nil {
		t.Error("a modality that is none was taken")
	}
}

func TestReportFiles(t *testing.T) {
	folder := t.TempDir()
	at := filepath.Join(folder, "demo")
	for _, path := range []string{at, at + ".html", at + ".pdf"} {
		if got, err := (reportAsk{File: path, Formats: []string{"html", "pdf"}}).files(); err != nil ||
			!slices.Equal(got, []string{at + ".html", at + ".pdf"}) {
			t.Errorf("%s: %q %v", path, got, err)
		}
	}
}

// reportRig is the dialog in a window over a real workspace.
type reportRig struct {
	*testing.T
	stage  *stage.Stage
	ws     *sample.Workspace
	host   *kit.Host
	said   string
	failed error
}

func newReportRig(t *testing.T, models int) *reportRig {
	r := &reportRig{T: t, stage: stage.New(t), ws: sample.New(t, models)}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.host = &kit.Host{
		Window: r.stage.Window(widget.NewLabel(""), fyne.NewSize(1000, 650)), Work: work,
		ShowError: func(err error) { r.failed = err }, Status: func(text string) { r.said = text },
	}
	return r
}

// says tells whether the dialog shows this text.
func (r *reportRig) says(text string) func() bool {
	return func() bool {
		found := false
		stage.Walk(r.host.Window.Canvas().Overlays().Top(), func(object fyne.CanvasObject) {
			switch w := object.(type) {
			case *widget.Label:
				found = found || strings.Contains(w.Text, text)
			case *widget.Entry:
				found = found || strings.Contains(w.Text, text)
			case *widget.Select:
				found = found || strings.Contains(w.Selected, text)
			}
		})
		return found
	}
}

func (r *reportRig) press(text string) {
	r.Helper()
	pressed := false
	stage.Walk(r.host.Window.Canvas().Overlays().Top(), func(object fyne.CanvasObject) {
		if b, ok := object.(*widget.Button); ok && b.Text == text && !pressed {
			pressed = true
			test.Tap(b)
		}
	})
	if !pressed {
		r.Fatalf("there is no button %q", text)
	}
}

func TestReportDialogWritesAReport(t *testing.T) {
	r := newReportRig(t, 4)
	round := r.ws.NewRound(t, nil)
	ReportDialog(r.host, r.ws.Workspace, "1.2.3", []string{r.ws.Imported[0].Hash})
	r.stage.Until("the dialog", r.says("model m00"))
	path := filepath.Join(filepath.Dir(r.ws.Path()), "sample-model-m00.html")
	r.press("Write report")
	r.stage.Until("the result", r.says("Report written"))
	if page, err := os.ReadFile(path); err != nil || !strings.Contains(string(page), "<h1>Model m00</h1>") {
		t.Errorf("%.60q %v", page, err)
	}
	if r.said != "Report written to "+path {
		t.Errorf("said %q", r.said)
	}
	r.press("Copy path")
	if got := r.stage.App().Clipboard().Content(); got != path {
		t.Errorf("on the clipboard: %q", got)
	}
	r.press("Close")
	if r.host.Window.Canvas().Overlays().Top() != nil {
		t.Error("the dialog is still there")
	}

	ReportDialog(r.host, r.ws.Workspace, "1.2.3", nil)
	r.stage.Until("the dialog", r.says("all 3 models with signals"))
	stage.Walk(r.host.Window.Canvas().Overlays().Top(), func(object fyne.CanvasObject) {
		if s, ok := object.(*widget.Select); ok {
			s.SetSelected("round " + roundName(round))
		}
		if c, ok := object.(*widget.CheckGroup); ok {
			c.SetSelected([]string{"PDF"})
		}
	})
	r.press("Write report")
	r.stage.Until("the result", r.says("Report written"))
	if !strings.HasSuffix(r.said, ".pdf") || r.failed != nil {
		t.Errorf("said %q, failed %v", r.said, r.failed)
	}
}

// A file that is there is replaced only after the question.
func TestReportDialogAsksBeforeReplacing(t *testing.T) {
	r := newReportRig(t, 2)
	path := filepath.Join(filepath.Dir(r.ws.Path()), "sample-model-m00.html")
	write(t, path, "old")
	ReportDialog(r.host, r.ws.Workspace, "1.2.3", []string{r.ws.Imported[0].Hash})
	r.stage.Until("the dialog", r.says("model m00"))
	r.press("Write report")
	r.stage.Until("the question", r.says("is there already"))
	if page, _ := os.ReadFile(path); string(page) != "old" {
		t.Error("the file was replaced before the question")
	}
	r.press("Write over")
	r.stage.Until("the result", r.says("Report written"))
	if page, _ := os.ReadFile(path); !strings.Contains(string(page), "<h1>Model m00</h1>") {
		t.Errorf("%.60q", page)
	}
}

func TestReportDialogSaysWhatIsMissing(t *testing.T) {
	r := newReportRig(t, 1)
	ReportDialog(r.host, r.ws.Workspace, "1.2.3", nil)
	r.stage.Until("the reason", func() bool { return r.failed != nil })
	if !strings.Contains(r.failed.Error(), "nothing to report on") {
		t.Error(r.failed)
	}
	r.failed = nil
	r.ws.NewRound(t, nil)
	ReportDialog(r.host, r.ws.Workspace, "1.2.3", nil)
	r.stage.Until("the dialog", r.says("round first look"))
	stage.Walk(r.host.Window.Canvas().Overlays().Top(), func(object fyne.CanvasObject) {
		if c, ok := object.(*widget.CheckGroup); ok {
			c.SetSelected(nil)
		}
	})
	if !r.says("Formats must be given")() {
		t.Error("no format is ticked, and nothing says so")
	}
}
