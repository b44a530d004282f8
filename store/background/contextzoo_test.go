//go:build cgo

package background

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// TestZooBackgroundContext: the zoo's two networks give context_vectors.csv: up to three pixels may
// flip, scores to 1e-4.
func TestZooBackgroundContext(t *testing.T) {
	folder, ok := testdata.Zoo("scenes")
	expected := filepath.Join(folder, "expected", "context_vectors.csv")
	if _, err := os.Stat(expected); !ok || err != nil {
		fmt.Println("zoo scenes: absent (expected/context_vectors.csv)")
		return
	}
	rt, ok := contextRuntime(t)
	if !ok {
		return
	}
	s := &stand{T: t, ws: sums.Empty(t), rt: rt, folder: t.TempDir()}
	s.nets = Networks{
		Segmentation: filepath.Join(folder, "context", "seg.onnx"),
		Scene:        filepath.Join(folder, "context", "scene.onnx"),
	}
	want := s.zooImages(folder, expected)
	s.targets, s.backgrounds = s.suite("targets"), s.suite("backgrounds")
	set, err := s.ws.AddMasks(t.Context(), s.targets.Hash, filepath.Join(folder, "masks"), false, engine.NoProgress{})
	must(s, err)
	masks := testdata.Must(OpenMasks(t.Context(), s.ws, set))(s)
	table, err := Understand(t.Context(), s.ws, s.rt, s.nets, s.targets, s.backgrounds, masks, engine.NoProgress{})
	must(s, err)
	_, err = Understand(t.Context(), s.ws, s.rt, s.nets, s.backgrounds, s.targets, masks, engine.NoProgress{})
	s.refused(err, "belong to another suite than "+s.backgrounds.Name)
	header := want[0]
	for k, name := range slices.Concat(table.Elements, table.Scenes) {
		if _, plain, _ := strings.Cut(header[2+k], "_"); plain != name {
			t.Fatalf("entry %d is %s, want %s", k, name, header[2+k])
		}
	}
	largest, flips := 0.0, 0.0
	for _, line := range want[1:] {
		at := slices.IndexFunc(table.Rows, func(r background.Row) bool { return r.File == line[0] })
		if at < 0 {
			t.Fatalf("no row %s", line[0])
		}
		row := table.Rows[at]
		if visible := strconv.Itoa(row.Visible); visible != line[1] {
			t.Errorf("%s: %s pixels are visible, want %s", row.File, visible, line[1])
		}
		flipped := 0.0
		for k, text := range line[2:] {
			v := testdata.Must(strconv.ParseFloat(text, 64))(s)
			difference := math.Abs(v - row.Vector[k])
			if k < len(table.Elements) {
				flipped += math.Round(difference*float64(row.Visible)) / 2
				continue
			}
			largest = max(largest, difference)
			if difference > 1e-4 {
				t.Errorf("%s: %s is %v, want %s", row.File, header[2+k], row.Vector[k], text)
			}
		}
		if flips = max(flips, flipped); flipped > 3 {
			t.Errorf("%s: %v pixels have another element", row.File, flipped)
		}
	}
	fmt.Printf("zoo scenes: %d images, at most %v pixels of another element, largest difference of scores %.2g\n",
		len(want)-1, flips, largest)
}

// zooImages links the images of a table, and only those, into the stand's folders targets and
// backgrounds.
func (s *stand) zooImages(folder, table string) [][]string {
	s.Helper()
	file := testdata.Must(os.Open(table))(s)
	defer func() { _ = file.Close() }()
	lines := testdata.Must(csv.NewReader(file).ReadAll())(s)
	for _, line := range lines[1:] {
		to := filepath.Join(s.folder, filepath.FromSlash(line[0]))
		must(s, os.MkdirAll(filepath.Dir(to), 0o755))
		data := testdata.Must(os.ReadFile(filepath.Join(folder, filepath.FromSlash(line[0]))))(s)
		must(s, os.WriteFile(to, data, 0o600))
	}
	return lines
}
