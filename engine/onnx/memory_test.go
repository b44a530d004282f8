package onnx

import (
	"bytes"
	"errors"
	"os"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// resident is this process's memory in MB.
func resident(tb testing.TB) int {
	tb.Helper()
	text := testdata.Must(os.ReadFile("/proc/self/statm"))(tb)
	pages := testdata.Must(strconv.Atoi(string(bytes.Fields(text)[1])))(tb)
	return pages * os.Getpagesize() >> 20
}

// Two hundred models, one after the other, do not fill the memory: what sessions free goes back.
func TestMemoryOverManyLoads(t *testing.T) {
	r := library(t)
	files := zooModels(t, "mnist")
	if files == nil {
		files = sceneModels(t)
	}
	const loads = 200
	var early int
	for k := range loads {
		feed := feedOf(t, files[k%len(files)], 64)
		g := testdata.Must(Inspect(feed.Path))(t)
		feed.Tensors = g.Convs
		s := testdata.Must(r.Open(t.Context(), feed))(t)
		run := testdata.Must(s.Runner())(t)
		testdata.OK(t, errors.Join(run.Run(t.Context()), run.Close(), s.Close()))
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
