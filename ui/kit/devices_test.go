package kit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/device"
)

// A menu of devices has what was found, what is chosen and what is usual, each once.
func TestDeviceOptions(t *testing.T) {
	found := []device.Found{{Device: device.CPU}, {Device: "cuda:0"}, {Device: "cuda:1"}, {Device: device.WebGPU}}
	cpu, auto := Option{Key: "cpu", Name: "processor"},
		Option{Key: "auto", Name: "a GPU where it agrees with the processor"}
	gpus := []Option{
		{Key: "cuda:0", Name: "GPU 0 through CUDA"},
		{Key: "cuda:1", Name: "GPU 1 through CUDA"},
		{Key: "webgpu", Name: "GPU through WebGPU"},
		{Key: "cuda:0,cuda:1", Name: "all 2 GPUs of cuda, models in turns"},
	}
	for _, c := range []struct {
		found         []device.Found
		chosen, usual string
		want          []Option
	}{
		{nil, "", "", []Option{{Name: "processor (usual)"}}},
		{found, "", "", append(append([]Option{{Name: "processor (usual)"}}, gpus...), auto)},
		{found, "cpu", "auto", append(append([]Option{cpu}, gpus...), Option{Name: auto.Name + " (usual)"})},
		{nil, "cuda:3", "cpu", []Option{
			{Name: "processor (usual)"}, {Key: "cuda:3", Name: "cuda:3, which was not found"},
		}},
		{nil, "", "coreml", []Option{cpu, {Name: "coreml, which was not found (usual)"}}},
	} {
		if diff := cmp.Diff(c.want, DeviceOptions(c.found, c.chosen, c.usual)); diff != "" {
			t.Errorf("%q, usually %q: %s", c.chosen, c.usual, diff)
		}
	}
}
