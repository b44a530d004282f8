// Package worker is the worker processes of this computer (DESIGN.md section 11): a Pool starts
// them, hands units out and takes results in; Serve is what each of them does. They talk through
// the worker's standard input and output; a worker ends with its input, so none outlives the
// program that started it.
//
// A worker opens no file and no connection: the bytes of models and images come from the pool, as
// it asks for them. What a worker sends is checked before it is used, since a model may have taken
// it over.
//
// A unit whose worker dies, hangs or grows too large is computed once more, alone in a new worker;
// if that fails, too, its model fails. A worker gets its next unit when half of the one at work is
// done, and computes on while the pool puts the finished one on the disk.
//
// The size of batches is a part of a unit's key, since it can change the last bit of a result. The
// number of workers is none, since it cannot. A worker computes on one device, given at its start.
//
// # Frames
//
// u8 kind, u64 number of the order or of the question that it belongs to, u32 length of the head,
// u32 length of the body, little-endian; then the head (JSON) and the body.
package worker

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/suite"
)

// kind is what a frame says.
type kind byte

// What the pool says: the first frame of all, an order, its end before it is done, a pause and its
// end, an answer. What the worker says: that it is ready, a question, how far it is, a row, a
// result, a failure. What the pool says, too: a part of an answer that goes on.
const (
	hello kind = iota + 1
	order
	cancel
	hold
	release
	answer
	ready
	ask
	step
	row
	done
	failed
	part
)

// The longest heads and bodies: what a pool says and the head of a result, all other heads, rows.
const (
	maxHead   = 64 << 20
	maxBody   = 1 << 30
	smallHead = 1 << 20
	maxRow    = 64 << 20
)

// bounds are how long the head and the body of the frame that begins may be; ok is false for a kind
// that is not expected.
type bounds func(k kind, number uint64) (head, body int, ok bool)

// told are the bounds of what a pool says.
func told(k kind, _ uint64) (head, body int, ok bool) {
	return maxHead, maxBody, k >= hello && k <= answer || k == part
}

// frame is one message.
type frame struct {
	kind   kind
	number uint64
	head   []byte
	body   []byte
}

// into reads the head.
func (f frame) into(v any) error {
	if err := json.Unmarshal(f.head, v); err != nil {
		return strange("a message that cannot be read")
	}
	return nil
}

// strangeError is what a worker has said that none says unless a model has taken it over.
type strangeError struct{ what string }

func (e *strangeError) Error() string { return "a worker process has sent " + e.what }

func strange(format string, args ...any) error { return &strangeError{fmt.Sprintf(format, args...)} }

// stream writes frames; it is safe for many goroutines.
type stream struct {
	mu  sync.Mutex
	out io.Writer
}

// send writes a frame; head may be nil.
func (s *stream) send(k kind, number uint64, head any, body []byte) error {
	var text []byte
	if head != nil {
		var err error
		if text, err = json.Marshal(head); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	start := make([]byte, 0, frameStart+len(text))
	start = append(start, byte(k))
	start = binary.LittleEndian.AppendUint64(start, number)
	start = binary.LittleEndian.AppendUint32(start, uint32(len(text)))
	start = binary.LittleEndian.AppendUint32(start, uint32(len(body)))
	if _, err := s.out.Write(append(start, text...)); err != nil {
		return err
	}
	_, err := s.out.Write(body)
	return err
}

// frameStart is what stands before head and body.
const frameStart = 1 + 8 + 4 + 4

// receive reads a frame. No more memory is taken than bytes have come, within a factor of two.
func receive(in *bufio.Reader, most bounds) (f frame, err error) {
	var start [frameStart]byte
	if _, err := io.ReadFull(in, start[:]); err != nil {
		return f, err
	}
	f.kind, f.number = kind(start[0]), binary.LittleEndian.Uint64(start[1:])
	head, body := int(binary.LittleEndian.Uint32(start[9:])), int(binary.LittleEndian.Uint32(start[13:]))
	if mostHead, mostBody, ok := most(f.kind, f.number); !ok || head > mostHead || body > mostBody {
		return f, strange("a message of kind %d with %d and %d bytes", f.kind, head, body)
	}
	if f.head, err = take(in, head); err == nil {
		f.body, err = take(in, body)
	}
	return f, err
}

// firstRoom is the memory that is taken for bytes that have not come.
const firstRoom = 16 << 20

func take(in io.Reader, n int) ([]byte, error) {
	room := make([]byte, min(n, firstRoom))
	for at := 0; ; {
		if _, err := io.ReadFull(in, room[at:]); err != nil {
			return nil, err
		}
		if len(room) == n {
			return room, nil
		}
		at = len(room)
		room = append(room, make([]byte, min(n-at, at))...)
	}
}

// greeting is the head of hello.
type greeting struct {
	Library string // as FindLibrary takes it
	Device  device.Device
	Memory  int64 // bytes beyond what the process has at its start; 0 for no limit
	Decode  suite.Limits
}

// Ready is what a worker says of itself.
type Ready struct {
	Version, Path string // of the library
	Problem       string // why it has none, a sentence
	Rights        string // what it may do, for people
}

// command is the head of an order, of one of five kinds.
type command struct {
	Signals json.RawMessage `json:",omitempty"` // the text of a wire.Order
	Shapes  [][]int64       `json:",omitempty"` // with Signals: of a trial that the model has passed
	Path    string          `json:",omitempty"` // with Signals: the model's, for messages
	Rows    *engine.Rows    `json:",omitempty"`
	Trial   *engine.Feed    `json:",omitempty"`
	Rate    *engine.Feed    `json:",omitempty"`
	Seconds float64         `json:",omitempty"` // with Rate
	Judge   *judge          `json:",omitempty"`
	Length  int             `json:",omitempty"` // images of the source
	Masked  bool            `json:",omitempty"` // the source has masks
	Scenes  *scenes         `json:",omitempty"`
	Careful bool            `json:",omitempty"` // say before each batch which one it is
}

// judge asks an exported assessor about rows of equal length (engine/assess/exchange.Runner).
type judge struct {
	Name  string
	Model []byte
	X     [][]float64
}

// scenes are what composites are made of, but for images.
type scenes struct {
	Selection string
	N         int
	How       background.Compositing
	First     int     // image of the first line of Chosen
	Chosen    [][]int // per image the backgrounds of its N scenes
}

// request is the head of ask: the model's file, images, the mask of an image, a background.
type request struct {
	Order         uint64
	Model         bool  `json:",omitempty"`
	Whole         bool  `json:",omitempty"` // with Model: with the data beside it
	Images        []int `json:",omitempty"` // at least the first of them
	Mask          *int  `json:",omitempty"`
	Height, Width int   `json:",omitempty"` // of the mask
	Background    *int  `json:",omitempty"`
}

// reply is the head of answer.
type reply struct {
	Problem string  `json:",omitempty"`
	Size    int64   `json:",omitempty"` // of a model's file, with its first part
	Images  []image `json:",omitempty"` // the body has them one behind the other
	None    bool    `json:",omitempty"` // there is no mask
}

// image says what of a body is an image: a file, levels, or float32 numbers.
type image struct {
	Name                    string `json:",omitempty"`
	Label                   int
	Problem                 string `json:",omitempty"` // why it cannot be read
	What                    string `json:",omitempty"` // of a file: what errors of decoding it begin with
	Size                    int
	Levels                  bool `json:",omitempty"`
	Channels, Height, Width int  `json:",omitempty"`
}

// progress is the head of step: how many images have been computed since the last one, and where a
// careful worker is.
type progress struct {
	Images int    `json:",omitempty"`
	Where  string `json:",omitempty"`
}

// outcome is the head of done.
type outcome struct {
	Timings engine.Timings
	Probe   *engine.Probe `json:",omitempty"`
	Rate    float64       `json:",omitempty"`
	// Labels and Scores are those of a judge, per row.
	Labels []int64     `json:",omitempty"`
	Scores [][]float32 `json:",omitempty"`
}

// failure is the head of failed.
type failure struct {
	Text  string
	Batch bool `json:",omitempty"` // engine.BatchError
	Class bool `json:",omitempty"` // engine.ErrClassMismatch
}
