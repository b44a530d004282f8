package command

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

// countdown is a context that is cancelled when it was asked so many times whether it is; 0 for
// never.
type countdown struct {
	context.Context
	mu    sync.Mutex
	asked int
	at    int
	done  chan struct{}
}

func (c *countdown) ask() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked++; c.asked == c.at {
		close(c.done)
	}
}

// Done implements context.Context.
func (c *countdown) Done() <-chan struct{} {
	c.ask()
	return c.done
}

// Err implements context.Context.
func (c *countdown) Err() error {
	c.ask()
	select {
	case <-c.done:
		return context.Canceled
	default:
		return nil
	}
}

// makes are the commands that make a workspace where there is none.
var makes = []string{"import ", "label desk", "label new", "demo "}

// reads are commands that change nothing in their workspace, which may be read-only.
var reads = regexp.MustCompile(`^(agreement|assess (eval|explain|predict)|dscore|ei|export|features|label w.variscope (list|rounds|send)|matrix|model|rank|report) `)

// disturb calls a command where its workspace is missing, where the workspace cannot be written,
// with a disk that becomes full in the middle, and with a signal in the middle. It ends with one
// sentence that says so, and leaves none but whole files, those of the undisturbed command, and no
// temporary ones.
func (b *recordedBench) disturb(t *testing.T, c recordedCase) {
	line := strings.TrimSpace(c.line + " " + c.files)
	missing := strings.Replace(line, "w.variscope", "nowhere.variscope", 1)
	if missing != line && !slices.ContainsFunc(makes, func(made string) bool { return strings.HasPrefix(line, made) }) {
		b.renew(t, missing)
		code, stdout, stderr := runLine(missing)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 ||
			!strings.Contains(stderr, "nowhere") {
			t.Errorf("without its workspace %s exits %d: %s%s", missing, code, stdout, stderr)
		}
		if left := b.whole(t); len(left) > 0 {
			t.Errorf("without its workspace %s leaves %v", missing, left)
		}
	}
	disk := faults.Watch(t, b.folder)
	call := func(ctx *countdown) (code int, stderr string, left map[string]string) {
		b.renew(t, line)
		ctx.Context, ctx.done = t.Context(), make(chan struct{})
		var out, problems bytes.Buffer
		code = run(ctx, split(line), &out, &problems, nil)
		return code, shares.ReplaceAllString(problems.String(), ""), b.whole(t)
	}
	var undisturbed countdown
	disk.FailAt(0, nil)
	want, _, whole := call(&undisturbed)
	steps := disk.Steps()
	check := func(what string, code int, stderr string, left map[string]string, other int, says string) {
		t.Helper()
		if list, err := os.ReadDir(b.temporary); err != nil || len(list) > 0 {
			t.Errorf("%s: %s leaves temporary files: %v, %v", what, line, list, err)
		}
		if code != want && (code != other || !strings.Contains(stderr, says)) {
			t.Errorf("%s: %s exits %d: %s", what, line, code, stderr)
		}
		for name, text := range left {
			if full, ok := whole[name]; !ok || full != text {
				t.Errorf("%s: %s leaves another %s", what, line, name)
			}
		}
	}
	code, stderr, left := call(&countdown{at: undisturbed.asked/2 + 1})
	check("with a signal", code, stderr, left, exitInterrupted,
		"variscope: interrupted; what a run had finished is kept\n")

	output := func(s durable.Step) bool { return s.Op == durable.Write && !strings.Contains(s.Path, ".variscope") }
	writes := 0
	for _, s := range steps {
		if output(s) {
			writes++
		}
	}
	if writes > 0 {
		var begun atomic.Int64
		stop := durable.Watch(func(s durable.Step) error {
			if output(s) && begun.Add(1) > int64(writes/2) {
				return syscall.ENOSPC
			}
			return nil
		})
		code, stderr, left = call(new(countdown))
		stop()
		check("with a full disk", code, stderr, left, exitBadInput, "the disk is full; free some space")
		if code == want {
			t.Errorf("with a full disk %s exits %d", line, code)
		}
	}
	for _, op := range []durable.Op{durable.Create, durable.Open, durable.MakeFolder} {
		disk.Refuse(op, syscall.EROFS)
	}
	code, stderr, left = call(new(countdown))
	check("on a read-only disk", code, stderr, left, exitBadInput, "read-only")
	if !reads.MatchString(line) {
		return
	}
	defer durable.Watch(func(s durable.Step) error {
		if strings.Contains(s.Path, ".variscope") &&
			slices.Contains([]durable.Op{durable.Create, durable.Open, durable.MakeFolder}, s.Op) {
			return syscall.EROFS
		}
		return nil
	})()
	code, stderr, left = call(new(countdown))
	check("in a read-only workspace", code, stderr, left, want, "")
}

// whole are the files that a command wrote, with what is to be the same in every run; without the
// list of its files so far, which a study that was cut off leaves for the next one.
func (b *recordedBench) whole(t *testing.T) map[string]string {
	files := map[string]string{}
	b.each(t, func(name, line, text string) { files[name] = b.steady(line + "\n" + text) })
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, "study.json.former") })
	return files
}

// refuse goes through testdata/refused.txt. What is wrong with the command line exits 2 and is one
// line, what is wrong with the data exits 1; nothing is printed beside that. $SCENES is the demo's
// folder, $BROKEN with an ending a file that is none of its kind, $DIR an empty folder.
func (b *recordedBench) refuse(t *testing.T, list, scenes string) {
	where := map[string]string{"DIR": t.TempDir(), "SCENES": scenes, "BROKEN": filepath.Join(t.TempDir(), "broken")}
	for _, ending := range []string{".vround", ".onnx", ".csv", ".npz"} {
		testdata.OK(t, os.WriteFile(where["BROKEN"]+ending, []byte("PK\x03\x04 no such thing"), 0o600))
	}
	b.renew(t, "w.variscope")
	for line := range strings.Lines(list) {
		call, says, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		number, call, _ := strings.Cut(os.Expand(call, func(name string) string { return where[name] }), " ")
		want, err := strconv.Atoi(number)
		if err != nil || !ok {
			t.Fatalf("%q is not CODE COMMAND LINE | WHAT IS SAID", line)
		}
		code, out, told := runLine(call)
		if code != want || !strings.Contains(told, says) || out != "" || strings.Count(told, "\n") != 1 && want == 2 {
			t.Errorf("%s: exit code %d: %s%s", line, code, out, told)
		}
	}
	if left := b.whole(t); exists("new.variscope") || len(left) > 0 {
		t.Errorf("what is refused leaves a workspace or %v", left)
	}
}
