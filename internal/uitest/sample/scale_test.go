package sample

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/doctor"
)

// TestScale measures what a person waits for in a workspace of the size of the paper's
// repositories, for docs/results.md. VARISCOPE_SCALE is the number of models; each has made-up
// signals on 512 images, and the first six on 10,000, too.
func TestScale(t *testing.T) {
	models, err := strconv.Atoi(os.Getenv("VARISCOPE_SCALE"))
	if err != nil {
		return
	}
	path := filepath.Join(t.TempDir(), "scale.variscope")
	some := &Workspace{Workspace: testdata.Must(store.Create(path))(t)}
	every := &Workspace{Workspace: some.Workspace}
	for w, n := range map[*Workspace]int{some: 512, every: 10_000} {
		m := images.Gray(t, n, 6).Manifest()
		m.Name = fmt.Sprint(n)
		m = testdata.Must(w.AddSuite(m))(t)
		w.Shapes = testdata.Must(w.Suite(m.Hash))(t)
	}
	const whole = 6
	for k := range models {
		m := Describe(k)
		m.ID, m.Graph.Outputs[0].Classes = fmt.Sprintf("m%03d", k), len(some.Shapes.Counts)
		m, _, err := some.AddModel(m, bytes.NewReader(fmt.Append(nil, k)))
		testdata.OK(t, err)
		some.Imported = append(some.Imported, m)
		some.Compute(t, m, k)
		if k < whole {
			every.Compute(t, m, k)
		}
	}
	ws, suite := some.Workspace, some.Shapes
	testdata.OK(t, ws.SetCurrent(store.Current{Suite: suite.Hash, Family: Family}))
	round := some.NewRound(t, func(r *label.Round) { r.Classes = 3 })
	var events []label.Event
	for k, hash := range round.Models[1:] { // one is left to label
		for a, who := range round.Annotators {
			events = append(events, label.Event{
				ID: ws.NewID(), Desk: ws.Desk(), Round: round.ID, Model: hash, Annotator: who, Kind: label.Label,
				Pass: 1, Value: label.Values(3)[(k/7+a*(k%3))%3], Sure: true,
				Started: round.Created, Saved: round.Created,
			})
		}
	}
	testdata.Must(ws.Merge(events))(t)
	testdata.OK(t, ws.Close())

	load := func(k int) error {
		info, _, err := ws.BestSet(some.Imported[k], every.Shapes.Hash, Family)
		if err == nil {
			_, err = ws.LoadSet(t.Context(), info.Key, store.Want{Everything: true})
		}
		return err
	}
	for _, one := range []struct {
		what  string
		times int
		do    func(k int) error
	}{
		{"open", 1, func(int) (err error) { ws, err = store.Open(path); return err }},
		{"list of models with states and accuracies", 10, func(int) error {
			return testdata.Err(ws.Overview(suite.Hash, Family))
		}},
		{"matrices of a model for its tile", models, func(k int) error {
			_, _, err := ws.Summary(some.Imported[k], suite.Hash, Family)
			return err
		}},
		{"shared colour ranges", 1, func(int) error { return testdata.Err(ws.RoundRanges(t.Context(), round)) }},
		{"all signals of a model on 10,000 images, hashed", min(whole, models), load},
		{"the same again", min(whole, models), load},
		{"next model to label", models, func(k int) error {
			return testdata.Err(ws.Matrices(t.Context(), store.MatrixRequest{
				Model: some.Imported[k], Suite: round.Suite, Family: round.Family, Modalities: round.Modalities,
				Images: variance.AllImages(),
			}))
		}},
		{"all label events of the round", 5, func(int) error { return testdata.Err(ws.Events(round.ID)) }},
		{"agreement of three annotators with intervals", 1, func(int) error {
			agreement.OfRound(round, events, round.Models, round.Annotators, agreement.Options{Intervals: true})
			return nil
		}},
		{"the 80 features of a model on 512 images", 1, func(k int) error {
			q := store.FeatureRequest{
				Model: some.Imported[k], Suite: suite, Family: Family, Layout: feature.DefaultLayout(),
				Images: variance.AllImages(),
			}
			info, err := ws.FeatureSet(q)
			if err == nil {
				_, err = ws.Features(t.Context(), info, q)
			}
			return err
		}},
		{"variscope doctor", 1, func(int) error {
			e, err := doctor.Examine(t.Context(), path, engine.NoProgress{})
			testdata.Is(t, "problems", len(e.Problems()), 0)
			return err
		}},
	} {
		if one.what == "variscope doctor" {
			testdata.OK(t, ws.Close())
		}
		begun, used := time.Now(), testdata.ProcessorTime()
		for k := range one.times {
			testdata.OK(t, one.do(k))
		}
		n := time.Duration(one.times)
		t.Logf("| %s | %s | %s |", one.what, (time.Since(begun) / n).Round(10*time.Microsecond),
			((testdata.ProcessorTime() - used) / n).Round(10*time.Microsecond))
	}
}
