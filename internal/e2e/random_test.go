package e2e

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	randomSteps = 120
	randomSeed  = "VARISCOPE_RANDOM_SEED"  // another sequence of clicks and keys than the usual one
	randomCount = "VARISCOPE_RANDOM_STEPS" // a longer one
)

// randomKeys are what somebody types who does not know what they do; quitting is left out.
var randomKeys = strings.Fields("Escape Escape Return Tab Tab Down Up Left Right space i b v n s u f g o p d c x e w " +
	"m a r 1 2 ? Delete Home End Prior Next bracketleft bracketright minus plus F11 ctrl+1 ctrl+2 ctrl+3 ctrl+4 " +
	"ctrl+5 ctrl+6 ctrl+7 ctrl+8 ctrl+9 ctrl+0 ctrl+j ctrl+z ctrl+y ctrl+d ctrl+a")

// TestRandomUse clicks on whatever can be clicked and types whatever does something: nothing of it
// may end the program, touch a widget off the main goroutine, keep the window from answering, or
// leave a workspace that cannot be opened.
func TestRandomUse(t *testing.T) {
	if !wanted(t) {
		return
	}
	d := newDesk(t, "1280x800")
	workspace := d.manyModels(5)
	d.labels(workspace, "A", []string{"invariant", "variant", "variant", "invariant"})
	d.labels(workspace, "B", []string{"variant", "variant", "invariant", "invariant"})
	steps, random := number(t, randomCount, randomSteps), rand.New(rand.NewPCG(uint64(number(t, randomSeed, 1)), 0))
	w := d.start(workspace)
	slowest, longest := slow{}, slow{}
	var done []string
	for range steps {
		begun, busy := time.Now(), w.busy()
		what := w.anything(random)
		done = append(done, what)
		w.alive(done)
		slowest = slowest.or(slow{time.Since(begun), what})
		longest = longest.or(slow{w.busy() - busy, what})
	}
	fmt.Printf("window tests: %d random clicks and keys, the slowest answer took %s, after %s; the longest computed "+
		"for %s, after %s\n", steps, slowest.took.Round(time.Millisecond), slowest.after, longest.took, longest.after)
	if longest.took > 5*time.Second {
		t.Errorf("the window computed for %s before it answered after %s", longest.took, longest.after)
	}
	for range 6 {
		w.key("Escape")
	}
	w.quits()
	d.run("label", workspace, "rounds", "--json")
	d.run("export", workspace, "--out", t.TempDir()+"/set")
}

// slow is how long an answer took, and after what.
type slow struct {
	took  time.Duration
	after string
}

// or is the slower one of two.
func (s slow) or(other slow) slow {
	if other.took > s.took {
		return other
	}
	return s
}

// busy is the processor time that the main thread of the program has used, which is Fyne's main
// goroutine. Unlike the time that passes it does not depend on what else the machine does.
func (w *window) busy() time.Duration {
	w.t.Helper()
	pid := w.command.Process.Pid
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/stat", pid, pid))
	if err != nil {
		return 0 // it has ended; alive says so
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	const user, system, tick = 11, 12, 10 * time.Millisecond // counted from the state, which follows the name
	return time.Duration(atoi(fields[user])+atoi(fields[system])) * tick
}

func number(t *testing.T, variable string, usual int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(variable), strconv.Itoa(usual)))
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// anything clicks on something of the topmost layer or types a key, and says what it did.
func (w *window) anything(random *rand.Rand) string {
	w.t.Helper()
	var places []node
	for _, n := range top(w.screen()) {
		if n.Tappable && !n.Disabled && n.Text != "Quit" {
			places = append(places, n)
		}
	}
	if len(places) == 0 || random.IntN(4) == 0 {
		key := randomKeys[random.IntN(len(randomKeys))]
		w.tool("key", key)
		time.Sleep(100 * time.Millisecond)
		return "key " + key
	}
	n, button := places[random.IntN(len(places))], "1"
	if random.IntN(10) == 0 {
		button = "3"
	}
	x, y := n.middle()
	w.tool("mousemove", "--window", w.id, fmt.Sprint(x), fmt.Sprint(y), "click", button)
	time.Sleep(150 * time.Millisecond)
	return fmt.Sprintf("button %s on %s %q at %d,%d", button, n.Type, n.Text, x, y)
}

// alive fails with what was done when the program has ended.
func (w *window) alive(done []string) {
	w.t.Helper()
	select {
	case err := <-w.ended:
		w.t.Fatalf("the program ended: %v, after\n%s\n%s", err, strings.Join(done, "\n"), w.log.String())
	default:
		w.screen()
	}
}

// quits leaves, and agrees where it is asked.
func (w *window) quits() {
	w.t.Helper()
	w.key("ctrl+q")
	w.until("the end of the program", patience, func() bool {
		all, _ := w.ask() // there may be no window any more
		if n, ok := pick(top(all), "Stop and close"); ok {
			w.at(n.middle())
		}
		return len(w.ended) > 0
	})
	w.ends()
}
