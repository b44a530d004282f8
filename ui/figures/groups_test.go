package figures

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/widget"
)

func groups() []widget.Group {
	return []widget.Group{{Name: "invariant", Look: widget.LookInvariant}, {Name: "=variant", Look: widget.LookVariant}}
}

func stacked() widget.StackedData {
	return widget.StackedData{
		Title: "svm", XName: "max@CONF.svm", YName: "models", High: 3, Groups: groups(), Counts: [][]int{{2, 1, 0}, {0, 3, 1}},
	}
}

func TestCSVOfGroups(t *testing.T) {
	for want, write := range map[string]func(w io.Writer) error{
		"from,to,invariant,=variant\n0,1,2,0\n1,2,1,3\n2,3,0,1\n": func(w io.Writer) error { return WriteStacked(w, stacked(), "csv") },
		"from,to\n": func(w io.Writer) error { return WriteStacked(w, widget.StackedData{}, "csv") },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil || out.String() != want {
			t.Errorf("got\n%swant\n%s%v", out.String(), want, err)
		}
	}
}

func TestPicturesOfGroups(t *testing.T) {
	begins := map[string]string{"png": "\x89PNG", "svg": "<", "pdf": "%PDF"}
	for _, format := range render.Formats() {
		var bars bytes.Buffer
		if err := WriteStacked(&bars, stacked(), format); err != nil || !strings.HasPrefix(bars.String(), begins[format]) {
			t.Errorf("histogram as %s: %v", format, err)
		}
	}
}

func TestMenusOfGroups(t *testing.T) {
	r := newRig(t)
	bars := widget.NewStacked()
	bars.SetData(stacked())
	r.ConnectStacked(bars, func() []string { return []string{"histogram"} })
	for begins, menu := range map[string]func() []*fyne.MenuItem{"from,": bars.Menu} {
		r.said = ""
		items := menu()
		items[0].Action()
		r.stage.Until("copied", func() bool { return r.said == "values copied" })
		if got := fyne.CurrentApp().Clipboard().Content(); !strings.HasPrefix(got, begins) {
			t.Errorf("clipboard %q", got)
		}
		items[3].Action()
		top := r.window.Canvas().Overlays().Top()
		if top == nil {
			t.Fatalf("%s asks for no file", items[3].Label)
		}
		r.window.Canvas().Overlays().Remove(top)
	}
}

func mosaic() widget.MosaicData {
	return widget.MosaicData{
		Title: "Hard images", XName: "models by rank", YName: "image", Rows: []string{"#12", "=7"}, Columns: []string{"m1", "m2"},
		Kinds: []widget.Group{{Name: "right", Look: widget.LookInvariant}, {Name: "wrong", Look: widget.LookVariant}},
		Cells: [][]int{{0, 1}, {1, -1}},
	}
}

func TestMosaicAsCSV(t *testing.T) {
	var out bytes.Buffer
	if err := WriteMosaic(&out, mosaic(), "csv"); err != nil || out.String() != "image,m1,m2\n#12,right,wrong\n=7,wrong,\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestMosaicAsPictures(t *testing.T) {
	for _, format := range render.Formats() {
		var out bytes.Buffer
		if err := WriteMosaic(&out, mosaic(), format); err != nil || out.Len() == 0 {
			t.Errorf("%s: %v", format, err)
		}
	}
}
