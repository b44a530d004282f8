package onnx

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
)

var _ engine.Library = (*Runtime)(nil)

// environment is ONNX Runtime's state. There is one per process; it lives while it has users:
// runtimes, sessions, and loads that are under way.
var environment struct {
	sync.Mutex
	users   int
	path    string
	version string
	device  device.Device // of all sessions: a GPU's memory is free again when its process ends
}

// Runtime is the loaded library. It implements engine.Library and is safe for many goroutines.
type Runtime struct {
	path, version string
	closing       sync.Once
	closeErr      error
}

// Load finds the library as FindLibrary does and initialises it, once per process: later calls
// share what is loaded, whatever their flag and device. Every Runtime is closed for itself. The
// error is a *LibraryError, or says that the device cannot be used.
func Load(flag string, on device.Device) (*Runtime, error) {
	environment.Lock()
	defer environment.Unlock()
	if environment.users == 0 {
		path, tried, err := FindLibrary(flag)
		if err != nil {
			return nil, err
		}
		if err := initialise(path); err != nil {
			return nil, &LibraryError{Path: path, Problem: err.Error(), Tried: tried}
		}
		if environment.device = on; on.IsGPU() {
			if err := tryDevice(on); err != nil {
				// The environment stays: WebGPU without an adapter crashes when it is destroyed.
				// This is a worker, which ends.
				return nil, fmt.Errorf("the device %s cannot be used with the ONNX Runtime library %s: %w",
					on, path, err)
			}
		}
	}
	environment.users++
	return &Runtime{path: environment.path, version: environment.version}, nil
}

// initialise starts the environment; its mutex is held. The vendor's telemetry is switched off
// before the library runs.
func initialise(path string) (err error) {
	defer recovered(&err)
	if err := os.Setenv("ORT_DISABLE_TELEMETRY", "1"); err != nil {
		return fmt.Errorf("switch the library's telemetry off: %w", err)
	}
	returnMemory()
	ort.SetSharedLibraryPath(path)
	// Only fatal errors are logged: all others come back as errors, and standard error belongs to
	// the program.
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return fmt.Errorf("it cannot be initialised (%w)", reason(err))
	}
	version := ort.GetVersion()
	if problem := versionProblem(version); problem != "" {
		_ = ort.DestroyEnvironment() // the version is the error to report
		return fmt.Errorf("%s", problem)
	}
	environment.path, environment.version = path, version
	return nil
}

// retain adds a user to a running environment.
func retain() error {
	environment.Lock()
	defer environment.Unlock()
	if environment.users == 0 {
		return fmt.Errorf("the ONNX Runtime library is closed")
	}
	environment.users++
	return nil
}

// release ends one use; the last one destroys the environment.
func release() error {
	environment.Lock()
	defer environment.Unlock()
	environment.users--
	if environment.users > 0 {
		return nil
	}
	return ort.DestroyEnvironment()
}

// Version is the library's version, "1.27.0".
func (r *Runtime) Version() string { return r.version }

// LibraryPath is the file that was loaded.
func (r *Runtime) LibraryPath() string { return r.path }

// Close ends this Runtime's use of the library. Sessions that are still open stay usable and end
// it for good.
func (r *Runtime) Close() error {
	r.closing.Do(func() {
		if err := release(); err != nil {
			r.closeErr = fmt.Errorf("close the ONNX Runtime library: %w", reason(err))
		}
	})
	return r.closeErr
}

// Open loads a model (engine.Library). Loading cannot be stopped: when ctx ends first, Open
// returns at once and the session is freed when the load returns. Errors name the model's file.
func (r *Runtime) Open(ctx context.Context, feed engine.Feed) (engine.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := retain(); err != nil {
		return nil, err
	}
	type result struct {
		session *session
		err     error
	}
	loaded := make(chan result, 1)
	go func() {
		s, err := load(feed)
		if err != nil {
			_ = release() // err is the one to report
			loaded <- result{nil, err}
			return
		}
		loaded <- result{s, nil}
	}()
	select {
	case got := <-loaded:
		if got.err != nil {
			return nil, got.err
		}
		return got.session, nil
	case <-ctx.Done():
		go func() {
			if got := <-loaded; got.session != nil {
				_ = got.session.Close() // nobody is left to hear of an error
			}
		}()
		return nil, ctx.Err()
	}
}

// recovered turns a panic of the binding into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the ONNX Runtime binding failed: %v", p)
	}
}

// sources are the parts of the library's messages that say where in its own code they come from:
// file and line with the function's whole signature, and the codes before a message.
var sources = []*regexp.Regexp{
	regexp.MustCompile(`/onnxruntime_src/\S+:\d+ [^()]*\([^()]*(?:\([^()]*\)[^()]*)*\)(?: const)?(?: \[with [^\]]*\])? ?`),
	regexp.MustCompile(`::<lambda\(\)>.* was false\. `),
	regexp.MustCompile(`\b\w+\.(?:cc|h):\d+ \w+(?:\(\))? `),
	regexp.MustCompile(`\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : `),
}

// operator is how the library says which operator has failed, from the outermost graph inwards.
var operator = regexp.MustCompile(`Non-zero status code returned while running (\w+) node\. Name:'([^']*)' Status Message: `)

// reason brings a message of the library to one line of bounded length, without the binding's own
// prefixes and the places in the library's code. One for want of memory says what to do.
func reason(err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	for _, source := range sources {
		text = source.ReplaceAllString(text, "")
	}
	for _, prefix := range []string{
		"Error creating C session: ", "Error running network: ", "Platform-specific initialization failed: ",
	} {
		text = strings.TrimPrefix(text, prefix)
	}
	text = strings.ReplaceAll(operator.ReplaceAllString(text, "operator $1 ($2): "), " (): ", ": ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + " ..."
	}
	if strings.Contains(text, "Failed to allocate memory") {
		text += "; choose a smaller batch, or allow more by --worker-memory (in the window: Settings, Computing)"
	}
	return fmt.Errorf("%s", text)
}
