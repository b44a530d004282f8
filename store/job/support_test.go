package job

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

var must = testdata.OK

// TestMain serves as the child process of the test that kills one (scenes_test.go), and
// fails when a run leaves goroutines behind.
func TestMain(m *testing.M) {
	kill.Serve(map[string]kill.Task{"run": func(args []string) int {
		if err := childRuns(args[0]); err != nil {
			return kill.Complain(err)
		}
		return 0
	}})
	goleak.VerifyTestMain(m)
}

// family has three transformations.
const family = "rotation:-10:10:10"

// fixture is a workspace with a suite, an engine on it and a runtime.
type fixture struct {
	*testing.T
	ws    *store.Workspace
	eng   *engine.Engine
	rt    *sums.Runtime
	suite suite.Manifest
	root  string // of the suite
}

// newFixture makes a fixture whose suite has the given number of 6 x 6 images in the classes cat,
// dog and eel.
func newFixture(t *testing.T, images int) *fixture {
	t.Helper()
	b := &fixture{T: t, rt: &sums.Runtime{Refuse: map[string]error{}}, root: sums.Pets(t, images)}
	b.ws, b.suite = sums.Workspace(t, b.root)
	b.eng = engine.New(b.rt, b.ws, engine.Limits{Workers: 1})
	t.Cleanup(func() { must(b, b.eng.Close()) })
	return b
}

// model adds a model with the tensors c1, c2 and the class output y, whose range is said, so that
// runs have no batches but their own; change may be nil.
func (b *fixture) model(id string, change func(*model.Model)) model.Model {
	b.Helper()
	m := sums.Model(id)
	m.Graph.Metadata = map[string]string{"mean": "0", "std": "1"}
	if change != nil {
		change(&m)
	}
	m, _, err := b.ws.AddModel(m, strings.NewReader("model "+id))
	must(b, err)
	return m
}

func (b *fixture) request() Request { return Request{Suite: b.suite.Hash, Family: family} }

func (b *fixture) start(req Request) (string, []Refused, error) {
	return Start(b.Context(), b.ws, b.eng, b.rt, req, engine.NoProgress{})
}

// run starts a run that must start, and waits for its end.
func (b *fixture) run(req Request) (engine.Status, []Refused) {
	b.Helper()
	id, refused, err := b.start(req)
	must(b, err)
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	status := testdata.Must(b.eng.Wait(ctx, id))(b)
	return status, refused
}

// done is run for a run that must succeed whole.
func (b *fixture) done(req Request) engine.Status {
	b.Helper()
	status, refused := b.run(req)
	if status.Phase != engine.Done || status.Done != status.Total || status.Failed > 0 || len(refused) > 0 {
		b.Fatalf("the run ended with %+v, refused %v", status, refused)
	}
	return status
}

func (b *fixture) records() []store.RunRecord {
	b.Helper()
	return testdata.Must(b.ws.Runs())(b)
}

func (b *fixture) summary(m model.Model) store.Summary {
	b.Helper()
	m = testdata.Must(b.ws.Model(m.Hash))(b)
	s, ok, err := b.ws.Summary(m, b.suite.Hash, canonical)
	if err != nil || !ok {
		b.Fatalf("summary of %s: %v, %v", m.ID, ok, err)
	}
	return s
}

// canonical is the family as it is stored.
const canonical = "rotation:-10:10:10;interpolation=bilinear;border=zero"
