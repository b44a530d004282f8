package device

import (
	"fmt"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestChoice: a choice has one text, whatever is typed.
func TestChoice(t *testing.T) {
	for typed, want := range map[string]Choice{
		"": "", " AUTO ": "auto", "cpu": "cpu", "CUDA": "cuda:0", "cuda:1, cuda:0": "cuda:1,cuda:0",
		"webgpu,cpu": "webgpu,cpu", "directml:15": "directml:15",
	} {
		testdata.Is(t, fmt.Sprintf("%q is read", typed), testdata.Must(ParseChoice(typed))(t), want)
	}
	for _, typed := range []string{
		"gpu", "cuda:", "cuda:16", "cuda:-1", "cuda:x", "webgpu:0", "cpu,", "auto,cpu",
		"cuda,cuda:0", "cpu:0",
	} {
		if c, err := ParseChoice(typed); err == nil || c != "" {
			t.Errorf("%q is read as %q", typed, c)
		}
	}
}

// TestKinds: signals are named by the kind of a device alone.
func TestKinds(t *testing.T) {
	for _, d := range []Device{"", CPU, WebGPU, CoreML, "cuda:3", "directml:0"} {
		if !IsKind(d.Kind()) || IsKind(string(d)+":") {
			t.Errorf("%s is of kind %q", d, d.Kind())
		}
	}
	for _, text := range []string{"cpu", "cuda:0", "CUDA", "x", " "} {
		if IsKind(text) {
			t.Errorf("%q is taken as a kind", text)
		}
	}
	if d, ok := Device("cuda:15").Next(); ok {
		t.Error(d)
	}
	if d, ok := Device("cuda:0").Next(); !ok || d != "cuda:1" || d.Index() != 1 || d.Kind() != "cuda" {
		t.Error(d, ok)
	}
}

// TestFound: what was found is said in one line, and what is missing with its reason.
func TestFound(t *testing.T) {
	found := []Found{{Device: CPU}, {Device: "cuda:0", Problem: "no driver"}, {Device: WebGPU}}
	testdata.Is(t, "Words", Words(found), "cpu, webgpu; not on cuda:0 (no driver)")
	for d, want := range map[Device]string{
		CPU: "", "": "", WebGPU: "", "cuda:0": "no driver",
		CoreML: "this computer has no device coreml; it has cpu, webgpu",
	} {
		text := ""
		if err := Missing(d, found); err != nil {
			text = err.Error()
		}
		testdata.Is(t, fmt.Sprint(d), text, want)
	}
}
