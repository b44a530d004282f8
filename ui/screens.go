package ui

import (
	"context"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/assess/exchange"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/remote"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	agreements "github.com/variscope/variscope/ui/screen/agreement"
	"github.com/variscope/variscope/ui/screen/assessors"
	"github.com/variscope/variscope/ui/screen/dscore"
	"github.com/variscope/variscope/ui/screen/features"
	"github.com/variscope/variscope/ui/screen/inspect"
	"github.com/variscope/variscope/ui/screen/invariance"
	labelling "github.com/variscope/variscope/ui/screen/label"
	"github.com/variscope/variscope/ui/screen/models"
	"github.com/variscope/variscope/ui/screen/runs"
	"github.com/variscope/variscope/ui/screen/scenes"
	"github.com/variscope/variscope/ui/screen/scenes/page"
)

func (w *Window) makeScreens() {
	ws := w.deps.Workspace
	w.models = models.New(w.kit(Models), ws, models.Ways{
		AddToRound: func(hashes []string) {
			w.changes(func() { dialogs.AddToRoundDialog(w.host(), ws, hashes, w.history.Did) })()
		},
		Compare: w.compareModels, Export: w.exportModels, Report: w.report,
		Did: w.history.Did, Blind: func() *label.Round { return w.label.Blind() },
	})
	w.inspect = inspect.New(w.kit(Inspect), ws, inspect.Actions{
		Panes: w.panes, Beside: w.beside, Did: w.history.Did, Blind: func() *label.Round { return w.label.Blind() },
	})
	w.runs = w.makeRuns()
	labelled := labelling.Deps{
		Store: ws, Keys: w.keys, EditKeys: func() { dialogs.KeysDialog(w.host(), w.keys) }, FocusMode: w.FocusMode,
		Invite: w.invite, Send: w.send, Scenes: evidence.ScenesOf(ws),
		Agreement: func(id string) { w.agreement.ShowRound(id); w.Go(Agreement) },
		Plan: func(ctx context.Context, round, annotator string) error {
			_, _, err := training.Plan(ctx, ws, round, annotator)
			return err
		},
	}
	var closeRound func(id string, closed bool)
	if ws.MayChange() == nil {
		labelled.Rounds, closeRound = w.rounds(), w.rounds().Close
	}
	w.label = labelling.New(w.kit(Label), labelled)
	w.assessors = w.makeAssessors()
	w.ranking = w.makeRanking()
	w.scenes = w.makeScenes()
	w.agreement = agreements.New(w.kit(Agreement), ws, agreements.Actions{
		Invite: w.invite, Send: w.send, Merge: func() { w.mergeLabels(nil) }, Did: w.history.Did,
		Close: closeRound, Scenes: evidence.ScenesOf(ws),
	})
	w.screens = [places]screen{
		Models:     w.models,
		Inspect:    w.inspect,
		Label:      w.label,
		Agreement:  w.agreement,
		Features:   features.New(w.kit(Features), ws),
		Assessors:  w.assessors,
		Invariance: invariance.New(w.kit(Invariance), ws),
		Ranking:    w.ranking,
		DScore:     w.makeDScore(),
		Background: w.scenes,
		Runs:       w.runs,
	}
}

func (w *Window) makeRuns() *runs.Screen {
	ways := runs.Ways{
		New: w.newRun, Again: func(r store.RunRecord) { w.runner().Start(w.host(), job.Again(r)) },
		Allow: w.allowMachines, Copy: w.toClipboard,
	}
	if w.deps.Machines != nil {
		ways.Others = w.deps.Machines
	}
	return runs.New(w.kit(Runs), w.deps.Workspace, w.deps.Engine, ways)
}

// kit is what the window gives the screen of a place.
func (w *Window) kit(place Place) *kit.Host {
	ws := w.deps.Workspace
	return w.readable(&kit.Host{
		Window: w.window, Work: w.work, Status: w.Say, ShowError: w.ShowError, Refocus: w.focusScreen,
		Changes: ws.Subscribe, Memory: w.deps.Preferences, Runs: &w.started, Inspect: w.Inspect, Assign: w.assign,
		Import: func() { w.Import(nil) }, Run: w.run, Start: w.startRuns, Cost: w.cost, ShowRuns: func() { w.Go(Runs) },
		InspectImage: w.inspectImage, ImportPredictions: w.importPredictions,
		Bar: func(bar fyne.CanvasObject) {
			if w.bars[place] = bar; w.toolbar != nil && place == w.place {
				w.toolbar.show(place, bar)
				w.layOut()
			}
		},
		Look: func(suite string) {
			w.work.Quiet("look at a suite", func(context.Context) error {
				current, err := ws.Current()
				if err == nil {
					current.Suite = suite
					err = ws.SetCurrent(current)
				}
				return err
			}, w.ShowError)
		},
		Locate: func(suite string) { dialogs.LocateDialog(w.host(), ws, suite, w.history.Did) },
	})
}

func (w *Window) makeDScore() *dscore.Screen {
	return dscore.New(w.kit(DScore), w.deps.Workspace, w.deps.Maps, func(d dscore.Row) {
		dialogs.AugmentDialog(w.host(), w.deps.Workspace, w.deps.Version, d)
	})
}

func (w *Window) makeScenes() *scenes.Screen {
	return scenes.New(page.Site{
		Host: w.kit(Background), Workspace: w.deps.Workspace, Runtime: w.deps.Runtime, Problem: w.deps.RuntimeProblem,
		Version: w.deps.Version, Compute: func(reqs ...job.Request) { w.runner().Start(w.host(), reqs...) },
		NewRound: func(selection string) { w.rounds().OfScenes(selection) },
		Assess:   func() { w.Go(Assessors) },
		Did:      w.history.Did,
	})
}

func (w *Window) makeAssessors() *assessors.Screen {
	runner, _ := w.deps.Runtime.(exchange.Runner) // nil without ONNX Runtime
	return assessors.New(w.kit(Assessors), w.deps.Workspace, assessors.Actions{
		Runner: runner, Version: w.deps.Version, Did: w.history.Did, Guide: w.showKeys,
		NewRound: func(name string, hashes []string) { w.rounds().Of(name, hashes) },
		NewScenesRound: func(selection, name string, hashes []string) {
			w.rounds().OfModelsInScenes(selection, name, hashes)
		},
	})
}

func (w *Window) host() *kit.Host {
	return &kit.Host{Window: w.window, Work: w.work, ShowError: w.ShowError, Status: w.Say, Runs: &w.started}
}

func (w *Window) runner() dialogs.Runner {
	now := w.machineState()
	return dialogs.Runner{
		Workspace: w.deps.Workspace, Engine: w.deps.Engine, Runtime: w.deps.Runtime, Problem: w.deps.RuntimeProblem,
		MayMix: now.Phase == remote.Open && now.Settings.Mixed,
		Started: func(id string) {
			w.runs.Select(id)
			w.Go(Runs)
		},
	}
}

func (w *Window) newRun() { w.run(w.models.Chosen()) }

func (w *Window) run(chosen []string) {
	if !w.mayChange() {
		return
	}
	dialogs.RunDialog(w.host(), w.runner(), dialogs.RunDefaults{Models: chosen})
}

func (w *Window) newRound() { w.changes(w.rounds().New)() }

func (w *Window) rounds() dialogs.Rounds {
	return dialogs.Rounds{
		Host: w.host(), Workspace: w.deps.Workspace, Chosen: w.models.Chosen,
		Filtered: w.models.Filtered, Did: w.history.Did,
	}
}

// report writes a report of models, or of a round that is chosen there.
func (w *Window) report(hashes []string) {
	dialogs.ReportDialog(w.host(), w.deps.Workspace, w.deps.Version, hashes)
}

// shiftSuites makes corrupted suites of one that is there.
func (w *Window) shiftSuites() { dialogs.ShiftDialog(w.host(), w.deps.Workspace, w.deps.Version) }

func (w *Window) export() { w.exportModels(nil) }

// exportModels exports chosen models, nil for all.
func (w *Window) exportModels(hashes []string) {
	dialogs.ExportDialog(w.host(), w.deps.Workspace, w.deps.Version, hashes)
}
