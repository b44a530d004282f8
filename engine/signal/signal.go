// Package signal turns the tensors of one transformed image into numbers and holds those numbers:
// reducers, modalities, the unit of work and the assembled set of a model (DESIGN.md section 2,
// spec/variance.md sections 1 to 4).
//
// Index order everywhere: transformation first, image second, so Row(i) is the paper's s_i over
// all images.
package signal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/model"
)

// ChunkSize is the number of consecutive images in a unit of work; the last unit of a source is
// shorter.
const ChunkSize = 256

// FullSoftmaxClasses is the largest number of classes for which a unit keeps whole softmax vectors.
const FullSoftmaxClasses = 100

// Position is a resolved position: its name (CONF, CONV-1, ...) and the tensor that it stands for.
type Position struct {
	Name   string `json:"name"`
	Tensor string `json:"tensor"`
}

// Spec is everything that the signals of one model depend on. Equal specs give equal bytes on
// equal processors; on GPUs they agree to about 1e-5.
type Spec struct {
	Model  string `json:"model"`          // SHA-256 of the file
	Edit   string `json:"edit,omitempty"` // model edit, empty for none
	Source string `json:"source"`         // content hash of the source
	// Decoding is how the source's image files are decoded (suite.Manifest.Decoding), empty for
	// those decoded as ever.
	Decoding      string              `json:"decoding,omitempty"`
	Images        int                 `json:"images"`
	Family        string              `json:"family"` // canonical text
	Preprocessing model.Preprocessing `json:"preprocessing"`
	OutputKind    model.OutputKind    `json:"output_kind"`
	Output        string              `json:"output"`
	Channels      int                 `json:"channels"` // input size in use; the suite's where the model's is dynamic
	Height        int                 `json:"height"`
	Width         int                 `json:"width"`
	// Positions are CONF first, absent ones left out; none for a transformation set unless some
	// were asked for.
	Positions []Position `json:"positions"`
	Vectors   []string   `json:"vectors,omitempty"` // vector modalities asked for, canonical text
	// TrueClass maps a suite label to the model's class index; only set, and only part of the key,
	// when the model has more than FullSoftmaxClasses classes and the true class's score has to be
	// stored.
	TrueClass []int  `json:"true_class,omitempty"`
	Batch     int    `json:"batch"`
	Runtime   string `json:"runtime"`          // ONNX Runtime version
	Device    string `json:"device,omitempty"` // its kind (device.Device.Kind), empty for the processor
	Arch      string `json:"arch"`             // GOARCH, or Mixed
	Level     string `json:"level"`            // instruction-set level, or Mixed
}

// Mixed stands for architecture and level where a run allows processors of several kinds: results
// agree to 1e-4 then, and this mark in their name keeps them apart from those that are the same
// bits everywhere.
const Mixed = "mixed"

// IsMixed tells whether processors of several kinds may have computed the signals.
func (s Spec) IsMixed() bool { return s.Level == Mixed }

// Computer is what has computed the signals, for people: "amd64 avx2", "cuda, amd64 avx2".
func (s Spec) Computer() string {
	text := strings.TrimSpace(s.Arch + " " + s.Level)
	if s.Device != "" {
		text = s.Device + ", " + text
	}
	return text
}

// Key names the signals of a model under this spec: SHA-256 of the spec's JSON, hex.
func (s Spec) Key() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic("signal: spec with a number that JSON cannot hold: " + err.Error()) // settings are checked to be finite
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// UnitKey names one unit: the spec's key and the chunk's index.
func (s Spec) UnitKey(chunk int) string { return UnitKeyOf(s.Key(), chunk) }

// UnitKeyOf is UnitKey of the spec with that key: naming many units of a spec takes its key once.
func UnitKeyOf(key string, chunk int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", key, chunk))
	return hex.EncodeToString(sum[:])
}

// Chunks is the number of units of the spec.
func (s Spec) Chunks() int { return (s.Images + ChunkSize - 1) / ChunkSize }

// ChunkImages returns the first image of a chunk and the number of images in it.
func (s Spec) ChunkImages(chunk int) (first, images int) {
	first = chunk * ChunkSize
	return first, min(ChunkSize, s.Images-first)
}

// Unit is the result of one unit of work: T transformations x n images. It is immutable once
// recorded.
type Unit struct {
	Chunk           int
	Transformations int
	Images          int
	Classes         int
	// Softmax is T x n x Classes when Classes <= FullSoftmaxClasses, else nil.
	Softmax []float32
	// Prediction is T x n: index of the largest output in the model's numbering, the first of
	// equal values.
	Prediction []int32
	// Confidence and TrueScore are T x n: softmax of the prediction and of the true class.
	// TrueScore only where Softmax is nil.
	Confidence []float32
	TrueScore  []float32
	// Reduced holds, per position of the spec, Reducers x T x n numbers.
	Reduced [][]float32
	// Distances holds, per vector modality of the spec, pairs x n numbers; pair p = i(i-1)/2 + j
	// for i > j.
	Distances [][]float32
}
