package onnx

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/internal/testdata"
)

// workers are worker processes of this test program.
func workers(t *testing.T, bounds worker.Bounds) *worker.Pool {
	t.Helper()
	library(t)
	pool := testdata.Must(Workers("", nil, bounds))(t)
	t.Cleanup(func() {
		testdata.OK(t, pool.Close())
	})
	return pool
}

func TestWorkersThatMisbehave(t *testing.T) {
	library(t)
	for _, how := range []string{"crash", "silence"} {
		t.Setenv(misbehaviour, how)
		testdata.Refused(t, how, testdata.Err(Workers("", nil, worker.Bounds{})),
			"a worker process could not be started: its worker process ended: ")
	}
}

func TestWorkersNeedServeWorkerAndALibrary(t *testing.T) {
	testdata.Refused(t, "no library", testdata.Err(Workers(t.TempDir(), nil, worker.Bounds{})), "run `make library`")
	serving.Store(false)
	defer serving.Store(true)
	testdata.Refused(t, "no server", testdata.Err(Workers("", nil, worker.Bounds{})),
		"main does not call onnx.ServeWorker")
}

// runWith runs models over images with a pool, and says how each has ended, by file.
func runWith(
	t *testing.T, w *worker.Pool, images engine.Source, paths ...string,
) (map[string]engine.TaskStatus, []*signal.Unit) {
	t.Helper()
	var tasks []engine.Task
	for _, path := range paths {
		graph := testdata.Must(Inspect(path))(t)
		data := testdata.Must(os.ReadFile(path))(t)
		family := testdata.Must(transform.Parse("brightness:-0.1:0.1:0.1"))(t)
		task, err := engine.Plan(engine.PlanInput{
			Model: model.Model{Hash: fmt.Sprintf("%x", sha256.Sum256(data)), ID: filepath.Base(path), Graph: graph},
			Path:  path, Family: family, Suite: suite.Manifest{
				Hash: strings.Repeat("5", 64), Name: "s", Images: images.Len(), Shape: [3]int{3, 64, 64},
			},
			Runtime: w.Version(), Batch: 16, Classes: graph.Outputs[0].Classes,
		})
		if err != nil {
			t.Fatal(err)
		}
		task.Probed, task.Feed.Shapes = true, [][]int64{{16, int64(graph.Outputs[0].Classes)}}
		tasks = append(tasks, task)
	}
	rec := &memoryRecorder{}
	e := engine.New(w, rec, engine.Limits{Workers: 2, Batch: 16})
	defer func() { _ = e.Close() }()
	testdata.OK(t, e.Submit(engine.Run{ID: "r", Source: images, Tasks: tasks}))
	status := testdata.Must(e.Wait(t.Context(), "r"))(t)
	found := map[string]engine.TaskStatus{}
	for _, task := range status.Tasks {
		found[task.ID] = task
	}
	return found, rec.units
}

// Models that crash, hang or eat memory fail with a sentence each, after a second try; the others
// of the run are computed.
func TestHostileModelsFailAlone(t *testing.T) {
	w := workers(t, worker.Bounds{Memory: 1 << 30, Batch: time.Second})
	images := append(slices.Repeat(shades{0.5}, 500), slices.Repeat(shades{0.9}, 40)...)
	fine := save(t, "fine.onnx", tiny().file())
	got, units := runWith(t, w, images, fine, hostileModel("dd_sigfpe"), save(t, "endless.onnx", endless().file()),
		save(t, "hungry.onnx", hungry(true).file()), hostileModel("fixed_width"))
	for name, want := range map[string]string{
		"fine.onnx": "", "fixed_width.onnx": "",
		"dd_sigfpe.onnx": "model dd_sigfpe.onnx ends the ONNX Runtime library on images ",
		"endless.onnx":   "model endless.onnx was at work on images ",
		"hungry.onnx":    "allocate memory",
	} {
		s := got[name]
		if want == "" && (s.Err != nil || s.Phase != engine.Done) || want != "" &&
			(s.Phase != engine.Failed || !strings.Contains(fmt.Sprint(s.Err), want)) {
			t.Errorf("%s: %s, %v", name, s.Phase, s.Err)
		}
	}
	if chunks := (len(images) + signal.ChunkSize - 1) / signal.ChunkSize; len(units) < 2*chunks {
		t.Errorf("%d units are kept", len(units))
	}
}

// A worker that is killed costs nothing: its unit is computed by a new one, to the same bits.
func TestWorkersAreReplaced(t *testing.T) {
	images := make(shades, 4000)
	for i := range images {
		images[i] = float32(i%97) / 97
	}
	fine := save(t, "fine.onnx", tiny().file())
	_, want := runWith(t, workers(t, worker.Bounds{}), images, fine)
	w := workers(t, worker.Bounds{})
	killed := 0
	got, units := runWith(t, w, &interrupted{shades: images, at: func(read int) {
		// The second kill comes long after the unit of the first one was tried again.
		if pids := w.Processes(); (read == 500 || read == 3000) && len(pids) > 0 {
			_ = syscall.Kill(pids[killed%len(pids)], syscall.SIGKILL)
			killed++
		}
	}}, fine)
	if s := got["fine.onnx"]; s.Phase != engine.Done || killed != 2 {
		t.Fatalf("%+v after %d kills", s, killed)
	}
	byChunk := func(list []*signal.Unit) []*signal.Unit {
		slices.SortFunc(list, func(a, b *signal.Unit) int { return a.Chunk - b.Chunk })
		return list
	}
	testdata.NoDiff(t, "difference", cmp.Diff(byChunk(want), byChunk(units)))
}

// interrupted calls at with how many images were read so far.
type interrupted struct {
	shades
	mu   sync.Mutex
	read int
	at   func(read int)
}

func (s *interrupted) Image(i int) (suite.Image, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read++
	s.at(s.read)
	return s.shades.Image(i)
}
