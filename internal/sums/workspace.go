package sums

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// Side is the height and width of all images.
const Side = 6

// Gray writes a picture, whose value at pixel p is value(p), and makes the folders above it.
func Gray(t testing.TB, path string, value func(p int) uint8) {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, Side, Side))
	for p := range img.Pix {
		img.SetGray(p%Side, p/Side, color.Gray{Y: value(p)})
	}
	var out bytes.Buffer
	testdata.OK(t, png.Encode(&out, img))
	images.Put(t, path, out.Bytes())
}

// Pets writes n images of the classes cat, dog and eel in turn into a folder that goes with the
// test, and returns it.
func Pets(t testing.TB, n int) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "pets")
	for i := range n {
		Pet(t, root, i)
	}
	return root
}

// Pet writes image i of a folder of pets.
func Pet(t testing.TB, root string, i int) {
	t.Helper()
	name := fmt.Sprintf("%04d.png", i)
	Gray(t, filepath.Join(root, []string{"cat", "dog", "eel"}[i%3], name),
		func(p int) uint8 { return uint8(i*29 + p*p*7) })
}

// Workspace makes a workspace with the suite of a folder, which is closed when the test ends.
func Workspace(t testing.TB, root string) (*store.Workspace, suite.Manifest) {
	t.Helper()
	ws := Empty(t)
	return ws, Suite(t, ws, root)
}

// Suite adds the suite of a folder.
func Suite(t testing.TB, ws *store.Workspace, root string) suite.Manifest {
	t.Helper()
	m := testdata.Must(suite.Scan(t.Context(), root, suite.Options{}, engine.NoProgress{}))(t)
	return testdata.Must(ws.AddSuite(m))(t)
}

// Model is one with the tensors c1 and c2 of two convolutions and the class output y.
func Model(id string) model.Model {
	return model.Model{ID: id, File: id + ".onnx", Graph: model.Graph{
		Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: Side, Width: Side},
		Outputs: []model.Output{{Name: "y", Classes: 3}}, Convs: []string{"c1", "c2"},
		Tensors: []string{"c1", "c2", "y"},
	}}
}
