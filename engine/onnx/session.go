package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
)

// session is a loaded model; it counts its runners and is freed when it is closed and has none.
type session struct {
	name  string // of the file, for messages
	feed  engine.Feed
	names []string // the tensors to fetch, each once
	index []int    // result k is tensor index[k]

	// What can make results differ from run to run (analysis.unsteady), and whether there are
	// numbers of half precision.
	cause                    string
	certain, quantises, half bool

	expecting sync.Mutex
	shapes    [][]int64 // of the tensors: the feed's, else those of the first batch; nil while not known

	mu      sync.Mutex
	ort     *ort.DynamicAdvancedSession
	masked  *maskedModel // nil without masks
	runners int
	closed  bool
}

// load reads, checks, edits and loads the model of a feed. The caller holds one use of the
// environment, which passes to the session.
func load(feed engine.Feed) (s *session, err error) {
	name := filepath.Base(feed.Path)
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("%s cannot be loaded: the ONNX Runtime binding failed: %v", name, p)
		}
	}()
	if feed.Device.Kind() != environment.device.Kind() {
		return nil, fmt.Errorf("%s is to be computed on %s by a process for %s", name, feed.Device.Name(),
			environment.device.Name())
	}
	data, err := readFeed(feed)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); feed.SHA256 != "" && feed.SHA256 != hex.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("%s has other content than it should: "+
			"its SHA-256 is %.6x, not %.12s; bring the right file back", name, sum, feed.SHA256)
	}
	look := inspect
	if feed.Maps {
		look = inspectNetwork
	}
	graph, a, err := look(name, data)
	if err != nil {
		return nil, err
	}
	if err := checkFeed(feed, graph, a); err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	if feed.Mask != nil {
		if err := checkMasks(graph, *feed.Mask); err != nil {
			return nil, fmt.Errorf("%s %w", name, err)
		}
	}
	s = &session{name: name, feed: feed}
	for _, tensor := range slices.Concat([]string{feed.Output}, feed.Tensors) {
		k := slices.Index(s.names, tensor)
		if k < 0 {
			k = len(s.names)
			s.names = append(s.names, tensor)
		}
		s.index = append(s.index, k)
	}
	s.shapes = make([][]int64, len(s.names))
	for k := range min(len(s.index), len(feed.Shapes)) {
		s.shapes[s.index[k]] = feed.Shapes[k]
	}
	a, fetched, err := a.readAsFloats(name, s.names)
	if err != nil {
		return nil, err
	}
	s.cause, s.certain, s.quantises = a.unsteady(int64(graph.Opset))
	for _, kind := range a.kinds {
		s.half = s.half || kind == typeFloat16 || kind == typeBfloat16
	}
	if s.ort, err = create(expose(a.file, a.missingOutputs(fetched)), []string{feed.Input.Name}, fetched); err != nil {
		return nil, fmt.Errorf("%s cannot be loaded: %w", name, reason(err))
	}
	if feed.Mask == nil {
		return s, nil
	}
	if s.masked, err = loadMasked(a.file, a, feed, fetched); err != nil {
		_ = s.ort.Destroy() // err is the one to report
		return nil, fmt.Errorf("%s %w", name, err)
	}
	return s, nil
}

// readFeed reads a feed's file, with the data that lie beside it.
func readFeed(feed engine.Feed) ([]byte, error) {
	if feed.Read == nil {
		data, _, err := readFile(feed.Path)
		return data, err
	}
	data, err := feed.Read(false)
	if outside := (*externalError)(nil); err == nil && errors.As((&reader{}).inFile(format(), data, 0), &outside) {
		data, err = feed.Read(true)
	}
	return data, err
}

// create builds the library's session on the environment's device: one thread, since whole batches
// run side by side. more changes the options.
func create(
	data []byte, inputs, outputs []string, more ...func(*ort.SessionOptions) error,
) (*ort.DynamicAdvancedSession, error) {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer func() { _ = options.Destroy() }() // fails only when it was not made
	for _, set := range []func() error{
		func() error { return options.SetIntraOpNumThreads(1) },
		func() error { return options.SetInterOpNumThreads(1) },
		func() error { return options.SetLogSeverityLevel(ort.LoggingLevelFatal) },
		// as the scan read it
		func() error { return options.AddSessionConfigEntry("session.load_model_format", "ONNX") },
		func() error { return use(environment.device, options) },
	} {
		if err := set(); err != nil {
			return nil, err
		}
	}
	for _, set := range more {
		if err := set(options); err != nil {
			return nil, err
		}
	}
	return ort.NewDynamicAdvancedSessionWithONNXData(data, inputs, outputs, options)
}

// checkFeed holds a feed against the file: its tensors exist, its sizes are those that the graph
// fixes.
func checkFeed(feed engine.Feed, graph model.Graph, a *analysis) error {
	in, want := feed.Input, graph.Input
	if in.Name != want.Name {
		return fmt.Errorf("has no image input %q; its input is %q", in.Name, want.Name)
	}
	if in.Layout != want.Layout {
		return fmt.Errorf("takes images in the order %s, not %s", want.Layout, in.Layout)
	}
	if in.Batch < 1 || in.Channels < 1 || in.Height < 1 || in.Width < 1 {
		return errors.New("cannot be opened with an open size; set batch, channels, height and width of its input")
	}
	if err := checkSizes(in); err != nil {
		return err
	}
	for _, size := range []struct {
		what     string
		have, is int
	}{
		{"batches of %d images", in.Batch, want.Batch},
		{"images of %d channels", in.Channels, want.Channels},
		{"images of height %d", in.Height, want.Height},
		{"images of width %d", in.Width, want.Width},
	} {
		if size.is != 0 && size.have != size.is {
			return fmt.Errorf("takes "+size.what+" only, not %d", size.is, size.have)
		}
	}
	for _, tensor := range slices.Concat([]string{feed.Output}, feed.Tensors) {
		if a.producer[tensor] == nil {
			return fmt.Errorf("has no tensor %q; choose another one for that position", tensor)
		}
		if !a.readable(tensor) {
			return fmt.Errorf("holds %s in tensor %q, not floating-point numbers; choose another one for that position",
				typeName(a.kinds[tensor]), tensor)
		}
	}
	return nil
}

// Runner allocates the buffers of one goroutine.
func (s *session) Runner() (engine.Runner, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fmt.Errorf("%s is closed", s.name)
	}
	r, err := newRunner(s)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be run: %w", s.name, reason(err))
	}
	s.runners++
	return r, nil
}

// Close frees the session, now or when its last runner has closed.
func (s *session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	return s.freeIfUnused()
}

func (s *session) runnerClosed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runners--
	return s.freeIfUnused()
}

// freeIfUnused destroys the library's session after its last user; s.mu is held.
func (s *session) freeIfUnused() error {
	if !s.closed || s.runners > 0 || s.ort == nil {
		return nil
	}
	err := s.ort.Destroy()
	s.ort = nil
	if s.masked != nil {
		err = errors.Join(err, s.masked.destroy())
		s.masked = nil
	}
	return errors.Join(err, release())
}
