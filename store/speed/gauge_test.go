package speed

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// sized is a computer that has room for batches up to most, whose pace grows with them.
type sized struct {
	paced
	most  int
	mu    sync.Mutex
	rated []int
}

var errMemory = errors.New("not enough memory")

// Rate implements engine.Runtime.
func (s *sized) Rate(ctx context.Context, feed engine.Feed, _ float64) (float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rated = append(s.rated, feed.Input.Batch)
	if feed.Input.Batch > s.most {
		return 0, errMemory
	}
	return float64(feed.Input.Batch), ctx.Err()
}

// newSubject is a model on a suite of two images, on a computer.
func newSubject(t *testing.T, on *sized) *subject {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(t.TempDir(), "pets")
	for _, class := range []string{"cat", "dog"} {
		must(os.MkdirAll(filepath.Join(root, class), 0o755))
		file, err := os.Create(filepath.Join(root, class, "0.png"))
		must(err)
		must(errors.Join(png.Encode(file, image.NewGray(image.Rect(0, 0, 2, 2))), file.Close()))
	}
	ws, err := store.Create(filepath.Join(t.TempDir(), "w"))
	must(err)
	t.Cleanup(func() { must(ws.Close()) })
	images, err := suite.Scan(t.Context(), root, suite.Options{}, engine.NoProgress{})
	must(err)
	images, err = ws.AddSuite(images)
	must(err)
	m, _, err := ws.AddModel(model.Model{ID: "net", File: "net.onnx", Graph: model.Graph{
		Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 2, Width: 2},
		Outputs: []model.Output{{Name: "y", Classes: 2}}, Convs: []string{"c"}, Tensors: []string{"c", "y"},
	}}, strings.NewReader("net"))
	must(err)
	family, err := transform.Parse("rotation:-10:10:10")
	must(err)
	return &subject{
		Benchmark: Benchmark{Workspace: ws, Runtime: on, Workers: 1, Slice: time.Minute, Images: 2, Family: family},
		model:     m, suite: images,
	}
}

// TestCeilingWithWhatFits: a batch that passes its trial run may need more memory than there is
// with all workers. The ceiling is the best of the others then, and neither that batch nor a
// larger one is tried again.
func TestCeilingWithWhatFits(t *testing.T) {
	on := &sized{paced: paced{version: "1.0"}, most: 32}
	s := newSubject(t, on)
	err := s.prepare(t.Context())
	if batch := s.ceiling.feed.Input.Batch; err != nil || batch != 32 {
		t.Fatalf("batch %d, %v", batch, err)
	}
	want := slices.Concat([]int{8, 16, 32, 64}, slices.Repeat([]int{8, 16, 32}, turns-1))
	if !slices.Equal(on.rated, want) {
		t.Errorf("measured %v, want %v", on.rated, want)
	}
}

// TestCeilingWhereNothingFits: the error is that of the smallest batch, and names the model.
func TestCeilingWhereNothingFits(t *testing.T) {
	err := newSubject(t, &sized{paced: paced{version: "1.0"}, most: 1}).prepare(t.Context())
	if !errors.Is(err, errMemory) || !strings.Contains(fmt.Sprint(err), "model net") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = newSubject(t, &sized{paced: paced{version: "1.0"}, most: 32}).prepare(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
