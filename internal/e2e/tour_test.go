package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tour draws the pictures of the user guide, one part of the window after the other. The parts
// build on what is on disk, not on each other, so each of them can be drawn alone:
// VARISCOPE_PICTURES=inspect,label.
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
	{"dscore", (*window).drawDScore},
	{"files", (*window).drawFiles},
	{"workspace", (*window).drawWorkspace},
	{"settings", (*window).drawSettings},
	{"machines", (*window).drawMachines},
}

// drawDark draws the pictures of the main screens in a dark window.
func (w *window) drawDark() {
	w.goes("ctrl+3", "Who labels?")
	w.opens("annotator 3", "Invariant (I)")
	w.picture("label-dark")
	w.key("q")
}

func (w *window) drawModels() {
	w.goes("ctrl+1", "s01")
	w.picture("models")
	w.opens("Filter", "raters disagree")
	w.choose("state", "architecture")
	w.press("the value resnet8", named("resnet8  (4)"), start) // the text is wider than what takes the click
	w.picture("models-filter")
	w.again("the end of the filter", func() { w.at(640, 790) }, func() bool { return w.layers() == 0 })
	w.tap("architecture is resnet8")
	w.tap("s08")
	w.opens("More", "Edit record")
	w.opens("Edit record", "Record of s08")
	w.dialog("record")
	w.closes("Cancel")
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
	w.goes("ctrl+i", "Or drop files")
	w.text(table)
	w.shows("✓ records.csv")
	w.dialog("import")
	w.closes("Cancel")
}

// drawCorruptions shows what fog does to the images of the demo.
func (w *window) drawCorruptions() {
	w.goes("ctrl+1", "s01")
	w.menu("Shifted suites…")
	w.shows("original")
	w.tick("fog")
	w.shows("5 suites of 360 images")
	w.until("the preview", patience, func() bool { _, busy := pick(w.screen(), "drawing …"); return !busy })
	w.dialog("corruptions")
	w.closes("Cancel")
}

func (w *window) drawRuns() {
	w.goes("ctrl+j", "scenes Example")
	w.opens("scenes Example", "s27")
	w.dialog("runs")
	w.goes("ctrl+r", "Class table")
	w.choose("Usual ones", inWords("shear"))
	w.until("the amount of work", patience, func() bool {
		return slices.ContainsFunc(w.screen(), func(n node) bool { return strings.Contains(n.Text, "units of work") })
	})
	w.dialog("run-dialog")
	w.closes("Cancel")
}

// open shows a model on the Inspect screen.
func (w *window) open(id string) {
	w.t.Helper()
	w.again("the model "+id, func() {
		w.key("ctrl+1")
		w.tap(id)
		w.key("Return")
	}, func() bool { return w.seen("Matrices…") })
}

func (w *window) drawInspect() {
	w.open("s11")
	w.tap("Overview")
	w.picture("inspect")
	w.tap("Certainty")
	w.element(0, 0.35, 0.3)
	w.picture("inspect-cell")
	w.key("Escape")
	w.opens("Matrices…", "Choose matrices…")
	w.opens("Choose matrices…", "The five of the ML4ML paper [1]")
	w.dialog("inspect-matrices")
	w.closes("Cancel")
	w.key("c", "minus", "minus", "minus", "minus", "minus")
	w.picture("inspect-controls")
	w.key("a", "plus", "plus", "plus", "plus", "plus")
}

// element clicks a point of the n-th matrix, given as shares of its width and height.
func (w *window) element(n int, x, y float64) {
	w.t.Helper()
	w.press("matrices", nth("*widget.Heatmap", n), share(x, y))
}

func (w *window) drawPanes() {
	w.open("s11")
	w.element(0, 0.35, 0.3)
	for _, pane := range []struct {
		title, name string
		draw        func(name string)
	}{
		{"Images", "inspect-images", w.picture},
		{"Extremes", "inspect-extremes", w.picture},
		{"Preview", "inspect-preview", w.dialog}, // it has no matrices
		{"Cross-sections", "inspect-cross-sections", w.picture},
	} {
		w.tap(pane.title)
		pane.draw(pane.name)
	}
	w.tap("Graph")
	w.tap("CONV-2")
	w.picture("inspect-graph")
	w.key("Escape")
	w.tap("Overview")
}

func (w *window) drawCompare() {
	w.goes("ctrl+1", "s01")
	for _, id := range []string{"s11", "s13", "s22"} {
		w.tap(id)
		w.key("space")
	}
	w.opens("More", "Compare")
	w.opens("Compare", "Swap")
	w.picture("compare")
	w.goes("ctrl+1", "s01")
	w.key("Escape")
}

func (w *window) drawRounds() {
	w.goes("ctrl+3", "Who labels?")
	w.dialog("rounds")
	w.opens("New round…", "as listed")
	w.text("Brightness, first pass")
	w.key("Tab")
	w.text("annotator 4, annotator 5")
	w.dialog("round-new")
	w.tap("Models")
	w.dialog("round-models")
	w.closes("Cancel")
}

func (w *window) drawLabel() {
	w.goes("ctrl+3", "Who labels?")
	w.opens("annotator 3", "Invariant (I)")
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
	w.goes("ctrl+3", "Invite…")
	w.opens("Invite…", "Write package")
	w.dialog("desk-invite")
	w.closes("Cancel")
	w.opens("Send my labels…", "Write file")
	w.dialog("desk-send")
	w.closes("Cancel")
	w.menu("Merge labels…")
	w.shows("Merge labels")
	w.text(filepath.Join(w.home, "annotator-3.vlabels"))
	w.shows("SHA-256")
	w.dialog("desk-merge")
	w.closes("Cancel")
}

func (w *window) drawAgreement() {
	w.showsAgreement()
	w.closesRound()
	w.shows("Open round again")
	w.dialog("agreement")
	w.tap("Over time")
	w.dialog("agreement-time")
	w.tap("By kind of model")
	w.dialog("agreement-kinds")
	w.opens("Adjudicate", "Decides")
	w.picture("adjudicate")
	w.tap("Measures")
	w.reopensRound()
}

// showsAgreement shows the agreement in the round that labelDemo has labelled.
func (w *window) showsAgreement() {
	w.goes("ctrl+4", "Measures")
	if !w.seen("Close round…") {
		w.chooseBeside("Round", exampleRound)
	}
	w.shows("Close round…")
}

// unblinds closes the round for a while, so that its labels are not hidden.
func (w *window) unblinds() {
	w.showsAgreement()
	w.closesRound()
	w.shows("Open round again")
}

// reopensRound undoes what unblinds did, on the Agreement screen.
func (w *window) reopensRound() {
	w.goes("ctrl+4", "Open round again")
	w.opens("Open round again", "Close round…")
}

// drawFeatures shows how a feature goes with robust accuracy, and which models look alike. The
// labels of the round are not hidden for a while.
func (w *window) drawFeatures() {
	w.unblinds()
	w.goes("ctrl+5", "s13")
	w.tap("s13")
	w.opens("Scatter", "across")
	w.dialog("features")
	w.tap("Looks like")
	w.until("matrices", patience, func() bool { return len(w.widgets("*widget.Heatmap")) > 5 })
	w.picture("features-alike")
	w.tap("Histogram")
	w.reopensRound()
}

// drawAssessors trains on the labels that the demo has made by a rule.
func (w *window) drawAssessors() {
	w.goes("ctrl+6", "Train and compare")
	w.tap("Train and compare")
	w.shows("Verdicts on unseen models")
	w.hits("the decision tree", onLine("decision tree", "accuracy"), node.middle, func() bool {
		return w.seen("example labels, made by a rule; decision tree")
	})
	w.dialog("assessors")
	w.tap("Verdicts")
	w.tap("s13")
	w.until("matrices", patience, func() bool {
		return len(w.widgets("*widget.Heatmap")) > 1 && len(w.widgets("*widget.Plot")) > 0
	})
	w.dialog("assessors-verdicts")
	w.tap("Scores")
}

// drawInvariance shows the models of the demo under rotations, how EI goes with their accuracy, and
// what EI is.
func (w *window) drawInvariance() {
	w.goes("ctrl+7", "s05")
	w.opens("s05", "lowest EI first")
	w.dialog("invariance")
	w.opens("Over models", "Pearson r")
	w.press("the menu of scores", beside("Scores"), node.middle)
	w.tick("JS")
	w.tick("consistent")
	w.leaves()
	w.shows("3 studies")
	w.dialog("invariance-models")
	w.opens("Calibration", "ECE by chance")
	w.dialog("invariance-calibration")
	w.opens("How to read this", "D  another class, unsure")
	w.dialog("invariance-cases")
	w.closes("Close")
}

// drawRanking shows the rankers of the demo's models, and the images that these find hard.
func (w *window) drawRanking() {
	w.goes("ctrl+8", "14 models on") // the line that progress stands in place of
	w.dialog("ranking")
	w.opens("Images", "The 60 hardest images")
	w.dialog("ranking-images")
	// the screen has the same name
	w.press("the page Ranking", most("Ranking", func(n node) float64 { return -n.Y }), node.middle)
}

// drawImageLabels shows the images whose labels a ranker asks for.
func (w *window) drawImageLabels() {
	w.goes("ctrl+8", "14 models on")
	w.chooseBeside("true classes", "given by hand")
	w.opens("Label images…", "30 images for random")
	w.opens("30 images for random", "1 of 30")
	for k := range 3 {
		w.labelsImage(k)
	}
	w.dialog("ranking-labels")
	w.leaves()
	w.shows("14 models on 360 images of scenes, the classes of 3 images are known")
	w.chooseBeside("true classes", "of the suite")
	w.shows("random")
}

// drawPredictions shows the dialog with a table of predictions typed in.
func (w *window) drawPredictions() {
	answers := filepath.Join(w.home, "answers.csv")
	w.writeTable(answers, guesses())
	w.goes("ctrl+j", "Allow other machines…")
	w.menu("Import predictions…")
	w.shows("Class names")
	w.text(answers)
	w.shows("6 models, 120 images, 4 classes")
	w.dialog("predictions")
	w.closes("Cancel")
}

// drawDScore shows the maps of a model of the demo, what it would lose, and the augmentation that
// is recommended.
func (w *window) drawDScore() {
	w.goes("ctrl+9", "3 × 3 regions, t = 5")
	w.selects("s11")
	w.press("the region in the middle", nth("*widget.Regions", 0), inRegion(5))
	w.dialog("dscore")
	w.computesLayers()
	w.dialog("dscore-lose")
	w.toModels()
	w.asksForAugmentation("s11")
	w.dialog("dscore-augmentation")
	w.closes("Close")
}

func (w *window) drawFiles() {
	w.goes("ctrl+e", "Folder")
	w.dialog("export")
	w.closes("Cancel")
	w.menu("Report…")
	w.shows("Write report")
	w.dialog("report")
	w.closes("Cancel")
}

func (w *window) drawWorkspace() {
	w.menu("Save a copy…")
	w.shows("Everything is copied")
	w.dialog("workspace-copy")
	w.closes("Cancel")
	w.menu("Storage…")
	w.shows("The whole workspace takes")
	w.dialog("storage")
	w.closes("Close")
}

func (w *window) drawSettings() {
	w.goes("ctrl+comma", "Size of everything")
	w.dialog("settings")
	w.tap("Keys")
	w.dialog("settings-keys")
	w.closes("Close")
}
