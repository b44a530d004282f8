package onnx

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// shades are images of one shade each, without labels.
type shades []float32

func (s shades) Len() int        { return len(s) }
func (shades) Label(int) int     { return -1 }
func (shades) Name(i int) string { return fmt.Sprint(i) }
func (s shades) Image(i int) (suite.Image, error) {
	return suite.Image{Channels: 3, Height: 64, Width: 64, Pix: slices.Repeat([]float32{s[i]}, 3*64*64)}, nil
}

// Models whose number of scores depends on the images fail with a sentence on every path, also
// where the first batches of a unit are as the probe found them; the same weights without that
// are run to the end.
func TestModelsThatChangeTheirWidthFail(t *testing.T) {
	r := library(t)
	images := append(slices.Repeat(shades{0.5}, 80), slices.Repeat(shades{0.9}, 20)...)
	for name, wide := range map[string]int{"vary_width": 18, "21dd_shape": 3, "fixed_width": 0} {
		graph := testdata.Must(Inspect(hostileModel(name)))(t)
		for _, family := range []string{"brightness:-0.1:0.1:0.1", "plain", "mask:2"} {
			for _, probed := range []bool{false, true} {
				parsed := testdata.Must(transform.ParseAny(family))(t)
				task, err := engine.Plan(engine.PlanInput{
					Model: model.Model{Hash: "m", ID: "m", Graph: graph}, Path: hostileModel(name), Family: parsed,
					Runtime: r.Version(), Batch: 16,
					Suite:   suite.Manifest{Hash: "s", Name: "s", Images: len(images), Shape: [3]int{3, 64, 64}},
					Classes: 9,
				})
				if err != nil {
					t.Fatal(err)
				}
				if task.Probed = probed; probed {
					task.Feed.Shapes = [][]int64{{16, 9}} // of the positions the first batch tells
				}
				e := engine.New(engine.InProcess{Library: r}, &memoryRecorder{}, engine.Limits{Workers: 1, Batch: 16})
				testdata.OK(t, e.Submit(engine.Run{ID: "r", Source: images, Tasks: []engine.Task{task}}))
				status := testdata.Must(e.Wait(t.Context(), "r"))(t)
				testdata.OK(t, e.Close())
				got, want := status.Tasks[0].Err,
					fmt.Sprintf("%s.onnx changes its number of scores from batch to batch: shape [16 %d] at",
						name, wide)
				if wide == 0 && (got != nil || status.Phase != engine.Done) || wide != 0 &&
					(got == nil || !strings.Contains(got.Error(), want)) {
					t.Errorf("%s under %s: %s, %v", name, family, status.Phase, got)
				}
			}
		}
	}
}
