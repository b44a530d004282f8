package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
)

// Runtime is who computes: worker processes of this computer (engine/worker's Pool), or a library
// in this process, as inside of those and in tests (InProcess). It is safe for many goroutines.
type Runtime interface {
	// Version is the library's version, "1.27.0"; part of every unit's key.
	Version() string
	// Work computes what next hands out, n units at a time, until it hands out nothing more. When
	// it returns, every order's sink has been told how it ended. Units are the same bits for any n.
	Work(ctx context.Context, n int, next Next)
	// Probe is a trial run of the model (DESIGN.md section 4): what came out. A model that
	// crashes, hangs or eats memory gives an error here and nothing else.
	Probe(ctx context.Context, feed Feed) (Probe, error)
	// Rows computes what an order asks for about images of a source, which may have to be a
	// Composer or Masked, and hands each row on, in order. It computes on one processor: callers
	// cut their work and call it side by side.
	Rows(ctx context.Context, order Rows, source Source, each func(k int, row []float64) error) error
	// Rate measures images per second of a feed on random pixels, in about so many seconds, on one
	// processor.
	Rate(ctx context.Context, feed Feed, seconds float64) (float64, error)
}

// Library is an inference library in this process. engine/onnx implements it; nothing but a worker
// has one (DESIGN.md section 11).
type Library interface {
	Version() string
	// Open loads a model for inference. The call honours ctx: when ctx ends, it returns at once
	// and the session is freed when the load returns.
	Open(ctx context.Context, feed Feed) (Session, error)
	// Probe is Runtime's, in this process.
	Probe(ctx context.Context, feed Feed) (Probe, error)
}

// Feed says how a model is opened: which file, which tensors are wanted, how large the batches are.
type Feed struct {
	Path string // the model file; never changed, edits happen on a copy in memory
	// Read gives the file's bytes in a process that cannot open Path, whole with the data that lie
	// in files beside it; nil opens Path.
	Read func(whole bool) ([]byte, error) `json:"-"`
	// SHA256 is that of the file, 64 lower-case hexadecimal digits: the bytes that are loaded must
	// have it. Empty takes them as they are.
	SHA256 string `json:",omitempty"`
	// Input is the graph's image input with every size set (no zeros).
	Input   model.Input
	Output  string   // the class output, result 0
	Tensors []string // further results 1..; inner tensors are exposed
	// Mask makes runners that can delete regions of feature maps; nil for none.
	Mask *transform.Masks
	// Maps says that Output has the form (N, K, H, W), as that of a segmentation network, in place
	// of (N, C).
	Maps bool `json:",omitempty"`
	// Device computes it; empty for the processor.
	Device device.Device `json:",omitempty"`
	// Shapes are those that a probe found of results 0, 1, ...: a batch that gives others is an
	// error. Nil holds all batches of a session against its first one.
	Shapes [][]int64 `json:",omitempty"`
}

// DeviceFinder is a Runtime that has other devices than the processor.
type DeviceFinder interface {
	// Devices looks for devices, the processor first, which takes seconds where there are GPUs.
	Devices(ctx context.Context) []device.Found
}

// NetworkReader is a Runtime that also reads files of networks that are no classifiers of images,
// such as those that say what a scene contains (spec/background.md section 1).
type NetworkReader interface {
	// Network reads what a file says of itself, without running it: outputs of form (N, C), which
	// may be missing here, and those of form (N, K, H, W) in Maps. Refusals are those of a
	// classifier; a file with neither kind of output is one.
	Network(path string) (model.Graph, error)
}

// ProbeName names a probe of this feed's tensors, batch, masks and kind of device: what
// model.Model.Probes remembers.
func (f Feed) ProbeName() string {
	name := fmt.Sprintf("%s|%s|%dx%dx%dx%d", f.Output, strings.Join(f.Tensors, ","),
		f.Input.Batch, f.Input.Channels, f.Input.Height, f.Input.Width)
	if f.Maps {
		name += "|maps"
	}
	if f.Device.IsGPU() {
		name += "|on " + f.Device.Kind()
	}
	if f.Mask != nil {
		name += fmt.Sprintf("|mask:%d layers %v after batch-norm %t", f.Mask.N, f.Mask.Layers, f.Mask.AfterBatchNorm)
		if f.Mask.Auto {
			name += " " + transform.AutoLayers
		}
	}
	return name
}

// Probe is what a probe of a model found.
type Probe struct {
	Classes int
	// Shapes are the shapes of the results, class output first, batch axis included.
	Shapes [][]int64
	// Sums says that on random images all outputs lie in [0, 1] and their rows sum to 1 within
	// 1e-3.
	Sums bool
	// Unsteady says what makes an image's results differ from run to run, or with the other images
	// of its batch, and what to do, as the rest of a sentence about the model. Empty for results
	// that agree within 1e-5, of half precision 1e-3, of the largest number.
	Unsteady string `json:",omitempty"`
	// Quantises says that it is the range over which numbers are quantised that depends on the
	// batch: batches of one image are steady.
	Quantises bool `json:",omitempty"`
	// Milliseconds of one batch.
	Milliseconds float64
}

// BatchError is the error of a batch that a loaded model did not compute, a sentence that names
// it: a batch of another size may be fine.
type BatchError struct{ Text string }

func (e *BatchError) Error() string { return e.Text }

// Session is a loaded model. It is safe for many goroutines; each takes a Runner of its own.
type Session interface {
	// Runner allocates the input and output buffers of one goroutine.
	Runner() (Runner, error)
	// Close frees the session after its last Runner was closed.
	Close() error
}

// Runner runs one batch at a time in buffers of its own.
type Runner interface {
	// Input is the batch to fill before Run, in the layout of the graph's input (N x C x H x W, or
	// N x H x W x C). It must be called before every change of the batch: with masks, what no mask
	// changes is computed once after each call.
	Input() []float32
	// Mask deletes region 1..n*n of the feed's masks in the Runs that follow; 0 deletes nothing,
	// as at the start. It panics without masks.
	Mask(region int)
	// Run computes the results. Each is float32 and has the shape that the feed says
	// (Feed.Shapes), or Run fails with a sentence that names the model; whether the numbers are
	// finite is for their reader to see. It stops within 2 s of the end of ctx.
	Run(ctx context.Context) error
	// Result is result k of the last Run: shape with the batch axis first, and the values. They
	// are overwritten by the next Run.
	Result(k int) (shape []int64, values []float32)
	Close() error
}
