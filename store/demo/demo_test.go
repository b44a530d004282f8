package demo

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestPackedNumbersKeepTheirBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 5).Draw(t, "rows")
		values := make([]int32, rows*rapid.IntRange(1, 20).Draw(t, "columns"))
		for i := range values {
			values[i] = int32(math.Float32bits(float32(rapid.Float64().Draw(t, "value"))))
		}
		data, err := pack(values, rows)
		again := make([]int32, len(values))
		if err == nil {
			err = unpack(again, data, rows)
		}
		if err != nil || !slices.Equal(again, values) {
			t.Fatalf("%v became %v (%v)", values, again, err)
		}
	})
}

// TestTheRuleDisagreesAsPeopleDo: the raters are not copies of each other, nor do they guess; and a
// label does not depend on what else is labelled.
func TestTheRuleDisagreesAsPeopleDo(t *testing.T) {
	const models = 2000
	divided := 0
	for k := range models {
		mean, hash := 0.07+0.08*float64(k)/models, fmt.Sprint(k)
		first, _ := ruled(mean, 0, hash)
		last, _ := ruled(mean, len(thresholds)-1, hash)
		if again, _ := ruled(mean, 0, hash); again != first {
			t.Fatal("the rule is not the same twice")
		}
		if first != last {
			divided++
		}
	}
	if share := float64(divided) / models; share < 0.1 || share > 0.4 {
		t.Errorf("raters differ on %.0f %% of models around the thresholds", 100*share)
	}
	for value, mean := range map[label.Value]float64{label.Invariant: 0.03, label.Variant: 0.3} {
		if got, sure := ruled(mean, 1, "x"); got != value || !sure {
			t.Errorf("a mean of %v is called %s, sure: %v", mean, got, sure)
		}
	}
}

// elsewhere is a runtime of another version than that of the shipped signals, which disagrees
// about one model.
type elsewhere struct {
	engine.InProcess
	other string // path of the model
}

func (elsewhere) Version() string { return "0.0.0" }

func (e elsewhere) Rows(
	ctx context.Context, order engine.Rows, source engine.Source, each func(int, []float64) error,
) error {
	return e.InProcess.Rows(ctx, order, source, func(k int, row []float64) error {
		if order.Feed.Path == e.other {
			row[0] += 2 * agreement
		}
		return each(k, row)
	})
}

// TestTheFirstStart fills a workspace on a processor that computes the shipped signals to the bit,
// and on another one.
func TestTheFirstStart(t *testing.T) {
	if _, _, err := onnx.FindLibrary(""); testing.Short() || err != nil && !testdata.LibraryRequired() {
		fmt.Println("the demo's first start: not tested, or ONNX Runtime is absent; make library brings it")
		return
	}
	loaded := testdata.Must(onnx.Load("", ""))(t)
	t.Cleanup(func() { _ = loaded.Close() })
	runtime := engine.InProcess{Library: loaded}
	for name, foreign := range map[string]bool{"same processor": false, "another": true} {
		t.Run(name, func(t *testing.T) {
			ws := testdata.Must(store.Create(filepath.Join(t.TempDir(), "demo")))(t)
			defer func() { testdata.OK(t, ws.Close()) }()
			var said []string
			d := Demo{
				Workspace: ws, Runtime: runtime, Read: onnx.Read, Version: "test",
				Say: func(text string) { said = append(said, text) },
			}
			if foreign {
				other := testdata.Must(filepath.Glob(filepath.Join(testdata.Root(), "assets", "scenes", "models",
					"s05.onnx")))(t)
				hash := testdata.Must(store.HashFile(t.Context(), other[0]))(t)
				d.Runtime = elsewhere{runtime, ws.ModelPath(hash)}
			}
			begun := time.Now()
			first := sync.OnceFunc(func() { t.Logf("the first matrices are there after %v", time.Since(begun)) })
			defer ws.Subscribe(func(c store.Change) {
				if c.Kind == store.SignalsChanged {
					first()
				}
			})()
			testdata.OK(t, d.Fill(t.Context(), engine.NoProgress{}))
			t.Logf("filled after %v", time.Since(begun))
			checkFilled(t, d, foreign, said)
			before := testdata.Must(ws.Rounds())(t)
			testdata.OK(t, d.Rounds(t.Context(), engine.NoProgress{}))
			if after := testdata.Must(ws.Rounds())(t); len(after) != len(before) {
				t.Errorf("%d rounds, and %d when they are made again", len(before), len(after))
			}
		})
	}
}

func checkFilled(t *testing.T, d Demo, foreign bool, said []string) {
	manifest := testdata.Must(d.Workspace.FindSuite(Suite))(t)
	family := testdata.Must(firstFamily())(t)
	want, from := 14, ""
	if foreign {
		want, from = 13, device.Shipped
	}
	taken := 0
	for _, m := range testdata.Must(d.Workspace.Models())(t) {
		summary, ok, err := d.Workspace.Summary(m, manifest.Hash, family)
		if testdata.OK(t, err); ok {
			taken++
		}
		if ok == (foreign && m.ID == "s05") || ok && summary.Device != from {
			t.Errorf("model %s: signals %v, of device %q", m.ID, ok, summary.Device)
		}
	}
	testdata.Equal(t, "models with signals", []int{taken}, []int{want})
	if foreign != (len(said) == 1 && strings.Contains(said[0], "signals of s05 that")) {
		t.Errorf("said: %q", said)
	}
	rounds := testdata.Must(d.Workspace.Rounds())(t)
	if len(rounds) != 2 || rounds[0].Closed || rounds[0].ByRule {
		t.Fatalf("rounds: %+v", rounds)
	}
	r := rounds[1]
	events := testdata.Must(d.Workspace.Events(r.ID))(t)
	if !r.Closed || !r.ByRule || !strings.Contains(r.Name+r.Guideline, "made by a rule") || len(events) != 3*want {
		t.Errorf("round %q, closed: %v, with %d labels", r.Name, r.Closed, len(events))
	}
	values := map[label.Value]int{}
	for _, ev := range events {
		values[ev.Value]++
		if ev.Note != label.ByRuleNote {
			t.Errorf("a label says %q", ev.Note)
		}
	}
	if values[label.Invariant] < want || values[label.Variant] < want {
		t.Errorf("labels: %v", values)
	}
	file := testdata.Must(saved.Decode(ExampleAssessor, testdata.Must(d.Workspace.AssessorData(ExampleAssessor))(t)))(t)
	if len(file.Results) != 1 || !strings.Contains(file.Labels.Source, "made by a rule") {
		t.Errorf("the assessor learnt from %s and has %d results", file.Labels.Source, len(file.Results))
	}
	requests := testdata.Must(Runs(d.Workspace))(t)
	if len(requests) != 2 && !foreign || foreign && len(requests) != 3 {
		t.Errorf("%d runs are left", len(requests))
	}
	if scenes := requests[len(requests)-1]; len(scenes.Models) != 14-len(inDetail) {
		t.Errorf("%d models are still to run in the scenes", len(scenes.Models))
	}
}
