package report

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	desks "github.com/variscope/variscope/store/desk"
)

// TestReportOfAPackagedModel: a desk that has a model's matrices from a round package, and no
// signals, can report on it.
func TestReportOfAPackagedModel(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(func(r *label.Round) { r.Models = r.Models[:2] })
	path := filepath.Join(t.TempDir(), "r"+desks.RoundSuffix)
	if _, err := desks.Invite(t.Context(), d.Workspace, r.ID, path, false, nil); err != nil {
		t.Fatal(err)
	}
	there, err := store.Create(filepath.Join(t.TempDir(), "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = there.Close() }()
	if _, err := desks.Open(t.Context(), there, path, nil); err != nil {
		t.Fatal(err)
	}
	made, err := Make(t.Context(), there,
		Request{Models: r.Models, Suite: r.Suite, Family: r.Family, Written: written}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var page, paper bytes.Buffer
	if err := made.HTML(&page); err != nil || !strings.Contains(page.String(), "came with a round package") {
		t.Errorf("page: %v", err)
	}
	if err := made.PDF(&paper); err != nil {
		t.Error(err)
	}
	own, err := Make(t.Context(), d.Workspace, Request{
		Models: r.Models, Suite: r.Suite, Family: r.Family, Written: written,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	page.Reset()
	if err := own.HTML(&page); err != nil || strings.Contains(page.String(), "came with a round package") {
		t.Errorf("page of a model with signals: %v", err)
	}
}
