package onnx

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/variscope/variscope/engine"
)

// probeVariable marks a process as a probe child.
const probeVariable = "VARISCOPE_PROBE"

// probeImages is the number of random images that a probe looks at (DESIGN.md section 4).
const probeImages = 64

// answerMark begins the line of a child's standard output that holds its answer: a library may print there too.
const answerMark = "variscope-probe-answer "

// probeLimits bound a probe child.
type probeLimits struct {
	Memory int64         `json:"memory"` // bytes beyond what the process has at its start
	Time   time.Duration `json:"time"`
	// grace is how long after Time the parent kills a child whose own clock did not ring.
	grace time.Duration
}

var defaultLimits = probeLimits{Memory: 4 << 30, Time: 60 * time.Second, grace: 5 * time.Second}

// probeRequest is what the parent writes to the child, one line of JSON; the child dies when its input ends.
type probeRequest struct {
	Library string      `json:"library"`
	Feed    engine.Feed `json:"feed"`
	Limits  probeLimits `json:"limits"`
}

// probeAnswer is what the child writes back. Error is a sentence that names the model.
type probeAnswer struct {
	Probe engine.Probe `json:"probe"`
	Error string       `json:"error,omitempty"`
	// Batch says that it is a batch that failed, of a model that was loaded.
	Batch bool `json:"batch,omitempty"`
}

// serving tells that ServeProbe was called, so that a child of this executable will answer and not start the program.
var serving atomic.Bool

// Probe runs the model in a child process on 64 random images, in batches of the feed's size (engine.Runtime). The
// child has 4 GiB of memory beyond its own and 60 s; a model that crashes, hangs or takes more gives one clear error
// that names its file. When ctx ends, the child is killed. The program must call ServeProbe first in main.
func (r *Runtime) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	if err := ctx.Err(); err != nil {
		return engine.Probe{}, err
	}
	if !serving.Load() {
		return engine.Probe{}, errors.New("this program cannot probe models: main does not call onnx.ServeProbe")
	}
	absolute, err := filepath.Abs(feed.Path)
	if err != nil {
		return engine.Probe{}, fmt.Errorf("probe %s: %w", feed.Path, err)
	}
	feed.Path = absolute
	request, err := json.Marshal(probeRequest{Library: r.path, Feed: feed, Limits: r.limits})
	if err != nil {
		return engine.Probe{}, fmt.Errorf("probe %s: %w", feed.Path, err)
	}
	limited, cancel := context.WithTimeout(ctx, r.limits.Time+r.limits.grace)
	defer cancel()
	output, complaint, err := runChild(limited, append(request, '\n'))
	if ctx.Err() != nil {
		return engine.Probe{}, ctx.Err()
	}
	name := filepath.Base(feed.Path)
	if answer, ok := readAnswer(output); ok {
		if answer.Error != "" {
			return engine.Probe{}, r.explain(name, answer)
		}
		return answer.Probe, nil
	}
	return engine.Probe{}, r.death(name, complaint, err, limited.Err() != nil)
}

// runChild starts this executable as a probe child, gives it the request and returns what it wrote. Its input stays
// open as long as this process lives, so that no child outlives its parent.
func runChild(ctx context.Context, request []byte) (output, complaint string, err error) {
	executable, err := os.Executable()
	if err != nil {
		return "", "", fmt.Errorf("find this program's file: %w", err)
	}
	child := exec.CommandContext(ctx, executable)
	child.Env = append(os.Environ(), probeVariable+"=1")
	child.WaitDelay = 2 * time.Second
	hideChild(child)
	stdout, stderr := &tail{limit: 1 << 20}, &tail{limit: 1 << 14}
	child.Stdout, child.Stderr = stdout, stderr
	input, err := child.StdinPipe()
	if err != nil {
		return "", "", err
	}
	if err := child.Start(); err != nil {
		return "", "", err
	}
	if _, err := input.Write(request); err != nil {
		_ = child.Process.Kill() // Wait gives the reason why it did not read
	}
	err = child.Wait()
	return stdout.String(), stderr.String(), err
}

// readAnswer finds the child's answer among its output.
func readAnswer(output string) (answer probeAnswer, ok bool) {
	for line := range strings.SplitSeq(output, "\n") {
		if text, found := strings.CutPrefix(line, answerMark); found {
			ok = json.Unmarshal([]byte(text), &answer) == nil
		}
	}
	return answer, ok
}

// explain words an error that the child has reported.
func (r *Runtime) explain(name string, answer probeAnswer) error {
	switch {
	case outOfMemory(answer.Error):
		return r.tooLarge(name)
	case answer.Batch:
		return &engine.BatchError{Text: answer.Error}
	}
	return errors.New(answer.Error)
}

// death words the end of a child that gave no answer.
func (r *Runtime) death(name, complaint string, err error, late bool) error {
	var exit *exec.ExitError
	switch {
	case late || errors.As(err, &exit) && exit.ExitCode() == exitLate:
		return fmt.Errorf("%s did not finish a trial run within %s; it cannot be used", name, r.limits.Time)
	case outOfMemory(complaint):
		return r.tooLarge(name)
	case err == nil:
		return fmt.Errorf("%s: its trial run gave no answer; does the program call onnx.ServeProbe first?", name)
	case exit == nil:
		return fmt.Errorf("%s: its trial run could not be started: %w", name, err)
	}
	return fmt.Errorf("%s crashes the ONNX Runtime library (%w); it cannot be used", name, err)
}

func (r *Runtime) tooLarge(name string) error {
	return fmt.Errorf("%s needs more than %d MB of memory in a trial run; choose a smaller batch or another model",
		name, r.limits.Memory>>20)
}

// outOfMemory recognises what the library, the C++ runtime and the Go runtime say when memory ends.
func outOfMemory(text string) bool {
	for _, sign := range []string{"allocate memory", "bad_alloc", "out of memory", "Cannot allocate", "bad allocation"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// tail keeps the last bytes written to it.
type tail struct {
	bytes.Buffer
	limit int
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	t.Buffer.Write(p)
	if over := t.Len() - t.limit; over > 0 {
		t.Next(over)
	}
	return n, nil
}
