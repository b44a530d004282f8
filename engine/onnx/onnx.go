// Package onnx opens, inspects, edits in memory and runs ONNX classifiers (DESIGN.md section 4). It
// is the only package that touches ONNX Runtime.
//
// Inspect reads a model file with protowire alone and needs no library. Load finds the library and
// gives the Runtime, an engine.Library whose sessions run in this process: nothing but a worker
// does that. Workers gives the engine worker processes of this program, and ServeWorker is what
// they do.
//
// The order of life: a Runtime lives longer than its sessions, a session longer than its runners.
// Closing in another order is safe: memory is freed when its last user has closed.
//
// Memory: glibc keeps what sessions free. Load therefore sets its two malloc thresholds to one
// million bytes, which is what MALLOC_MMAP_THRESHOLD_ and MALLOC_TRIM_THRESHOLD_ do from outside.
package onnx

const (
	// LibraryVersion is the pinned version of the ONNX Runtime library, which `make library`
	// brings.
	LibraryVersion = "1.27.0"
	// LibraryVariable names the environment variable with the path of the library, or of the folder
	// that holds it.
	LibraryVariable = "VARISCOPE_ONNXRUNTIME"
	// minimumMinor is the oldest 1.x of the library that serves API 24, which the binding asks for.
	minimumMinor = 24
)

// Caps on what a model file may declare. Beyond them it is refused before anything is allocated.
const (
	maxFile     = 1<<31 - 1 // bytes, protobuf's own limit
	largeFile   = 256 << 20 // bytes; files beyond are inspected one at a time
	maxSide     = 4096      // pixels
	maxBatch    = 4096      // images
	maxElements = 1 << 27   // numbers in one input batch, 512 MiB
	maxClasses  = 1 << 20
)
