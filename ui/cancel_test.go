package ui

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/jobs"
)

// longActions starts long actions of the window, by the text that names them. Each is cancelled
// at once, and again after it has worked for a while.
func longActions(t *testing.T, folder string) map[string]func(*opened) {
	place := func(p Place) func(*opened) {
		return func(o *opened) {
			o.Go(Models)
			o.settle()
			o.Go(p)
			o.screens[p].Refresh()
		}
	}
	dialog := func(show func(*opened), says, press string) func(*opened) {
		return func(o *opened) {
			o.dismiss()
			show(o)
			o.stage.Until("the dialog says "+says, o.dialogSays(says))
			o.press(t, press)
			o.stage.Until(press+" begins", func() bool {
				if o.dialogSays("there already")() || o.dialogSays("holds files already")() {
					o.press(t, "Write over") // of the time before
				}
				return len(o.work.Jobs()) > 0 || !o.dialogSays(says)()
			})
		}
	}
	return map[string]func(*opened){
		"Prepare run": func(o *opened) {
			var reqs []job.Request
			for _, family := range []string{"shear:-10:10:1", "rot90", "plain"} {
				reqs = append(reqs, job.Request{Suite: o.workspace.Shapes.Hash, Family: family})
			}
			o.runner().Start(o.host(), reqs...)
		},
		"Check workspace":    func(o *opened) { o.dismiss(); o.checkWorkspace() },
		"Save a copy":        dialog(func(o *opened) { o.saveCopy() }, "-copy", "Save"),
		"Export":             dialog(func(o *opened) { o.export() }, "sample-export", "Export"),
		"Report":             dialog(func(o *opened) { o.report(nil) }, "models-with-signals", "Write report"),
		"Measure features":   place(Features),
		"Measure invariance": place(Invariance),
		"Compute D-Scores":   place(DScore),
		"Rank models":        place(Ranking),
		"Save %s": func(o *opened) {
			path := filepath.Join(folder, fmt.Sprint(len(files(t, folder))))
			file, err := os.Create(path)
			if err != nil {
				panic(err)
			}
			saver := figures.Saver{Window: o.Window.Window(), Work: o.work, Status: o.Say, ShowError: o.ShowError}
			saver.Save(file, path, func(w io.Writer) error {
				time.Sleep(20 * time.Millisecond)
				_, err := io.WriteString(w, "a,b\n")
				return err
			})
		},
	}
}

// cancelledElsewhere names the test of the work behind each other long action: it ends soon after
// its context and leaves nothing.
var cancelledElsewhere = map[string]string{
	"Add masks":                     "store.TestCopiesAreCancelled",
	"Add suites":                    "dialogs.TestDeriveAll",
	"Allow other machines":          "dialogs.TestMachinesDialogIsGivenUp",
	"Back up":                       "store.TestBackupIsCancelled",
	"Build the ontology":            "background.TestEvidenceThatIsNotThere",
	"Compare runs of %s":            "background.TestMatricesAreKept",
	"Compare shares of the targets": "background.TestMatricesAreKept",
	"Compute neuron coverage in the scenes of %s": "background.TestEvidenceThatIsNotThere",
	"Contact sheets of %s":                        "lookup.TestEach",
	"Draw shares of the targets for %s":           "scatter.TestInterpolateIsCancelled",
	"Edit round":                                  "store.TestNewRoundIsCancelled",
	"Export as ONNX":                              "assessors.TestTrainingIsCancelled",
	"Find the pairs behind an element":            "kit.TestCancelledLoadingCanBeTriedAgain",
	"Find rules":                                  "itemset.TestRulesAreCancelled",
	"Fit models":                                  "invariance.TestPredictAndExamineEndWithTheirContext",
	"Fit suites":                                  "invariance.TestPredictAndExamineEndWithTheirContext",
	"Import":                                      "intake.TestACancelledImportTellsWhatCameIn",
	"Judge on resamples":                          "variance.TestBandOfEdges",
	"Judge with %s":                               "assess.TestExplainRefusals",
	"Lay out the ontology":                        "itemset.TestRulesAreCancelled",
	"Make masks":                                  "background.TestMasksRefused",
	"Matrices of %s":                              "background.TestMatricesAreKept",
	"Measure calibration":                         "calibration.TestWhatIsNoProbabilityIsRefused",
	"Measure LaF on shifted suites":               "ranking.TestShiftedSuites",
	"Measure rankings over budgets":               "rank.TestSampledRankersStopBetweenRepetitions",
	"Measure stability":                           "assess.TestStudyRefusals",
	"Measure the impact of models and images":     "rank.TestEachStops",
	"Measure transfer":                            "assess.TestTransfer",
	"Merge labels":                                "store.TestOnlyAFullDiskLetsRemovalGoOnWithoutABackup",
	"New round":                                   "store.TestNewRoundIsCancelled",
	"Open round package":                          "kit.TestDialogCarriesWork",
	"Plan labels":                                 "agreement.TestPlanEnds",
	"Predict accuracy":                            "invariance.TestPredictAndExamineEndWithTheirContext",
	"Rank on shifted suites":                      "rank.TestABoardEndsWithItsContext",
	"Range of %s":                                 "models.TestRangeThatWasCancelledWaits",
	"Read keywords":                               "background.TestUnderstandStopped",
	"Read what models did in scenes":              "background.TestRecallIsThePlan",
	"Read what models do in the scenes":           "background.TestEvidenceThatIsNotThere",
	"Resample the images":                         "variance.TestBandOfEdges",
	"Save augmented set":                          "augmented.TestCancel",
	"Save shifted images":                         "corrupted.TestCancel",
	"Shared colour range of %s":                   "store.TestFeaturesErrors",
	"Study":                                       "dialogs.TestStudyDialog",
	"Train assessors":                             "assessors.TestTrainingIsCancelled",
	"Train assessors on the scenes of %s":         "assess.TestEvaluationStops",
	"Write file":                                  "desk.TestInviteIsCancelled",
	"Write package":                               "desk.TestInviteIsCancelled",
	"locate the images of suite %s":               "store.TestHashingIsCancelled",
}

// titledElsewhere are the actions whose title is made somewhere else than where they are started.
var titledElsewhere = []string{
	"Check workspace", "Edit round", "Fit models", "Fit suites", "Measure stability", "Measure transfer", "New round",
	"Open workspace",
	"Write package",
}

// wholeSteps are the actions of one step, which cannot be cancelled: no Cancel can be pressed
// beside them.
var wholeSteps = []string{
	"Import predictions", "Remove models", "Turn other machines away", "Open workspace", "Restore workspace",
}

// TestCancelEndsEveryLongAction cancels long actions with the button of the status line: the work
// ends within 2 seconds, no goroutine or run of it is left, nothing is written afterwards, and
// the text says what became of it.
func TestCancelEndsEveryLongAction(t *testing.T) {
	gate := make(chan struct{}) // no batch of a run passes it
	o := open(t, 6, func(d *Deps) { d.Runtime = engine.InProcess{Library: &lineRuntime{gate: gate}} })
	o.workspace.NewRound(t, nil)
	o.idle()
	for title, start := range longActions(t, filepath.Dir(o.workspace.Path())) {
		for _, wait := range []time.Duration{0, 5 * time.Millisecond} {
			before := []goleak.Option{
				goleak.IgnoreCurrent(),
				goleak.IgnoreAnyFunction("github.com/variscope/variscope/ui/jobs.(*Renewal).Changed.func1"),
			}
			start(o)
			time.Sleep(wait)
			o.cancelShown(t, title)
			var err error
			for range 5 { // what other screens read meanwhile comes in, whenever they began
				o.settle()
				if err = goleak.Find(before...); err == nil {
					break
				}
			}
			if err != nil {
				t.Errorf("%s: something goes on after its cancel: %v", title, err)
			}
			if left := o.active(); len(left) > 0 {
				t.Errorf("%s: %d runs go on after its cancel", title, len(left))
			}
			was := files(t, filepath.Dir(o.workspace.Path()))
			o.settle()
			if now := files(t, filepath.Dir(o.workspace.Path())); !maps.Equal(was, now) {
				t.Errorf("%s: files change after its cancel:\n%v\n%v", title, was, now)
			}
		}
	}
}

// cancelShown presses Cancel in the status line while it shows the job of that title, and waits
// for its end. A job that was faster has nothing left to cancel, and one that came to its end while
// the button was pressed says what it has done.
func (o *opened) cancelShown(t *testing.T, title string) {
	t.Helper()
	list := o.work.Jobs()
	begins, _, _ := strings.Cut(title, "%")
	at := slices.IndexFunc(list, func(j *jobs.Job) bool {
		now := j.Snapshot()
		return strings.HasPrefix(now.Name, begins) && !now.Cancelling
	})
	if at < 0 {
		return
	}
	ended := true
	o.work.OnCancelled(func(name string, cancelled bool) {
		ended = cancelled
		o.cancelled(name, cancelled)
	})
	o.status.refresh(list[at:])
	o.Say("")
	test.Tap(o.status.cancel)
	pressed := time.Now()
	o.stage.Until(title+" is over", func() bool {
		return !slices.Contains(o.work.Jobs(), list[at]) &&
			o.status.message.Text() != ""
	})
	if took := time.Since(pressed); took > 2*time.Second {
		t.Errorf("%s: its cancel took %v", title, took)
	}
	said := o.status.message.Text()
	if copied, is := strings.CutPrefix(said, "Saved as "); is && title == "Save a copy" {
		// It had its name when the button was pressed, so it must be whole.
		ws, err := store.Open(strings.TrimSuffix(copied, "."))
		if err == nil {
			err = ws.Close()
		}
		if err != nil {
			t.Errorf("%s: the window says %q, and %v", title, said, err)
		}
		return
	}
	if ended && !strings.Contains(said, "cancelled") && !strings.Contains(said, "not started") {
		t.Errorf("%s: after its cancel the window says %q", title, said)
	}
}

// files are the sizes and times of the files below a folder.
func files(t *testing.T, folder string) map[string]string {
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			found[path] = info.ModTime().String()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestTheListOfLongActionsIsWhole finds every long action in the code of the window and looks
// whether a test cancels it.
func TestTheListOfLongActionsIsWhole(t *testing.T) {
	known := map[string]bool{}
	for title := range longActions(t, "") {
		known[title] = false
	}
	for title := range cancelledElsewhere {
		known[title] = false
	}
	for _, title := range wholeSteps {
		known[title] = false
	}
	tests := map[string]bool{}
	for _, root := range []string{".", "../store", "../engine"} {
		visitCode(t, root, func(path string, n ast.Node) {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if strings.HasSuffix(path, "_test.go") {
					tests[filepath.Base(filepath.Dir(path))+"."+n.Name.Name] = true
				}
			case *ast.CallExpr, *ast.CompositeLit:
				if title, ok := titleOf(n); ok && !strings.HasSuffix(path, "_test.go") {
					if _, ok := known[title]; !ok {
						t.Errorf("%s: the long action %q is in no list of this file", path, title)
					}
					known[title] = true
				}
			}
		})
	}
	for title, found := range known {
		if !found && !slices.Contains(titledElsewhere, title) {
			t.Errorf("no code starts %q", title)
		}
	}
	for title, name := range cancelledElsewhere {
		if !tests[name] {
			t.Errorf("the cancel of %q is said to be tested by %s, which is not there", title, name)
		}
	}
}

// titleOf is the text that names the work that a call, a kit.Ask that runs something, or a
// kit.Screen that is not quiet starts; false for what starts none.
func titleOf(n ast.Node) (title string, ok bool) {
	if part, ok := n.(*ast.CompositeLit); ok {
		return nameOf(part)
	}
	call := n.(*ast.CallExpr)
	starter, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) < 2 ||
		!slices.Contains([]string{
			"Start", "StartWhole", "start", "Carry", "Try", "startOpening",
		}, starter.Sel.Name) {
		return "", false
	}
	return textOf(call.Args[0])
}

// textOf is a text, or the form of fmt.Sprintf; false for anything else.
func textOf(e ast.Expr) (text string, ok bool) {
	if format, ok := e.(*ast.CallExpr); ok && len(format.Args) > 0 {
		e = format.Args[0]
	}
	literal, ok := e.(*ast.BasicLit)
	if !ok {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// nameOf is the name of a kit.Screen[O, D]{...} or of the job of a kit.Ask[O]{...}; false for a
// quiet screen, for a dialog that runs nothing, and for anything else.
func nameOf(literal *ast.CompositeLit) (name string, ok bool) {
	kind := ast.Expr(nil)
	switch of := literal.Type.(type) {
	case *ast.IndexListExpr:
		kind = of.X
	case *ast.IndexExpr:
		kind = of.X
	}
	what, ok := kind.(*ast.SelectorExpr)
	if !ok || what.Sel.Name != "Screen" && what.Sel.Name != "Ask" {
		return "", false
	}
	fields := map[string]ast.Expr{}
	for _, element := range literal.Elts {
		field := element.(*ast.KeyValueExpr)
		fields[field.Key.(*ast.Ident).Name] = field.Value
	}
	if what.Sel.Name == "Ask" {
		if fields["Run"] == nil {
			return "", false
		}
		return textOf(cmp.Or(fields["Job"], fields["Title"]))
	}
	quiet, _ := fields["Quiet"].(*ast.Ident)
	if fields["Name"] == nil || quiet != nil && quiet.Name == "true" {
		return "", false
	}
	return textOf(fields["Name"])
}

func visitCode(t *testing.T, root string, visit func(path string, n ast.Node)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			ast.Inspect(tree, func(n ast.Node) bool {
				visit(path, n)
				return true
			})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCancelOfTheStart cancels what the window does at its start.
func TestCancelOfTheStart(t *testing.T) {
	o := open(t, 1, func(d *Deps) {
		d.StartupTitle = "Demo"
		d.Startup = startup(nil)
	})
	o.cancelShown(t, "Demo")
	if said := o.status.message.Text(); said != "Demo: cancelled." {
		t.Error(said)
	}
}
