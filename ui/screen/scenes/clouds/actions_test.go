package clouds

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/internal/testdata"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

func TestButtonsAndKeys(t *testing.T) {
	r := newRig(t, 3, nil)
	r.idle()
	table := r.window.Canvas().Focused()
	if table == nil {
		t.Fatal("the list does not have the keyboard")
	}
	table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if s := r.idle(); s.who() != "m01" {
		t.Errorf("%s is shown", s.who())
	}
	r.press("Inspect")
	r.press("Label…")
	r.press("Run 1 model")
	r.press("Start")
	r.press("Close")
	if c := r.calls; len(c.Inspected) != 1 || c.Inspected[0] != r.ws.Models[1].Hash || len(c.Rounds) != 1 ||
		c.Rounds[0] != r.ws.Selection.Hash || len(c.Started) != 1 {
		t.Errorf("%+v", c)
	}
	family, _ := r.ws.Selection.Family()
	if req := r.calls.Started[0]; req.Family != family || req.Suite != r.ws.Targets.Hash ||
		!slices.Equal(req.Models, []string{r.ws.Models[2].Hash}) {
		t.Errorf("the run is %+v", req)
	}
	table.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	r.idle()
	if text := r.page.foot.Text; !strings.HasPrefix(text, "m02: no signals") || r.page.renewer.sheet != nil {
		t.Errorf("a model without a run says %q", text)
	}
	table.TypedRune('m')
	test.Type(r.window.Canvas().Focused(), "01")
	if got := r.page.list.Shown(); len(got) != 1 {
		t.Errorf("%d models", len(got))
	}
}

func TestNothingToShow(t *testing.T) {
	r := newRig(t, 1, nil)
	r.idle()
	r.page.Look(page.Subject{})
	r.idle()
	r.press("Choose scenes")
	if !slices.Equal(r.calls.Opened, []page.Kind{page.Scenes}) {
		t.Errorf("opened %v", r.calls.Opened)
	}
	other := r.ws.Choose(t, "random", func(a *scenes.Ask) { a.Choice.Method = "random" })
	r.page.Look(page.Subject{Selection: other.Hash})
	r.idle()
	r.press("Run 1 model")
	if len(r.calls.Started) != 1 {
		t.Error("nothing was started")
	}
	r.page.Look(r.ws.Subject())
	if s := r.idle(); s == nil || s.who() != "m00" || !r.page.Body.Visible() {
		t.Error("the first selection does not come back")
	}
}

func TestTables(t *testing.T) {
	r := newRig(t, 4, nil)
	s := r.pick(2)
	read := func(write func(*bytes.Buffer) error) [][]string {
		t.Helper()
		var out bytes.Buffer
		testdata.OK(t, write(&out))
		return testdata.Must(csv.NewReader(&out).ReadAll())(t)
	}
	rows := read(func(w *bytes.Buffer) error { return s.features(w) })
	if len(rows) != 5 || rows[0][4] != "interpolant" || rows[1][4] != "I1" || rows[4][4] != "24,4,32" ||
		rows[1][7] != "972" {
		t.Errorf("%v", rows)
	}
	rows = read(func(w *bytes.Buffer) error { return s.one(s.rows[0][0]).CSV(w) })
	if len(rows) != 1+64*64 || rows[2][5] != "1" || rows[2][6] != "0" {
		t.Errorf("%d rows, %v", len(rows), rows[2])
	}
	var svg bytes.Buffer
	if err := s.figure().Write(&svg, "svg"); err != nil || svg.Len() < 1000 || len(r.page.saveMenu()) < 6 ||
		len(r.page.tiles.menu(1)) < 5 {
		t.Errorf("%d bytes, %v; menus of %d and %d entries", svg.Len(), err, len(r.page.saveMenu()),
			len(r.page.tiles.menu(1)))
	}
}
