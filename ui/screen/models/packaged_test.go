package models

import (
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// TestModelsOfARoundPackage: at a desk that got its models from a package they are ready, and their
// matrices are drawn.
func TestModelsOfARoundPackage(t *testing.T) {
	from := sample.New(t, 3)
	r := from.NewRound(t, func(r *label.Round) { r.Models = r.Models[:2] }) // the last one has no signals
	path := filepath.Join(t.TempDir(), "r"+desk.RoundSuffix)
	testdata.Must(desk.Invite(t.Context(), from.Workspace, r.ID, path, false, nil))(t)
	there := testdata.Must(store.Create(filepath.Join(t.TempDir(), "other")))(t)
	defer func() { _ = there.Close() }()
	testdata.Must(desk.Open(t.Context(), there, path, nil))(t)
	l, err := load(t.Context(), there, nil, nil)
	if err != nil || len(l.rows) != len(r.Models) {
		t.Fatal(len(l.rows), err)
	}
	for _, row := range l.rows {
		if row.State != inventory.Ready || row.Set == "" {
			t.Errorf("model %s: state %v", row.Model.ID, row.State)
		}
		if _, err := matrixOf(t.Context(), there, row.Model.Hash, row.Set, l.current,
			evidence.DefaultModalities()[0]); err != nil {
			t.Errorf("model %s: %v", row.Model.ID, err)
		}
	}
}
