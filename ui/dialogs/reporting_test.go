package dialogs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
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
	all := []string{"all 2 models with signals", "round first (000001)", "round first (000002)"}
	for _, c := range []struct {
		ready  bool
		chosen []string
		want   []string
	}{
		{true, nil, all},
		{true, []string{"h2"}, append([]string{"model m2"}, all...)},
		{true, []string{"h9"}, append([]string{"the chosen model"}, all...)},
		{true, []string{"h1", "h2", "h9"}, append([]string{"the 3 chosen models"}, all...)},
		{false, []string{"h1"}, all[1:]},
	} {
		d := reportDesk()
		if d.chosen = c.chosen; !c.ready {
			d.ready = nil
		}
		var got []string
		for _, topic := range d.topics() {
			got = append(got, topic.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestReportQuestion: what is asked of a report, and the files that it becomes.
func TestReportQuestion(t *testing.T) {
	d := reportDesk()
	d.chosen = []string{"h2"}
	o := reportAsk{About: aboutChosen, Formats: []string{"html", "pdf"}}
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
	at := filepath.Join(t.TempDir(), "demo")
	for _, ending := range []string{"", ".html", ".pdf"} {
		o.File = at + ending
		if got, err := o.files(); err != nil || !slices.Equal(got, []string{at + ".html", at + ".pdf"}) {
			t.Errorf("%s: %q %v", o.File, got, err)
		}
	}
}

// TestReportDialog: a report of a model and one of all are written; a file that is there is
// replaced only after the question, and what is missing is said.
func TestReportDialog(t *testing.T) {
	r := newRig(t, 4)
	path := filepath.Join(filepath.Dir(r.ws.Path()), "sample-model-m00.html")
	write(t, path, "old")
	holds := func(want string) {
		t.Helper()
		if page, err := os.ReadFile(path); err != nil || !strings.Contains(string(page), want) {
			t.Errorf("%.60q %v", page, err)
		}
	}
	open := func(models []string, topic string) (about *widget.Select) {
		t.Helper()
		ReportDialog(r.host, r.ws.Workspace, "1.2.3", models)
		r.stage.Until("the dialog", r.open)
		if about = r.menu(topic); about.Selected != topic {
			t.Errorf("it is about %q", about.Selected)
		}
		return about
	}
	round := r.ws.NewRound(t, nil)
	open([]string{r.ws.Imported[0].Hash}, "model m00")
	r.press("Write report")
	r.saying("is there already")
	holds("old")
	r.press("Write over")
	r.saying("Report written")
	holds("<h1>Model m00</h1>")
	r.press("Copy path")
	if got := r.stage.App().Clipboard().Content(); got != path || r.said[0] != "Report written to "+path {
		t.Errorf("on the clipboard: %q; said %q", got, r.said)
	}
	r.press("Close")
	open(nil, "all 3 models with signals").SetSelected("round " + roundName(round))
	formats := find[*widget.CheckGroup](r)[0]
	if formats.SetSelected(nil); !r.says("Formats must be given") {
		t.Error("no format is ticked, and nothing says so")
	}
	formats.SetSelected([]string{"PDF"})
	r.press("Write report")
	r.saying("Report written")
	if !strings.HasSuffix(r.last(), ".pdf") || len(r.failed) > 0 {
		t.Errorf("said %q, failed %v", r.last(), r.failed)
	}
	r = newRig(t, 1)
	ReportDialog(r.host, r.ws.Workspace, "1.2.3", nil)
	r.fails(1, "nothing to report on")
}
