package dscore

import (
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/transform"
)

// Options of D-Scores, as the command dscore takes them.
type Options struct {
	Suite          []string `help:"Suites with labels: by name or hash in a workspace (default: the current one), one by path for a model." source:"suites" sep:"none" study:"beside"`
	Models         []string `help:"Models of the workspace, by id (default: all)." source:"models" placeholder:"ID" aliases:"model"`
	N              []int    `name:"n" label:"n × n regions, n =" help:"Regions a side; several for a score each." default:"3" min:"1" max:"16"`
	T              []int    `name:"t" label:"Shift by a side / t, t =" help:"An image's side has t units; shifting moves it by units, so that a small t is a large shift. Several for a score each." default:"5" min:"1" max:"1000"`
	Layers         []string `label:"Delete regions of" help:"Convolutions whose maps lose the region: auto (all with maps of at least n x n), all (as in the D-Score paper), or numbers from 1." default:"auto" placeholder:"K"`
	AfterBatchnorm bool     `label:"after the batch-norm, where one follows a convolution" help:"Delete behind a batch-norm that follows a convolution directly."`
	PerLayer       bool     `label:"each layer alone, too, to see what would be lost" help:"Also what deleting a region of one convolution alone costs."`
	Tolerance      float64  `help:"With --per-layer: loss of accuracy that counts as nothing, as a share." default:"0.01" min:"0" max:"1"`
	Compare        bool     `help:"What sets two models (--models A,B) apart, B minus A, with intervals: the same images are drawn for both." window:"-"`
	OverOption
	Samples int    `help:"Bootstrap samples of the intervals; 0 for no intervals." default:"1000" min:"0" max:"100000"`
	Seed    uint64 `help:"Seed of the samples, and of --augment." default:"1"`
}

// OverOption asks for scores over a column of training records.
type OverOption struct {
	Over string `help:"Column of the training records with numbers, such as the p that models were trained with: D-Score and accuracy over it." source:"columns" placeholder:"COLUMN"`
}

// Defaults are the options where nothing else is chosen.
func Defaults() Options {
	var o Options
	option.SetDefaults(&o)
	return o
}

// Check refuses layers that are neither a word nor numbers from 1, and a comparison of other than
// two models.
func (o *Options) Check() error {
	if o.Compare && (len(o.Models) != 2 || o.Models[0] == o.Models[1] || o.Samples == 0) {
		return option.Errorf("{compare} takes two models, {models} A,B, and {samples} for the intervals")
	}
	_, err := o.masks()
	return err
}

// masks are those of Layers and AfterBatchnorm, without n.
func (o *Options) masks() (transform.Masks, error) {
	m := transform.Masks{AfterBatchNorm: o.AfterBatchnorm}
	switch {
	case slices.Equal(o.Layers, []string{transform.AutoLayers}):
		m.Auto = true
		return m, nil
	case slices.Equal(o.Layers, []string{transform.AllLayers}):
		return m, nil
	}
	for _, text := range o.Layers {
		k, err := strconv.Atoi(text)
		switch {
		case err != nil:
			return m, option.Errorf("{layers} %s: give %s, %s, or numbers of convolutions", text, transform.AutoLayers,
				transform.AllLayers)
		case k < 1:
			return m, option.Errorf("{layers} %d: convolutions count from 1", k)
		}
		m.Layers = append(m.Layers, k)
	}
	m.Layers = Ascending(m.Layers)
	return m, nil
}

// Masks are what is deleted with n regions a side, of one layer where one is named (from 1), else
// of those that the options name. The options are such as Check takes.
func (o *Options) Masks(n int, layer ...int) transform.Masks {
	m, _ := o.masks()
	m.N = n
	if len(layer) > 0 {
		m.Layers, m.Auto = layer, false
	}
	return m
}

// Grids are all combinations of N and T, by n, then t. The errors are those of NewGrid.
func (o *Options) Grids() ([]Grid, error) {
	var list []Grid
	for _, n := range Ascending(o.N) {
		for _, t := range Ascending(o.T) {
			g, err := NewGrid(o.Masks(n), t)
			if err != nil {
				return nil, err
			}
			list = append(list, g)
		}
	}
	return list, nil
}

// Ascending are numbers in order, each once.
func Ascending(list []int) []int {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
