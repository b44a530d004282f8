package label

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
)

// Naming says what a round is called and who labels it.
type Naming struct {
	Name       string   `help:"Name of a new round."`
	Annotators []string `help:"Annotators of a new round."`
}

// Protocol says how the annotators of a round work.
type Protocol struct {
	Open     bool    `help:"Annotators of a new round see each other's labels; without it the round is blind." label:"open: annotators see each other's labels"`
	Reveal   string  `help:"When annotators of a new blind round see each other's labels: when it is closed, or each when they have finished." label:"Blind until" default:"closed" enum:"closed,finished" names:"the round is closed|an annotator has finished" when:"open=false"`
	Repeats  float64 `help:"Share of the models of a new round that come again unannounced; it measures how far people agree with themselves. 5 is usual." placeholder:"PERCENT" min:"0" max:"100" unit:"percent"`
	Seed     uint64  `help:"Seed of the order in which annotators see the models, each in an order of their own." default:"1"`
	AsListed bool    `help:"Annotators see the models in the order of the list, not each in an order of their own." label:"as listed: annotators see the models in the order of the list"`
	Order    string  `help:"Order of the models of a new round: random, or useful for the most useful first. From 10 labels of two classes on these are the models that an assessor trained on the annotator's own labels is least sure of; in open rounds those on which annotators differ come before them." default:"random" enum:"random,useful" names:"random|most useful first" when:"as-listed=false"`
	Overlap  int     `help:"How many of the annotators label each model of a new round; they are assigned evenly." placeholder:"K" unit:"annotators" zero:"all" min:"0"`
}

// Wording are a round's own names of labels.
type Wording struct {
	WordInvariant  string `help:"What a new round calls invariant, such as robust; files keep the usual word." label:"Word for invariant" placeholder:"invariant"`
	WordBorderline string `help:"What a new round calls borderline." label:"Word for borderline" placeholder:"borderline"`
	WordVariant    string `help:"What a new round calls variant." label:"Word for variant" placeholder:"variant"`
}

// texts are the words by label, as the options have them.
func (w *Wording) texts() map[Value]*string {
	return map[Value]*string{Invariant: &w.WordInvariant, Borderline: &w.WordBorderline, Variant: &w.WordVariant}
}

// Set gives a round the words that are not the usual ones.
func (w Wording) Set(r *Round) {
	r.Words = nil
	for v, word := range w.texts() {
		if text := strings.TrimSpace(*word); text != "" && text != string(v) {
			if r.Words == nil {
				r.Words = map[Value]string{}
			}
			r.Words[v] = text
		}
	}
}

// Showing is what annotators see beside the matrices.
type Showing struct {
	Fields []string `help:"Fields of the models' training records that annotators see; packages and reports of the round hold no others." label:"Record"`
	Curves []string `help:"Training curves that annotators see, such as test_loss; packages and reports of the round hold no others." label:"Curves"`
	Pinned []string `help:"Those of the fields and curves (curve:NAME) that keep a fixed place on the screen, in this order." placeholder:"NAME"`
}

// Calibration says which models of a round have a known answer.
type Calibration struct {
	Known       string   `help:"Where models with a known answer come from, by which annotators of a new round are calibrated: an earlier round, of which the adjudicated models count, or a file of labels (labels_long.csv, labels_wide.csv or .vlabels), of which all count that have a final label or a majority." label:"Known answers of" placeholder:"FILE|ROUND" source:"known" study:"name"`
	KnownModels []string `help:"Models with a known answer, each as MODEL=LABEL." label:"Known answers" placeholder:"MODEL=LABEL"`
	KnownFirst  bool     `help:"Models with a known answer come first, not mixed in among the others." label:"known first: models with a known answer come before the others"`
}

// Set gives a round the known models (hashes) of KnownModels; those that it does not have come to
// it. Its sealed answers, which KnownModels cannot say, stay. The error names what is no
// MODEL=LABEL of the round. Known is for whoever can read rounds and files.
func (c Calibration) Set(r *Round) error {
	r.Known, r.KnownFirst = maps.Clone(r.Known), c.KnownFirst
	maps.DeleteFunc(r.Known, func(model string, v Value) bool { return v != "" || !slices.Contains(r.Models, model) })
	r.Models = slices.Clone(r.Models)
	for _, pair := range c.KnownModels {
		model, text, ok := strings.Cut(pair, "=")
		model = strings.TrimSpace(model)
		if !ok || model == "" {
			return fmt.Errorf("%q is no known answer; write MODEL=LABEL", pair)
		}
		v, err := r.ParseWord(text)
		if err != nil {
			return fmt.Errorf("known answer of model %s: %w", model, err)
		}
		if before := r.Known[model]; before != "" && before != v {
			return fmt.Errorf("model %s has two known answers, %s and %s; keep one", model, before, v)
		}
		if r.Known == nil {
			r.Known = map[string]Value{}
		}
		if r.Known[model] = v; !slices.Contains(r.Models, model) {
			r.Models = append(r.Models, model)
		}
	}
	return nil
}

// knownModels are a round's known answers as Calibration has them, without sealed ones.
func (r Round) knownModels() (pairs []string) {
	for _, model := range r.Models {
		if v := r.Known[model]; v != "" {
			pairs = append(pairs, model+"="+string(v))
		}
	}
	return pairs
}

// Set gives a round the protocol.
func (p Protocol) Set(r *Round) {
	r.Blind, r.Reveal = !p.Open, RevealClosed
	if !p.Open && p.Reveal == string(RevealFinished) {
		r.Reveal = RevealFinished
	}
	r.OrderSeed, r.Ordered, r.RepeatShare = p.Seed, p.AsListed, p.Repeats/100
	if r.Order, r.Overlap = "", p.Overlap; p.Order == OrderUseful {
		r.Order = OrderUseful
	}
}

// Options are what is asked for a round. Suites, selections and models are named by their hashes,
// annotators by their ids, where they have one.
type Options struct {
	Naming
	Classes int `help:"Whether models can be called borderline, too." enum:"2,3" names:"2: invariant, variant|3: with borderline" default:"2"`
	Wording
	Protocol
	Kind         RoundKind `help:"What the models are judged by: variance matrices of a family of transformations, or what they do in testing scenes." label:"Invariance to" enum:"variance,background" names:"changes of the image|backgrounds" default:"variance"`
	Suite        string    `help:"Suite whose images the models saw." label:"Test suite" source:"suites" when:"kind=variance"`
	Family       string    `help:"Family of transformations." when:"kind=variance"`
	Selection    string    `help:"Testing scenes that the models saw." source:"selections" when:"kind=background"`
	Models       []string  `help:"Models that are labelled." source:"models"`
	Sample       *int      `help:"How many of these models are drawn for the round; without a number it has all of them." placeholder:"all of them" min:"1"`
	SampleSeed   uint64    `help:"Seed of the draw." default:"1" when:"sample"`
	Stratum      string    `help:"Draw from all models alike, or from those of each value of a field of their records its share." label:"Drawn" source:"strata" when:"sample"`
	Modalities   []string  `help:"Matrices that annotators see, such as max@CONF, mean@CONV-1." label:"Matrices" default:"max@CONF,max@CONV-1,mean@CONV-1,max@CONV-2,mean@CONV-2" when:"kind=variance"`
	Filter       string    `help:"Images that the matrices are made of: all, or those that the model recognises or not." label:"Images" source:"filters" default:"all" when:"kind=variance"`
	Signals      []string  `help:"Signals that annotators see." default:"max@CONF,max@HEAD" enum:"max@CONF,max@HEAD,true@CONF,mean@HEAD" when:"kind=background"`
	Interpolants []string  `help:"Each signal is shown as a scatter plot over semantic distances, and as one interpolated matrix for each of these." label:"Matrices" default:"I1,I2,I3" when:"kind=background"`
	Calibration
	Showing
	Guideline string `help:"How the models are to be judged, as markdown."`
}

// OptionsOf are the options that make a round as r is.
func OptionsOf(r Round) (o Options) {
	option.SetDefaults(&o)
	o.Naming, o.Classes, o.Kind, o.Models = Naming{r.Name, r.Annotators}, r.Classes, r.Kind, r.Models
	o.Showing, o.Guideline = Showing{r.Fields, r.Curves, r.Pinned}, r.Guideline
	for v, word := range o.texts() {
		*word = r.Words[v]
	}
	o.KnownModels, o.KnownFirst = r.knownModels(), r.KnownFirst
	percent := math.Round(1e6*r.RepeatShare) / 1e4 // 7, where 100 * 0.07 is a little more
	o.Protocol = Protocol{
		!r.Blind, cmp.Or(string(r.Reveal), "closed"), percent, max(r.OrderSeed, 1), r.Ordered,
		cmp.Or(r.Order, "random"), r.Overlap,
	}
	if r.Kind == BackgroundRound {
		o.Selection, o.Signals, o.Interpolants = r.Selection, r.Modalities, r.Interpolants
	} else {
		o.Suite, o.Family, o.Modalities, o.Filter = r.Suite, r.Family, r.Modalities, cmp.Or(r.Filter, "all")
	}
	return o
}

// Check implements the check of options. A background round is on the suite of its selection, which
// only the workspace knows.
func (o *Options) Check() error {
	_, err := o.Round(Round{Suite: "that of the selection"}, nil)
	return err
}

// Round makes base the round that is asked for. Of base stay the id, creation and parent, the
// pictures, of a background round the suite, and the colour ranges where these are right for what
// is shown now. Value is the value of a model (hash) by which a sample is drawn, as Drawn takes it.
// Errors say what to ask for instead.
func (o Options) Round(base Round, value func(model string) string) (Round, error) {
	r := base
	r.Name, r.Annotators, r.Classes, r.Kind = strings.TrimSpace(o.Name), o.Annotators, o.Classes, o.Kind
	r.Filter, r.Fields, r.Guideline = o.Filter, append([]string{}, o.Fields...), o.Guideline
	r.Curves, r.Pinned = o.Curves, o.Pinned
	o.Protocol.Set(&r)
	o.Wording.Set(&r)
	if err := o.judged(&r); err != nil {
		return r, err
	}
	var err error
	if r.Models, err = o.Drawn(value); err != nil {
		return r, err
	}
	if err := o.Calibration.Set(&r); err != nil {
		return r, err
	}
	same := base.Kind == r.Kind && base.Suite == r.Suite && base.Family == r.Family && base.Filter == r.Filter
	if !same || !slices.Equal(base.Modalities, r.Modalities) {
		r.Ranges = nil // those of other signals
	}
	return r, r.Validate()
}

// judged sets what the annotators judge: matrices of a family, or signals in the scenes of a
// selection.
func (o Options) judged(r *Round) (err error) {
	if o.Kind == BackgroundRound {
		if len(o.Interpolants) == 0 {
			return errors.New("choose at least one interpolated matrix: I1, I2 or I3")
		}
		r.Selection, r.Family, r.Modalities, r.Interpolants = o.Selection, "", o.Signals, o.Interpolants
		return nil
	}
	family, err := transform.Parse(o.Family)
	if err != nil {
		return err
	}
	r.Suite, r.Selection, r.Family, r.Interpolants = o.Suite, "", family.String(), nil
	r.Modalities, err = signal.ModalityNames(strings.Join(o.Modalities, ","))
	return err
}

// Drawn are the models of the round: all, or a sample of them. With a column to draw by, value is a
// model's value in it; nil draws from all models alike.
func (o Options) Drawn(value func(model string) string) ([]string, error) {
	if o.Sample == nil || len(o.Models) == 0 {
		return o.Models, nil
	}
	var strata []string
	if value != nil && o.Stratum != "" {
		for _, model := range o.Models {
			strata = append(strata, value(model))
		}
	}
	return Sample(o.Models, strata, *o.Sample, o.SampleSeed)
}
