package sums

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/assembly"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// Images is how many images a made-up suite has: two chunks.
const Images = 300

// Hash is the SHA-256 of a text, as files, models and suites are named.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Empty makes a workspace, which is closed when the test ends.
func Empty(t testing.TB) *store.Workspace {
	t.Helper()
	ws := testdata.Must(store.Create(filepath.Join(t.TempDir(), "quiet")))(t)
	t.Cleanup(func() { testdata.OK(t, ws.Close()) })
	return ws
}

// MadeUpSuite adds a suite whose file holds no images. Image i is of class i modulo their number,
// but image 5 of none, and none is of any where the images have no labels.
func MadeUpSuite(
	t testing.TB, ws *store.Workspace, name string, channels int, labelled bool, classes ...string,
) suite.Manifest {
	t.Helper()
	m := suite.Manifest{
		Hash: Hash(name), Name: name, Format: suite.IDX, Root: t.TempDir(), Classes: classes, Named: true,
		Images: Images, Shape: [3]int{channels, 8, 8},
		Files: []suite.File{{Path: name, Size: int64(len(name))}}, Counts: make([]int, len(classes)),
	}
	for i := range m.Images {
		l := -1
		if labelled && i != 5 {
			l = i % len(classes)
			m.Counts[l]++
		}
		m.Labels = append(m.Labels, l)
	}
	testdata.OK(t, os.WriteFile(filepath.Join(m.Root, name), []byte(name), 0o644))
	added := testdata.Must(ws.AddSuite(m))(t)
	return testdata.Must(ws.Suite(added.Hash))(t)
}

// MadeUpSpec is that of a model's signals on a suite, without positions.
func MadeUpSpec(t testing.TB, m model.Model, s suite.Manifest, family string) signal.Spec {
	t.Helper()
	settings := testdata.Must(m.Settings())(t)
	return signal.Spec{
		Model: m.Hash, Source: s.Hash, Images: s.Images, Family: family, Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: m.Graph.Input.Channels,
		Height: m.Graph.Input.Height, Width: m.Graph.Input.Width, Batch: 32,
		Runtime: "1.27.0", Arch: "amd64", Level: "v3",
	}
}

// Record records what unit makes up for each chunk of a task, finishes the task, and returns the
// whole set, put together number by number.
func Record(t testing.TB, ws *store.Workspace, task engine.Task, unit func(chunk int) *signal.Unit) *signal.Set {
	t.Helper()
	var units []*signal.Unit
	for chunk := range task.Spec.Chunks() {
		units = append(units, unit(chunk))
		testdata.OK(t, ws.Record(t.Context(), task.Spec, units[chunk]))
	}
	testdata.OK(t, ws.Finish(t.Context(), task))
	return testdata.Must(assembly.Set(task.Spec, units))(t)
}

// Damage spoils the files of the signals that are recorded by run.
func Damage(t testing.TB, ws *store.Workspace, run func()) {
	t.Helper()
	files := func() []string {
		list, _ := filepath.Glob(filepath.Join(ws.Path(), "signals", "*", "*"))
		return list
	}
	before := files()
	run()
	after := files()
	for _, file := range after {
		if !slices.Contains(before, file) {
			testdata.OK(t, os.WriteFile(file, []byte("hello"), 0o644))
		}
	}
	if len(after) == len(before) {
		t.Fatal("no signals were recorded")
	}
}
