package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/store"
)

// asked is how many images a ranker wants labels of, killedAt how many have one when the program
// is killed.
const asked, killedAt = 12, 5

// TestImagesLabelled labels the images that a ranker asks for with keys. The program is killed as
// soon as a picture follows on a label: every label is on disk by then, and the others are given
// after the window was opened again.
func TestImagesLabelled(t *testing.T) {
	if !wanted(t) {
		return
	}
	begun := time.Now()
	d := newDesk(t, "1280x800")
	workspace := d.someScenes()
	d.run("run", workspace, "--suite", "targets", "--family", "plain")
	w := d.start(workspace)
	w.goes("ctrl+8", "5 models on 360 images")
	w.asksLess()
	w.choose("of the suite", "given by hand")
	w.shows(fmt.Sprintf("Without true classes, some rankers wait for labels: random for %d images", asked))
	w.shot("ranking-waits")
	w.tap("Label images…")
	var given []string
	for k := range killedAt {
		given = append(given, w.labelsImage(k))
	}
	if err := w.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-w.ended
	d.checkImageLabels(workspace, given)

	w = d.start(workspace)
	w.goes("ctrl+8", "Label images…")
	w.shows(fmt.Sprintf("Without true classes, some rankers wait for labels: random for %d images", asked-killedAt))
	w.tap("Label images…")
	for k := range asked - killedAt {
		given = append(given, w.labelsImage(k))
	}
	w.shows("Every image has a label.")
	w.leaves()
	shown := w.settled("model", func(rows map[string][]string) bool {
		return !w.seen("Without true classes") && !w.seen("Cancel") && len(rows) == 1+len(fiveScenes)
	})
	w.shot("ranking-by-hand")
	w.close()
	d.checkImageLabels(workspace, given)
	d.sameRows("ranking by labels of images", shown,
		d.rankedBy(workspace, "--truth", "hand", "--methods", "laf,random", "--budget", strconv.Itoa(asked)))
	fmt.Printf("window tests: labelled images in %s\n", time.Since(begun).Round(time.Second))
}

// asksLess leaves LaF and random among the rankers, and random a few labels.
func (w *window) asksLess() {
	w.t.Helper()
	w.shows("5 models on 360 images")
	w.opens("Rankers…", "CRC")
	for _, name := range []string{"CRC", "SDS", "CES"} {
		w.tick(name)
	}
	w.tool("mousemove", "--window", w.id, "640", "400", "click", "--repeat", "30", "--delay", "20", "5") // the wheel
	for _, name := range []string{"effective invariance", "D-Score", "robust accuracy", "mean variance"} {
		w.tick(name)
	}
	w.types("30, or the number of models", strconv.Itoa(asked))
	w.closes("Rank")
	w.settled("model", func(rows map[string][]string) bool { return len(rows["s01"]) == 3 })
}

// labelsImage presses the key of the class that the picture shows and waits for the next picture.
// k images were labelled since the dialog was opened. It returns the class.
func (w *window) labelsImage(k int) string {
	w.t.Helper()
	var class, key string
	w.until("the picture to label and its class", patience, func() bool {
		all := top(w.screen())
		_, ok := pick(all, fmt.Sprintf("%d of ", k+1))
		class, key = classKey(all)
		return ok && key != "" && len(w.widgets("*kit.Frame")) > 0
	})
	before := w.stored("image-labels")
	w.again("a label on disk", func() { w.key(key) }, func() bool { return w.stored("image-labels") > before })
	w.until("the next picture", patience, func() bool {
		_, next := pick(w.screen(), fmt.Sprintf("%d of ", k+2))
		_, ended := pick(w.screen(), "Every image has a label.")
		return next || ended
	})
	return class
}

var imageName = regexp.MustCompile(`(?:^|/)([a-z]+)_\d+\.png$`)

// classKey is the class that is in the name of the picture, and the key that stands before that
// class.
func classKey(all []node) (class, key string) {
	for _, n := range all {
		if found := imageName.FindStringSubmatch(n.Text); found != nil {
			class = found[1]
		}
	}
	for _, n := range all {
		if k, name, ok := strings.Cut(n.Text, "   "); ok && name == class {
			key = k
		}
	}
	return class, key
}

// checkImageLabels expects these classes on disk, in any order, for images that have them in truth.
func (d *desk) checkImageLabels(workspace string, want []string) {
	d.t.Helper()
	want = slices.Sorted(slices.Values(want))
	d.change(workspace, func(ws *store.Workspace) error {
		suites, err := ws.Suites()
		if err != nil {
			return err
		}
		m, err := ws.Suite(suites[0].Hash)
		if err != nil {
			return err
		}
		labels, err := ws.ImageLabels(m.Hash)
		var got []string
		for image, l := range labels {
			got = append(got, m.Classes[l.Class])
			if l.Class != m.Labels[image] {
				d.t.Errorf("image %d is %s on disk, in truth %s", image, m.Classes[l.Class], m.Classes[m.Labels[image]])
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			d.t.Errorf("the labels %v are on disk, want %v", got, want)
		}
		return err
	})
}
