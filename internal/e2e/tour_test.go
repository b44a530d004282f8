package e2e

import (
	"os"
	"path/filepath"
	"time"
)

// tour draws the pictures of the user guide, one part of the window after the other. The parts build on what is on disk,
// not on each other, so each of them can be drawn alone: VARISCOPE_PICTURES=inspect,label.
var tour = []struct {
	part string
	draw func(*window)
}{
	{"models", (*window).drawModels},
	{"import", (*window).drawImport},
	{"corruptions", (*window).drawCorruptions},
	{"runs", (*window).drawRuns},
	{"inspect", (*window).drawInspect},
	{"panes", (*window).drawPanes},
	{"compare", (*window).drawCompare},
	{"rounds", (*window).drawRounds},
	{"label", (*window).drawLabel},
	{"desks", (*window).drawDesks},
	{"agreement", (*window).drawAgreement},
	{"features", (*window).drawFeatures},
	{"assessors", (*window).drawAssessors},
	{"invariance", (*window).drawInvariance},
	{"ranking", (*window).drawRanking},
	{"image-labels", (*window).drawImageLabels},
	{"predictions", (*window).drawPredictions},
	{"files", (*window).drawFiles},
	{"workspace", (*window).drawWorkspace},
	{"settings", (*window).drawSettings},
}

// drawDark draws the pictures of the main screens in a dark window.
func (w *window) drawDark() {
	w.key("ctrl+1")
	w.shows("s01")
	w.picture("models-dark")
	w.key("ctrl+3")
	w.tap("annotator 3")
	w.shows("Invariant (I)")
	w.picture("label-dark")
	w.key("q")
}

func (w *window) drawModels() {
	w.key("ctrl+1")
	w.shows("s01")
	w.picture("models")
	w.tap("Filter")
	w.shows("raters disagree")
	w.tap("state")
	w.tap("architecture")
	value := w.shows("resnet8  (4)") // the text is wider than what takes the click
	w.at(int(value.X)+8, int(value.Y+value.H/2))
	w.picture("models-filter")
	w.at(640, 790)
	w.tap("architecture is resnet8")
	w.tap("s08")
	w.tap("More")
	w.tap("Edit record")
	w.shows("Record of s08")
	w.dialog("record")
	w.tap("Cancel")
	w.tap("Gallery")
	w.picture("models-gallery")
	w.tap("Table")
}

// drawImport shows the dialog with a folder of models, a suite and a table of records typed in.
func (w *window) drawImport() {
	table := filepath.Join(w.home, "records.csv")
	if err := os.WriteFile(table, []byte("id,reviewed\ns01,yes\ns05,no\nx99,yes\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.key("ctrl+i")
	w.shows("Or drop files")
	w.text(table)
	w.shows("✓ records.csv")
	w.dialog("import")
	w.tap("Cancel")
}

// drawCorruptions shows what fog does to the images of the demo.
func (w *window) drawCorruptions() {
	w.key("ctrl+1")
	w.shows("s01")
	w.fromMenu(0, 2)
	w.shows("original")
	fog := w.shows("fog") // only the text takes the click, not the whole cell
	w.at(int(fog.X)+12, int(fog.Y+fog.H/2))
	w.shows("5 suites of 360 images")
	w.until("the preview", patience, func() bool { _, busy := pick(w.screen(), "drawing …"); return !busy })
	w.dialog("corruptions")
	w.tap("Cancel")
}

func (w *window) drawRuns() {
	w.key("ctrl+0")
	w.tap("rotation -15..15° on scenes")
	w.shows("s27")
	w.picture("runs")
	w.key("ctrl+r")
	w.shows("Class table")
	w.tap("Usual ones")
	w.tap("shear")
	w.shows("about")
	w.dialog("run-dialog")
	w.tap("Cancel")
}

// open shows a model on the Inspect screen.
func (w *window) open(id string) {
	w.key("ctrl+1")
	w.shows("s01")
	w.tap(id)
	w.key("Return")
	w.shows("Matrices…")
}

func (w *window) drawInspect() {
	w.open("s11")
	w.tap("Overview")
	w.picture("inspect")
	w.tap("Certainty")
	w.element(0, 0.35, 0.3)
	w.picture("inspect-cell")
	w.key("Escape")
	w.tap("Matrices…")
	w.shows("The paper's five")
	w.dialog("inspect-matrices")
	w.tap("Cancel")
	w.key("c", "minus", "minus", "minus", "minus", "minus")
	w.picture("inspect-controls")
	w.key("a", "plus", "plus", "plus", "plus", "plus")
}

// element clicks a point of the n-th matrix, given as shares of its width and height.
func (w *window) element(n int, x, y float64) {
	w.t.Helper()
	w.until("matrices", patience, func() bool { return len(w.widgets("*widget.Heatmap")) > n })
	h := w.widgets("*widget.Heatmap")[n]
	w.at(int(h.X+h.W*x), int(h.Y+h.H*y))
}

func (w *window) drawPanes() {
	w.open("s11")
	w.element(0, 0.35, 0.3)
	for _, pane := range [][2]string{
		{"Images", "inspect-images"},
		{"Extremes", "inspect-extremes"},
		{"Preview", "inspect-preview"},
		{"Cross-sections", "inspect-cross-sections"},
	} {
		w.tap(pane[0])
		w.picture(pane[1])
	}
	w.tap("Graph")
	w.tap("CONV-2")
	w.picture("inspect-graph")
	w.key("Escape")
	w.tap("Overview")
}

func (w *window) drawCompare() {
	w.key("ctrl+1")
	for _, id := range []string{"s11", "s13", "s22"} {
		w.tap(id)
		w.key("space")
	}
	w.tap("More")
	w.tap("Compare")
	w.shows("Swap")
	w.picture("compare")
	w.key("ctrl+1")
	w.shows("s01")
	w.key("Escape")
}

func (w *window) drawRounds() {
	w.key("ctrl+3")
	w.shows("Who labels?")
	w.picture("rounds")
	w.tap("New round…")
	w.shows("as listed")
	w.text("Brightness, first pass")
	w.key("Tab")
	w.text("annotator 4, annotator 5")
	w.dialog("round-new")
	w.tap("Models")
	w.dialog("round-models")
	w.tap("Cancel")
}

func (w *window) drawLabel() {
	w.key("ctrl+3")
	w.tap("annotator 3")
	w.shows("Invariant (I)")
	w.picture("label")
	w.key("g")
	w.dialog("label-guideline")
	w.key("g", "e")
	w.picture("label-large")
	w.key("w")
	w.tool("key", "question")
	w.shows("Any key closes this list.")
	w.dialog("label-keys")
	w.key("x")
	w.key("q")
	w.shows("Who labels?")
}

// drawDesks shows the dialogs of rounds on several computers; see secondDesk.
func (w *window) drawDesks() {
	w.key("ctrl+3")
	w.tap("Invite…")
	w.shows("Write package")
	w.dialog("desk-invite")
	w.tap("Cancel")
	w.tap("Send my labels…")
	w.shows("Write file")
	w.dialog("desk-send")
	w.tap("Cancel")
	w.fromMenu(0, 6)
	w.shows("Merge labels")
	w.text(filepath.Join(w.home, "annotator-3.vlabels"))
	w.shows("SHA-256")
	w.dialog("desk-merge")
	w.tap("Cancel")
}

func (w *window) drawAgreement() {
	w.key("ctrl+4")
	w.shows("Measures")
	w.tap("Close round…")
	w.tap("Yes")
	w.shows("Open round again…")
	w.picture("agreement")
	w.tap("Over time")
	w.picture("agreement-time")
	w.tap("By kind of model")
	w.picture("agreement-kinds")
	w.tap("Adjudicate")
	w.shows("Decides")
	w.picture("adjudicate")
	w.tap("Measures")
	w.tap("Open round again…")
	w.tap("Yes")
	w.shows("Close round…")
}

// drawFeatures shows how a feature goes with robust accuracy, and which models look alike. The labels of the round are not
// hidden for a while.
func (w *window) drawFeatures() {
	w.key("ctrl+4")
	w.tap("Close round…")
	w.tap("Yes")
	w.shows("Open round again…")
	w.key("ctrl+5")
	w.tap("s13")
	w.tap("Scatter")
	w.shows("across")
	w.picture("features")
	w.tap("Looks like")
	w.until("matrices", patience, func() bool { return len(w.widgets("*widget.Heatmap")) > 5 })
	w.picture("features-alike")
	w.tap("Histogram")
	w.key("ctrl+4")
	w.tap("Open round again…")
	w.tap("Yes")
	w.shows("Close round…")
}

// drawAssessors trains on the round of the demo, whose labels are not hidden for a while.
func (w *window) drawAssessors() {
	w.key("ctrl+4")
	w.tap("Close round…")
	w.tap("Yes")
	w.shows("Open round again…")
	w.key("ctrl+6")
	w.tap("Train and compare")
	w.shows("Verdicts on unseen models")
	w.at(470, 142) // the first line: its name stands in the form as well
	w.shows("decision tree, trained on 12 models")
	w.dialog("assessors")
	w.tap("Verdicts")
	w.tap("s13")
	w.until("matrices", patience, func() bool { return len(w.widgets("*widget.Heatmap")) > 1 && len(w.widgets("*widget.Bars")) > 0 })
	w.dialog("assessors-verdicts")
	w.tap("Scores")
	w.key("ctrl+4")
	w.tap("Open round again…")
	w.tap("Yes")
	w.shows("Close round…")
}

// drawInvariance shows the models of the demo under rotations, how EI goes with their accuracy, and what EI is.
func (w *window) drawInvariance() {
	w.key("ctrl+7")
	w.tap("s05")
	w.shows("lowest EI first")
	w.dialog("invariance")
	w.tap("Over models")
	w.shows("Pearson r")
	w.dialog("invariance-models")
	w.tap("What is EI?")
	w.dialog("invariance-cases")
	w.tap("Results")
}

// drawRanking shows the rankers of the demo's models, and the images that these find hard.
func (w *window) drawRanking() {
	w.key("ctrl+8")
	w.shows("14 models on") // the line that progress stands in place of
	w.dialog("ranking")
	w.tap("Images")
	w.shows("The 60 hardest images")
	w.dialog("ranking-images")
	w.tap("Ranking")
}

// drawImageLabels shows the images whose labels a ranker asks for.
func (w *window) drawImageLabels() {
	w.key("ctrl+8")
	w.shows("14 models on")
	w.chooseBeside("true classes", "given by hand")
	w.tap("Label images…")
	w.tap("30 images for random")
	for k := range 3 {
		w.labelsImage(k)
	}
	w.dialog("ranking-labels")
	w.key("Escape")
	w.shows("14 models on 360 images of scenes, the classes of 3 images are known")
	w.chooseBeside("true classes", "of the suite")
	w.shows("random")
}

// drawPredictions shows the dialog with a table of predictions typed in.
func (w *window) drawPredictions() {
	answers := filepath.Join(w.home, "answers.csv")
	w.writeTable(answers, guesses())
	w.key("ctrl+0")
	w.shows("s27")
	w.fromMenu(0, 1)
	w.shows("Class names")
	w.text(answers)
	w.shows("6 models, 120 images, 4 classes")
	w.dialog("predictions")
	w.tap("Cancel")
}

func (w *window) drawFiles() {
	w.key("ctrl+e")
	w.shows("Folder")
	w.dialog("export")
	w.tap("Cancel")
	w.fromMenu(0, 4)
	w.shows("Write report")
	w.dialog("report")
	w.tap("Cancel")
}

func (w *window) drawWorkspace() {
	w.fromMenu(0, 10)
	w.shows("Everything is copied")
	w.dialog("workspace-copy")
	w.tap("Cancel")
	w.fromMenu(0, 12)
	w.shows("What nothing uses") // the backups below may be out of sight
	w.dialog("storage")
	w.tap("Close")
}

func (w *window) drawSettings() {
	w.key("ctrl+comma")
	w.shows("Size of everything")
	w.dialog("settings")
	w.tap("Keys")
	w.dialog("settings-keys")
	w.tap("Close")
}

// fromMenu chooses an entry of the menu by the keyboard; lines between entries do not count.
func (w *window) fromMenu(bar, entry int) {
	w.t.Helper()
	w.key("Alt_L")
	time.Sleep(200 * time.Millisecond)
	for range bar {
		w.key("Right")
	}
	for range entry + 1 {
		w.key("Down")
	}
	w.key("Return")
}
