package dialogs

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store/intake"
)

// untilFirst is a progress that cancels after the first step.
type untilFirst struct{ cancel context.CancelFunc }

func (untilFirst) SetTotal(int64) {}
func (p untilFirst) Add(int64)    { p.cancel() }

// TestACancelledImportTellsWhatCameIn: the report has the models that were added before the cancel.
func TestACancelledImportTellsWhatCameIn(t *testing.T) {
	ws := sample.New(t, 1)
	folder := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		write(t, filepath.Join(folder, name+".onnx"), "model "+name)
	}
	importer := Importer{Workspace: ws.Workspace, Read: sample.Reader(func(string) (model.Graph, error) { return ws.Imported[0].Graph, nil })}
	ctx, cancel := context.WithCancel(t.Context())
	report, err := importer.Import(ctx, []Item{{Path: folder, Kind: Models}}, intake.SuiteOptions{}, untilFirst{cancel})
	if !errors.Is(err, context.Canceled) || len(report.Lines) != 1 || !strings.HasPrefix(report.Lines[0], "1 model added (") {
		t.Errorf("%+v, %v", report, err)
	}
	if models, err := ws.Models(); err != nil || len(models) != 2 {
		t.Errorf("%d models, %v", len(models), err)
	}
}

// TestAReportTellsFailuresApart: each failure begins with a mark, since most go on in a second
// line.
func TestAReportTellsFailuresApart(t *testing.T) {
	for _, try := range []struct {
		report Report
		want   string
	}{
		{Report{}, ""},
		{Report{Lines: []string{"1 model added (a)"}}, "1 model added (a)"},
		{Report{Failed: []string{"a is empty."}}, "Not imported (1):\n✗ a is empty."},
		{Report{Lines: []string{"1 model added (a)"}, Failed: []string{"b.", "c."}}, "1 model added (a)\n\nNot imported (2):\n✗ b.\n✗ c."},
	} {
		if got := try.report.String(); got != try.want {
			t.Errorf("%+v reads\n%s\nand not\n%s", try.report, got, try.want)
		}
	}
}
