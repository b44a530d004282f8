package command

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/testdata"
)

func TestMain(m *testing.M) {
	onnx.ServeWorker()
	kill.Serve(map[string]kill.Task{"program": func(args []string) int { return Run(args, os.Stdout, os.Stderr, nil) }})
	testscript.Main(m, map[string]func(){
		"variscope": func() { os.Exit(Run(os.Args[1:], os.Stdout, os.Stderr, nil)) },
	})
}

// scriptFolder holds the scripts.
const scriptFolder = "testdata/script"

// concurrent is the script that goes through all that works in several goroutines at once. A short
// test, as under the race detector, runs only this one: starting a program a few hundred times is
// slow there.
const concurrent = "concurrent.txtar"

// few makes a folder with two of the demo's images per class, named as that of all images.
func few(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "targets")
	from := filepath.Join(testdata.Root(), "assets", "scenes", "targets")
	list, err := filepath.Glob(filepath.Join(from, "*", "*_0[01].png"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no images in %s: %v", from, err)
	}
	for _, path := range list {
		images.Put(t, filepath.Join(folder, strings.TrimPrefix(path, from)), testdata.Must(os.ReadFile(path))(t))
	}
	return folder
}

// libraryFor is where ONNX Runtime lies; empty, with a line that says what is not tested, where it
// is absent and may be.
func libraryFor(t *testing.T, what string) string {
	t.Helper()
	library, _, err := onnx.FindLibrary("")
	if err != nil && !testdata.LibraryRequired() {
		fmt.Println(what + ": not tested, ONNX Runtime is absent; make library brings it")
		return ""
	}
	testdata.OK(t, err)
	return library
}

// TestCommandLine runs the scripts in testdata/script: the command line as a person or a CI job
// uses it. $SCENES is the folder of the demo's models and images, $FEW that of few of the images,
// $LIBRARY ONNX Runtime.
func TestCommandLine(t *testing.T) {
	library := libraryFor(t, "command line")
	if library == "" {
		return
	}
	fewImages, onWebGPU := few(t), os.Getenv("VARISCOPE_WEBGPU") != "" // make webgpu
	scripts := testscript.Params{
		Dir: scriptFolder,
		Setup: func(env *testscript.Env) error {
			env.Setenv("VARISCOPE_ONNXRUNTIME", library)
			env.Setenv("LIBRARY", library)
			env.Setenv("FEW", fewImages)
			env.Setenv("SCENES", filepath.Join(testdata.Root(), "assets", "scenes"))
			env.Setenv("HOME", env.WorkDir)
			if onWebGPU {
				env.Setenv("VK_DRIVER_FILES", os.Getenv("VK_DRIVER_FILES"))
			}
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"plain": plainCommand, "mask": maskCommand},
		Condition: func(cond string) (bool, error) {
			if cond != "webgpu" {
				return false, fmt.Errorf("condition %q is unknown", cond)
			}
			return onWebGPU, nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	}
	if onWebGPU {
		scripts.Dir, scripts.Files = "", []string{filepath.Join(scriptFolder, "devices.txtar")}
	}
	if testing.Short() {
		scripts.Dir, scripts.Files = "", []string{filepath.Join(scriptFolder, concurrent)}
	}
	testscript.Run(t, scripts)
}

// command runs a command line and returns its exit code and all that it printed, outputs what it
// printed where.
func command(line ...string) (code int, text string) {
	var out bytes.Buffer
	code = Run(line, &out, &out, nil)
	return code, out.String()
}

func outputs(line ...string) (code int, stdout, stderr string) {
	var out, problems bytes.Buffer
	code = Run(line, &out, &problems, nil)
	return code, out.String(), problems.String()
}

// maskCommand writes a mask of SIZE x SIZE pixels whose left half is foreground: mask SIZE FILE.
func maskCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mask SIZE FILE")
	}
	side, err := strconv.Atoi(args[0])
	ts.Check(err)
	img := image.NewGray(image.Rect(0, 0, side, side))
	for k := range img.Pix {
		if k%side < side/2 {
			img.SetGray(k%side, k/side, color.Gray{Y: 255})
		}
	}
	var out bytes.Buffer
	ts.Check(png.Encode(&out, img))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o644))
}

// plainCommand is `plain FILE` of the scripts: a model for 64 x 64 images without any convolution,
// the mean of each channel.
func plainCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: plain FILE")
	}
	value := func(name string, dims ...uint64) message {
		shape := message{}.bytes(1, message{}.text(2, "N"))
		for _, d := range dims {
			shape = shape.bytes(1, message{}.number(1, d))
		}
		const float = 1
		return message{}.text(1, name).bytes(2, message{}.bytes(1, message{}.number(1, float).bytes(2, shape)))
	}
	node := func(op, in, out string) message { return message{}.text(1, in).text(2, out).text(4, op) }
	graph := message{}.bytes(1, node("GlobalAveragePool", "x", "mean")).bytes(1, node("Flatten", "mean", "y")).
		text(2, "plain").bytes(11, value("x", 3, 64, 64)).bytes(12, value("y", 3))
	file := message{}.number(1, 7).bytes(7, graph).bytes(8, message{}.number(2, 13))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), file, 0o644))
}

// message is a protobuf message that is written field by field.
type message []byte

func (m message) bytes(field protowire.Number, b []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), b)
}

func (m message) text(field protowire.Number, s string) message { return m.bytes(field, []byte(s)) }

func (m message) number(field protowire.Number, n uint64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), n)
}
