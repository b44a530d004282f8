package e2e

import (
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
var randomKeys = strings.Fields("Escape Escape Return Tab Tab Down Up Left Right space i b v n s u f g o p d c x e w m a r 1 2 ? Delete " +
	"Home End Prior Next bracketleft bracketright minus plus F11 ctrl+1 ctrl+2 ctrl+3 ctrl+4 ctrl+5 ctrl+6 ctrl+7 ctrl+8 ctrl+9 ctrl+0 ctrl+z ctrl+y ctrl+d ctrl+a")

// TestRandomUse clicks on whatever can be clicked and types whatever does something: nothing of it may end the program, touch
// a widget off the main goroutine, keep the window from answering, or leave a workspace that cannot be opened.
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
	slowest, after := time.Duration(0), ""
	var done []string
	for range steps {
		what := w.anything(random)
		done = append(done, what)
		begun := time.Now()
		w.alive(done)
		if took := time.Since(begun); took > slowest {
			slowest, after = took, what
		}
	}
	fmt.Printf("window tests: %d random clicks and keys, the slowest answer took %s, after %s\n", steps, slowest.Round(time.Millisecond), after)
	if slowest > 5*time.Second {
		t.Errorf("the window did not answer for %s after %s", slowest, after)
	}
	for range 6 {
		w.key("Escape")
	}
	w.quits()
	d.run("label", workspace, "rounds", "--json")
	d.run("export", workspace, "--out", t.TempDir()+"/set")
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
	w.until("the end of the program", time.Minute, func() bool {
		all, _ := w.ask() // there may be no window any more
		if n, ok := pick(top(all), "Stop and close"); ok {
			w.at(n.middle())
		}
		return len(w.ended) > 0
	})
	w.ends()
}
