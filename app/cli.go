package app

import (
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/worker"
)

// common are the flags of every command.
type common struct {
	Library string `help:"ONNX Runtime library to use; without it VARISCOPE_ONNXRUNTIME, the program's folder, the per-user cache and the system's library path are tried." type:"path" placeholder:"FILE"`
	JSON    bool   `name:"json" help:"Print one JSON document."`
	Verbose bool   `short:"v" help:"Log what happens to stderr."`
	suite.Limits
	worker.Budget
	device.Pick
}

// cli is the command line of DESIGN.md section 9, as far as it is built.
type cli struct {
	common
	Window     windowCommand     `cmd:"" default:"withargs" hidden:"" help:"Open the window (the default)."`
	Import     importCommand     `cmd:"" help:"Add models, test suites, tables of records, and predictions."`
	Model      modelCommand      `cmd:"" help:"Show how a model is run, and what says so; flags correct it."`
	Run        runCommand        `cmd:"" help:"Compute the signals of models on suites under transformations."`
	Matrix     matrixCommand     `cmd:"" help:"Variance matrices, as in ${ml4ml}, as numbers or pictures."`
	EI         eiCommand         `cmd:"" name:"ei" help:"Effective invariance (EI), as in ${ei}; it needs no labels."`
	DScore     dscoreCommand     `cmd:"" name:"dscore" help:"D-Score, as in ${dscore}: where features lie and CNNs look."`
	Background backgroundCommand `cmd:"" help:"Background invariance, as in ${background}, in testing scenes."`
	Features   featuresCommand   `cmd:"" help:"The 16 features of variance matrices, as in ${ml4ml}."`
	Label      labelCommand      `cmd:"" help:"Make rounds, list and set labels, exchange them with annotators."`
	Agreement  agreementCommand  `cmd:"" help:"Measure how far annotators agree."`
	Assess     assessCommand     `cmd:"" help:"Train and compare assessors of models, as in ${ml4ml}; judge by them."`
	Corrupt    corruptCommand    `cmd:"" help:"Make suites with common corruptions, or of shifted images."`
	Gate       gateCommand       `cmd:"" help:"Judge a model file by an assessor, as in ${ml4ml}; exits 3 if variant."`
	Rank       rankCommand       `cmd:"" help:"Rank models with no or few labels by LaF, as in ${laf}, and others."`
	Export     exportCommand     `cmd:"" help:"Write the labelled set and everything that it rests on."`
	Report     reportCommand     `cmd:"" help:"Write a report of models or of a round as one HTML or PDF file."`
	Restore    restoreCommand    `cmd:"" help:"List the backups of a workspace's database, or put one in its place."`
	Doctor     doctorCommand     `cmd:"" help:"Check a workspace, mend it with --repair; exits 1 if problems remain."`
	Demo       demoCommand       `cmd:"" help:"Make the demo workspace, run it, and write its matrices and tables."`
	Bench      benchCommand      `cmd:"" help:"Measure how fast models run here, beside the library alone."`
	Worker     workerCommand     `cmd:"" help:"Compute units of work for a workspace that is elsewhere."`
	Version    versionCommand    `cmd:"" help:"Print the versions of the program and of what it uses."`
}
