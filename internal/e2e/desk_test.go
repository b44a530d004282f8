// Package e2e drives the real window under Xvfb with real keys and a real mouse, and looks at what
// is on disk afterwards.
package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

// desk is a virtual screen with a home folder of its own.
type desk struct {
	t       *testing.T
	display string
	home    string
	program string
	shots   string
	windows int // started so far
}

// wanted tells whether the window tests shall run: they need Xvfb, xdotool and a built program, so
// `make e2e` asks for them by name.
func wanted(t *testing.T) bool {
	t.Helper()
	if os.Getenv("VARISCOPE_E2E") == "" {
		fmt.Println("window tests: not asked for (make e2e)")
		return false
	}
	return true
}

func newDesk(t *testing.T, size string) *desk {
	t.Helper()
	d := &desk{
		t: t, home: t.TempDir(), program: filepath.Join(testdata.Root(), "build", "variscope-probe"),
		shots: filepath.Join(testdata.Root(), "build", "shots"),
	}
	for _, folder := range []string{d.shots, filepath.Join(d.home, "cache")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	d.prefers(map[string]string{"tour": "seen"})
	d.screen(size)
	return d
}

// prefers writes what the window remembers, before it starts.
func (d *desk) prefers(values map[string]string) {
	d.t.Helper()
	folder := filepath.Join(d.home, "config", "variscope")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		d.t.Fatal(err)
	}
	text, err := json.Marshal(values)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "preferences.json"), text, 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// screen starts Xvfb on a display that it chooses itself.
func (d *desk) screen(size string) {
	d.t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		d.t.Fatal(err)
	}
	xvfb := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", size+"x24", "-nolisten", "tcp")
	xvfb.ExtraFiles = []*os.File{write}
	if err := xvfb.Start(); err != nil {
		d.t.Fatalf("start Xvfb: %v", err)
	}
	write.Close()
	d.t.Cleanup(func() {
		_ = xvfb.Process.Signal(syscall.SIGTERM)
		_ = xvfb.Wait()
	})
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		d.t.Fatalf("Xvfb named no display: %v", err)
	}
	d.display = ":" + strings.TrimSpace(line)
}

func (d *desk) environment() []string {
	cache, err := os.UserCacheDir()
	if err != nil {
		d.t.Fatal(err)
	}
	library := os.Getenv("VARISCOPE_ONNXRUNTIME")
	if library == "" {
		library = filepath.Join(cache, "variscope", "onnxruntime", "1.27.0", "libonnxruntime.so.1")
	}
	return append(os.Environ(),
		"DISPLAY="+d.display, "WAYLAND_DISPLAY=", "XDG_RUNTIME_DIR="+d.home, "HOME="+d.home,
		"XDG_CONFIG_HOME="+d.home+"/config", "XDG_DATA_HOME="+d.home+"/data", "XDG_CACHE_HOME="+d.home+"/cache",
		"VARISCOPE_ONNXRUNTIME="+library, "LANG=en_US.UTF-8", "LIBGL_ALWAYS_SOFTWARE=1")
}

// window is one run of the program with its window.
type window struct {
	*desk
	command *exec.Cmd
	id      string
	socket  string // on which the window says what it shows
	log     *logBuffer
	ended   chan error
}

// start runs the program and waits for its first frame.
func (d *desk) start(args ...string) *window {
	d.t.Helper()
	w := &window{desk: d, log: &logBuffer{}, ended: make(chan error, 1)}
	d.windows++
	w.socket = filepath.Join(d.home, fmt.Sprintf("probe-%d", d.windows))
	w.command = exec.Command(d.program, append([]string{"--verbose"}, args...)...)
	w.command.Env, w.command.Stderr, w.command.Stdout = append(d.environment(), "VARISCOPE_SCREEN="+w.socket), w.log,
		w.log
	if err := w.command.Start(); err != nil {
		d.t.Fatal(err)
	}
	go func() { w.ended <- w.command.Wait() }()
	d.t.Cleanup(func() {
		if d.t.Failed() {
			w.look(filepath.Join(w.shots, d.t.Name()+"-failed.png"))
		}
		_ = w.command.Process.Kill()
	})
	w.until("first frame", patience, func() bool { return strings.Contains(w.log.String(), "first frame") })
	w.id = strings.Fields(w.tool("search", "--sync", "--onlyvisible", "--name", "^Variscope"))[0]
	w.until("something in the window", patience, func() bool { return len(w.screen()) > 0 })
	return w
}

// close leaves as a user does and waits for the program to end. Where something is still at work,
// it waits for that.
func (w *window) close() {
	w.t.Helper()
	w.until("the end of the program", toil, func() bool {
		w.key("ctrl+q")
		all, err := w.ask()
		for end := time.Now().Add(moment); err == nil && time.Now().Before(end); all, err = w.ask() {
			if _, asked := pick(all, "Stay"); asked {
				w.closes("Stay")
				time.Sleep(time.Second)
				return false
			}
			time.Sleep(50 * time.Millisecond)
		}
		return err != nil
	})
	w.ends()
}

// ends waits for the program to end by itself.
func (w *window) ends() {
	w.t.Helper()
	select {
	case err := <-w.ended:
		if err != nil {
			w.t.Errorf("the program ended with %v\n%s", err, w.log.String())
		}
	case <-time.After(patience):
		w.t.Fatalf("the program did not end within %s after its window was closed\n%s", patience, w.log.String())
	}
	text := w.log.String()
	if strings.Contains(text, "Error in Fyne call thread") {
		w.t.Errorf("a widget was touched off the main goroutine:\n%s", text)
	}
	if strings.Contains(text, "probe: left behind: ") {
		w.t.Errorf("goroutines are left after the window was closed:\n%s", text)
	}
}

func (w *window) tool(args ...string) string {
	w.t.Helper()
	out, err := w.tries(args...)
	if err != nil {
		w.t.Fatalf("xdotool %s: %v\n%s\n%s", strings.Join(args, " "), err, out, w.log.String())
	}
	return out
}

// tries is tool for what may fail.
func (w *window) tries(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, "xdotool", args...)
	command.Env = append(os.Environ(), "DISPLAY="+w.display)
	out, err := command.CombinedOutput()
	return string(out), err
}

// key presses keys; text types a text into the line that has the keyboard.
func (w *window) key(keys ...string) {
	w.t.Helper()
	for _, k := range keys {
		w.tool("key", "--clearmodifiers", k)
		time.Sleep(40 * time.Millisecond)
	}
}

func (w *window) text(text string) {
	w.t.Helper()
	w.until("a line of text with the keyboard", patience, w.typing)
	w.tool("type", "--delay", "8", text)
	time.Sleep(60 * time.Millisecond)
}

// shot keeps a picture of the whole screen and checks that it shows more than a few colours.
func (w *window) shot(name string) {
	w.t.Helper()
	path := filepath.Join(w.shots, name+".png")
	if picture := w.look(path); colours(picture, picture.Bounds()) < 10 {
		w.t.Errorf("%s shows hardly any colour: the window is blank", path)
	}
}

// look takes a picture of the screen into a file and returns it.
func (w *window) look(path string) image.Image {
	w.t.Helper()
	command := exec.Command("import", "-window", "root", path)
	command.Env = append(os.Environ(), "DISPLAY="+w.display)
	if out, err := command.CombinedOutput(); err != nil {
		w.t.Fatalf("screenshot: %v\n%s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		w.t.Fatal(err)
	}
	return picture
}

func colours(picture image.Image, area image.Rectangle) int {
	seen := map[color.Color]bool{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			seen[picture.At(x, y)] = true
		}
	}
	return len(seen)
}

// until waits for something, and asks often at first: most of what a window does takes a few
// hundredths of a second.
func (d *desk) until(what string, limit time.Duration, holds func() bool) {
	d.t.Helper()
	pause := 10 * time.Millisecond
	for deadline := time.Now().Add(limit); !holds(); pause = min(2*pause, 100*time.Millisecond) {
		if time.Now().After(deadline) {
			d.t.Fatalf("waited %s in vain for: %s", limit, what)
		}
		time.Sleep(pause)
	}
}

// run runs a command of the program headless and returns what it printed on stdout.
func (d *desk) run(args ...string) string {
	d.t.Helper()
	command := exec.Command(d.program, args...)
	command.Env = d.environment()
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		d.t.Fatalf("variscope %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// logBuffer collects what the program says.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

var _ io.Writer = (*logBuffer)(nil)

// parse reads what a command printed with --json.
func (d *desk) parse(text string, into any) {
	d.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		d.t.Fatalf("%v in %s", err, text)
	}
}

// sheet reads the rows of a sheet, by its name, of a document that a command printed.
func (d *desk) sheet(text, name string, rows any) {
	d.t.Helper()
	var doc struct {
		Sheets []struct {
			Name string          `json:"name"`
			Rows json.RawMessage `json:"rows"`
		} `json:"sheets"`
	}
	d.parse(text, &doc)
	for _, s := range doc.Sheets {
		if s.Name == name {
			d.parse(string(s.Rows), rows)
			return
		}
	}
	d.t.Fatalf("no sheet %s among %d", name, len(doc.Sheets))
}

// ran is the sheet "run" of `run --json`, as far as tests read it; counts are inferences.
type ran []struct {
	Computed int64 `json:"computed"`
	Reused   int64 `json:"reused"`
}

// work is the total over the models.
func (r ran) work() (computed, reused int64) {
	for _, m := range r {
		computed, reused = computed+m.Computed, reused+m.Reused
	}
	return computed, reused
}
