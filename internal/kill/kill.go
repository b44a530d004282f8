// Package kill starts a test binary as another process and kills it with SIGKILL at random moments,
// as a power cut or a user does: at a moment of its time, or just after one of its steps of
// changing files.
package kill

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

// The environment through which a test tells its child what to do. The children of a child get none
// of it.
const (
	taskVariable  = "VARISCOPE_KILL_TASK"
	stepVariable  = "VARISCOPE_KILL_STEP"  // "12 350us": kill yourself 350 microseconds after step 12
	countVariable = "VARISCOPE_KILL_COUNT" // file to write the number of steps to
)

// SeedVariable repeats the moments of an earlier test, as far as the computer's pace goes.
const SeedVariable = "VARISCOPE_KILL_SEED"

// Task is what a child does with its arguments; it returns the exit code.
type Task func(args []string) int

// Serve is for TestMain: in a child it carries out the task and ends the process.
func Serve(tasks map[string]Task) {
	task, ok := tasks[os.Getenv(taskVariable)]
	if !ok {
		return
	}
	at, count := os.Getenv(stepVariable), os.Getenv(countVariable)
	for _, name := range []string{taskVariable, stepVariable, countVariable} {
		_ = os.Unsetenv(name)
	}
	var steps atomic.Int64
	n, after := parseStep(at)
	durable.Watch(func(durable.Step) error {
		if steps.Add(1) == n {
			go func() {
				time.Sleep(after)
				if self, err := os.FindProcess(os.Getpid()); err == nil {
					_ = self.Kill()
				}
			}()
		}
		return nil
	})
	code := task(os.Args[1:])
	if count != "" {
		_ = os.WriteFile(count, []byte(strconv.FormatInt(steps.Load(), 10)), 0o644)
	}
	os.Exit(code)
}

func parseStep(text string) (n int64, after time.Duration) {
	step, wait, _ := strings.Cut(text, " ")
	n, _ = strconv.ParseInt(step, 10, 64)
	after, _ = time.ParseDuration(wait)
	return n, after
}

// Complain says on stderr what a task failed with; it is its exit code.
func Complain(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// Child is a process that carries out a task.
type Child struct {
	*exec.Cmd
	In    io.WriteCloser
	Lines *bufio.Scanner // of its output
	errs  *told
}

// told is what a child has written so far. It is safe for many goroutines.
type told struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (t *told) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *told) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// Start starts this test binary as a child with a task. The caller reads its lines and ends it with
// Wait.
func Start(tb testing.TB, task string, args ...string) *Child {
	tb.Helper()
	return start(tb, []string{taskVariable + "=" + task}, args)
}

func start(tb testing.TB, environment, args []string) *Child {
	tb.Helper()
	c := &Child{Cmd: exec.Command(os.Args[0], args...), errs: &told{}}
	c.Env, c.Stderr = append(os.Environ(), environment...), c.errs
	in := testdata.Must(c.StdinPipe())(tb)
	out := testdata.Must(c.StdoutPipe())(tb)
	testdata.OK(tb, c.Start())
	c.In, c.Lines = in, bufio.NewScanner(out)
	return c
}

// Killed kills the child and waits for it.
func (c *Child) Killed() {
	_ = c.Process.Kill()
	_ = c.Wait() // it was killed
}

// Errors is what the child has written to stderr so far.
func (c *Child) Errors() string { return c.errs.String() }

// Moment is when a child is killed: After its start, After its first line of output where First is
// true, or After the step of that number.
type Moment struct {
	After time.Duration
	First bool
	Step  int
}

func (m Moment) String() string {
	switch {
	case m.Step > 0:
		return fmt.Sprintf("%v after step %d", m.After, m.Step)
	case m.First:
		return fmt.Sprintf("%v after its first line", m.After)
	}
	return fmt.Sprintf("%v after its start", m.After)
}

// patience is how long a child may take that was to be killed after a line or a step.
const patience = 2 * time.Minute

// Outcome is what a child that was to be killed has left.
type Outcome struct {
	Lines []string // that it wrote whole
	Alive bool     // it was killed before it had ended
}

// At starts a child with a task and kills it at a moment. A child that fails before is an error of
// the test.
func At(tb testing.TB, m Moment, task string, args ...string) Outcome {
	tb.Helper()
	environment := []string{taskVariable + "=" + task}
	if m.Step > 0 {
		environment = append(environment, fmt.Sprintf("%s=%d %v", stepVariable, m.Step, m.After))
	}
	c := start(tb, environment, args)
	kill := sync.OnceFunc(func() { _ = c.Process.Kill() })
	wait := m.After
	if m.First || m.Step > 0 {
		wait = patience
	}
	timer := time.AfterFunc(wait, kill)
	defer timer.Stop()
	var o Outcome
	for c.Lines.Scan() {
		if len(o.Lines) == 0 && m.First {
			timer.Reset(m.After)
		}
		o.Lines = append(o.Lines, c.Lines.Text())
	}
	err := c.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
		o.Alive = true
	default:
		tb.Fatalf("task %s %v failed before it was killed: %v\n%s", task, args, err, c.Errors())
	}
	return o
}

// Calm is what a child that nobody disturbed took.
type Calm struct {
	Lines []string
	Took  time.Duration
	Steps int
}

// Undisturbed lets a child carry out its task.
func Undisturbed(tb testing.TB, task string, args ...string) Calm {
	tb.Helper()
	count := tb.TempDir() + "/count"
	begin := time.Now()
	c := start(tb, []string{taskVariable + "=" + task, countVariable + "=" + count}, args)
	var calm Calm
	for c.Lines.Scan() {
		calm.Lines = append(calm.Lines, c.Lines.Text())
	}
	if err := c.Wait(); err != nil {
		tb.Fatalf("task %s %v: %v\n%s", task, args, err, c.Errors())
	}
	calm.Took = time.Since(begin)
	text := testdata.Must(os.ReadFile(count))(tb)
	calm.Steps, _ = strconv.Atoi(string(text))
	return calm
}

// Random draws moments; its seed is in the test's log.
func Random(tb testing.TB) *rand.Rand {
	tb.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(SeedVariable); text != "" {
		given, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			tb.Fatalf("%s: %v", SeedVariable, err)
		}
		seed = given
	}
	tb.Logf("moments from %s=%d", SeedVariable, seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// lag is the longest time after a step at which a child is killed: the database commits within it.
const lag = 5 * time.Millisecond

// Draw is a moment of a task that took so long and so many steps: one half of all are spread over
// its time, the other half aim at its steps.
func (c Calm) Draw(random *rand.Rand) Moment {
	if c.Steps > 0 && random.IntN(2) == 0 {
		return Moment{Step: 1 + random.IntN(c.Steps), After: time.Duration(random.Int64N(int64(lag)))}
	}
	return Moment{After: time.Duration(random.Int64N(int64(c.Took)))}
}
