package onnx

import (
	"bytes"
	"errors"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
)

// resident is this process's memory in MB.
func resident(tb testing.TB) int {
	tb.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		tb.Fatal(err)
	}
	pages, err := strconv.Atoi(string(bytes.Fields(text)[1]))
	if err != nil {
		tb.Fatal(err)
	}
	return pages * os.Getpagesize() >> 20
}

// Three hundred models, one after the other, do not fill the memory: what sessions free goes back.
func TestMemoryOverManyLoads(t *testing.T) {
	r := library(t)
	files := zooModels(t, "mnist")
	if files == nil {
		files = sceneModels(t)
	}
	const loads = 300
	var early int
	for k := range loads {
		feed := feedOf(t, files[k%len(files)], 64)
		g, err := Inspect(feed.Path)
		if err != nil {
			t.Fatal(err)
		}
		feed.Tensors = g.Convs
		s, err := r.Open(t.Context(), feed)
		if err != nil {
			t.Fatal(err)
		}
		run, err := s.Runner()
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(run.Run(t.Context()), run.Close(), s.Close()); err != nil {
			t.Fatal(err)
		}
		if k == 30 {
			debug.FreeOSMemory()
			early = resident(t)
		}
	}
	debug.FreeOSMemory()
	late := resident(t)
	t.Logf("%d MB after 30 loads, %d MB after %d", early, late, loads)
	if late-early > 40 {
		t.Errorf("%d MB after 30 loads, %d MB after %d", early, late, loads)
	}
}
