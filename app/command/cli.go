package command

import (
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/worker"
)

// Common are the flags of every command.
type Common struct {
	Library string `help:"ONNX Runtime library to use; without it VARISCOPE_ONNXRUNTIME, the program's folder, the per-user cache and the system's library path are tried." type:"path" placeholder:"FILE"`
	JSON    bool   `name:"json" help:"Print one JSON document."`
	Verbose bool   `short:"v" help:"Log what happens to stderr."`
	suite.Limits
	worker.Budget
	device.Pick
}

// cli is the command line.
type cli struct {
	Common
	Window     windowCommand     `cmd:"" default:"withargs" hidden:"" help:"Open the window (the default)."`
	Import     importCommand     `cmd:"" help:"Add models (.onnx files, or folders with models.csv), test suites, CSV tables of records, logs of training, and predictions that were made elsewhere."`
	Model      modelCommand      `cmd:"" help:"Show how a model is run: input, recipe, output, classes and positions, each with the place that says so; flags correct it."`
	Run        runCommand        `cmd:"" help:"Compute the signals of models on suites under families of transformations or transformation sets."`
	Matrix     matrixCommand     `cmd:"" help:"Variance matrices, as in ${ml4ml}, as numbers or pictures: from a workspace, a model or exported files."`
	EI         eiCommand         `cmd:"" name:"ei" help:"Effective invariance (EI), as in ${ei}: how consistently and confidently models predict under transformations, without labels."`
	Calibrate  calibrateCommand  `cmd:"" name:"calibration" help:"How well confidences are calibrated: whether models are right as often as they say, with reliability diagrams and the temperature that corrects them, for images as they are and under each transformation."`
	DScore     dscoreCommand     `cmd:"" name:"dscore" help:"D-Score, as in ${dscore}: in which regions the features of a suite lie, where a CNN looks, how robust and fitting that is, and the augmentation that follows."`
	Background backgroundCommand `cmd:"" help:"Background invariance, as in ${background}: keywords of images, association rules and ontology, testing scenes, runs in them, interpolated matrices."`
	Features   featuresCommand   `cmd:"" help:"The 16 features of variance matrices, as in ${ml4ml}: of a file, or of the models of a workspace."`
	Label      labelCommand      `cmd:"" help:"Make, close and reopen rounds; list and set labels; exchange rounds and labels with annotators at other computers."`
	Agreement  agreementCommand  `cmd:"" help:"Measure how far annotators agree, from labels_long.csv, labels_wide.csv or a workspace."`
	Assess     assessCommand     `cmd:"" help:"Train assessors (classifiers that judge a model by its variance matrices, as in ${ml4ml}) on labelled models, compare algorithms, judge models and explain verdicts."`
	Corrupt    corruptCommand    `cmd:"" help:"Make shifted suites: the fifteen common corruptions in five severities, and images shifted to regions, in a workspace or as files."`
	Gate       gateCommand       `cmd:"" help:"Judge one model file with an assessor (a classifier of variance matrices, as in ${ml4ml}); exits 3 if it is judged variant (for CI)."`
	Rank       rankCommand       `cmd:"" help:"Rank models without labels, or with few, by LaF, as in ${laf}, and other methods: from a workspace or from predictions made elsewhere."`
	Study      studyCommand      `cmd:"" help:"Carry out a study file: run what is missing, and write its tables, figures, report and record. Studies of the five papers come with the program."`
	Export     exportCommand     `cmd:"" help:"Write the labelled set and everything that it rests on."`
	Report     reportCommand     `cmd:"" help:"Write a report of models or of a round as one HTML or PDF file."`
	Restore    restoreCommand    `cmd:"" help:"List the backups of a workspace's database, or put one in its place."`
	Doctor     doctorCommand     `cmd:"" help:"Check everything of a workspace that can be checked, and with --repair repair what can be repaired; exits 1 where problems remain."`
	Demo       demoCommand       `cmd:"" help:"Make the demo workspace, run it, and write its matrices and tables."`
	Bench      benchCommand      `cmd:"" help:"Measure how fast models run here, from images to signals on disk, beside the library alone, and where the time goes."`
	Worker     workerCommand     `cmd:"" help:"Compute units of work for a workspace that is elsewhere, by a join line or as a shard of a plan."`
	Version    versionCommand    `cmd:"" help:"Print the versions of the program and of what it uses."`
}
