package label_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
)

// asked are options of a round with these models.
func asked(change func(*label.Options)) label.Options {
	var o label.Options
	option.SetDefaults(&o)
	o.Naming = label.Naming{Name: " first ", Annotators: []string{"a", "b"}}
	o.Suite, o.Family, o.Modalities = "s", "rotation:-15:15:1", []string{"max@CONF", "CONV-1/mean max@CONF"}
	o.Models, o.Guideline = []string{"m", "n", "o"}, "look"
	if change != nil {
		change(&o)
	}
	return o
}

func number(n int) *int { return &n }

func TestRoundIsAsAskedFor(t *testing.T) {
	family := "rotation:-15:15:1;interpolation=bilinear;border=zero"
	want := label.Round{
		Name: "first", Kind: label.VarianceRound, Suite: "s", Family: family,
		Modalities: []string{"max@CONF", "mean@CONV-1"}, Filter: "all", Classes: 2, Guideline: "look",
		Annotators: []string{"a", "b"}, Blind: true, OrderSeed: 1, Models: []string{"m", "n", "o"},
		Fields: []string{},
	}
	for name, c := range map[string]struct {
		change func(*label.Options)
		want   func(*label.Round)
	}{
		"usual": {func(*label.Options) {}, func(*label.Round) {}},
		"protocol": {
			func(o *label.Options) { o.Reveal, o.Repeats, o.Seed, o.AsListed = "finished", 7.5, 3, true },
			func(r *label.Round) {
				r.Reveal, r.RepeatShare, r.OrderSeed, r.Ordered = label.RevealFinished, 0.075, 3, true
			},
		},
		"open": {func(o *label.Options) { o.Open = true }, func(r *label.Round) { r.Blind = false }},
		"fields": {
			func(o *label.Options) { o.Fields = []string{"epochs"} },
			func(r *label.Round) { r.Fields = []string{"epochs"} },
		},
		"evidence": {
			func(o *label.Options) { o.Curves, o.Pinned = []string{"test_loss"}, []string{"curve:test_loss"} },
			func(r *label.Round) { r.Curves, r.Pinned = []string{"test_loss"}, []string{"curve:test_loss"} },
		},
		"words, order and overlap": {
			func(o *label.Options) {
				o.WordInvariant, o.WordVariant, o.Order, o.Overlap = " robust ", "variant", "useful", 1
			},
			func(r *label.Round) {
				r.Words, r.Order, r.Overlap = map[label.Value]string{label.Invariant: "robust"}, label.OrderUseful, 1
			},
		},
		"known": {
			func(o *label.Options) { o.KnownModels, o.KnownFirst = []string{"n = V", "p=invariant"}, true },
			func(r *label.Round) {
				r.Known, r.KnownFirst = map[string]label.Value{"n": label.Variant, "p": label.Invariant}, true
				r.Models = []string{"m", "n", "o", "p"}
			},
		},
		"sample": {
			func(o *label.Options) { o.Sample = number(2) }, func(r *label.Round) { r.Models = []string{"m", "n"} },
		},
		"scenes": {
			func(o *label.Options) { o.Kind, o.Selection, o.Classes = label.BackgroundRound, "near", 3 },
			func(r *label.Round) {
				r.Kind, r.Suite, r.Family, r.Selection, r.Classes = label.BackgroundRound, "targets", "", "near", 3
				r.Modalities, r.Interpolants = []string{"max@CONF", "max@HEAD"}, []string{"I1", "I2", "I3"}
			},
		},
	} {
		o, want := asked(c.change), want
		c.want(&want)
		got, err := o.Round(label.Round{Suite: "targets"}, nil)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
		again := label.OptionsOf(got)
		testdata.Is(t, fmt.Sprintf("%s: the options of a round make another one", name),
			cmp.Diff(got, testdata.Must(again.Round(label.Round{Suite: "targets"}, nil))(t)), "")
		if again.Kind == label.VarianceRound && option.Check(&again) != nil {
			t.Errorf("%s: %v", name, option.Check(&again))
		}
	}
}

func TestSampleIsDrawnByStrata(t *testing.T) {
	o := asked(func(o *label.Options) { o.Sample, o.Stratum = number(2), "kind" })
	kinds := map[string]string{"m": "x", "n": "x"}
	models, err := o.Drawn(func(model string) string { return kinds[model] })
	if err != nil || len(models) != 2 || models[1] != "o" {
		t.Errorf("%v, %v", models, err)
	}
}

func TestColourRangesStayWhereTheyFit(t *testing.T) {
	o := asked(nil)
	base := testdata.Must(o.Round(label.Round{}, nil))(t)
	base.Ranges = map[string]label.Range{"max@CONF": {High: 0.3}}
	testdata.Is(t, "colour ranges that still fit are dropped", len(testdata.Must(o.Round(base, nil))(t).Ranges), 1)
	o.Modalities = []string{"max@CONF"}
	if r, err := o.Round(base, nil); err != nil || r.Ranges != nil {
		t.Errorf("colour ranges of other matrices are kept: %v", err)
	}
}

// TestSealedAnswersStay: options say nothing of answers that are sealed, and a round that is
// changed keeps them.
func TestSealedAnswersStay(t *testing.T) {
	given := asked(func(o *label.Options) { o.KnownModels = []string{"n=variant", "o=invariant"} })
	sealed := testdata.Must(given.Round(label.Round{}, nil))(t).Sealed()
	o := label.OptionsOf(sealed)
	testdata.Is(t, "check", option.Check(&o), nil)
	testdata.Is(t, "changed", cmp.Diff(sealed, testdata.Must(o.Round(sealed, nil))(t)), "")
	o.Models = []string{"m", "n"}
	testdata.Is(t, "without a model", cmp.Diff(map[string]label.Value{"n": ""},
		testdata.Must(o.Round(sealed, nil))(t).Known), "")
}

func TestWrongOptionsOfARoundAreRefused(t *testing.T) {
	for want, change := range map[string]func(*label.Options){
		"a round needs a name":         func(o *label.Options) { o.Name = " " },
		"at least one annotator":       func(o *label.Options) { o.Annotators = nil },
		"at least one model":           func(o *label.Options) { o.Models = nil },
		"it names no suite":            func(o *label.Options) { o.Suite = "" },
		`"x"`:                          func(o *label.Options) { o.Family = "x" },
		`"big"`:                        func(o *label.Options) { o.Modalities = []string{"big@CONF"} },
		"no matrix":                    func(o *label.Options) { o.Modalities = nil },
		"--repeats takes":              func(o *label.Options) { o.Repeats = 101 },
		"ask for 1 to 3":               func(o *label.Options) { o.Sample = number(4) },
		"--reveal goes without --open": func(o *label.Options) { o.Open, o.Reveal = true, "finished" },
		"one interpolated matrix": func(o *label.Options) {
			o.Kind, o.Selection, o.Interpolants = label.BackgroundRound, "near", nil
		},
		"--order goes without --as-list": func(o *label.Options) { o.AsListed, o.Order = true, "useful" },
		"by 3 annotators; the round has": func(o *label.Options) { o.Overlap = 3 },
		"--overlap takes":                func(o *label.Options) { o.Overlap = -1 },
		"stands for variant already":     func(o *label.Options) { o.WordInvariant = "variant" },
		"labels other than":              func(o *label.Options) { o.WordBorderline = "so so" },
		"write MODEL=LABEL":              func(o *label.Options) { o.KnownModels = []string{"m"} },
		`"good" is no label`:             func(o *label.Options) { o.KnownModels = []string{"m=good"} },
		`model m: "" is no label`:        func(o *label.Options) { o.KnownModels = []string{"m="} },
		"two known answers":              func(o *label.Options) { o.KnownModels = []string{"m=v", "m=i"} },
		"is pinned": func(o *label.Options) {
			o.Curves, o.Pinned = []string{}, []string{"curve:a"}
		},
		"names no selection": func(o *label.Options) { o.Kind = label.BackgroundRound },
		"--filter goes with --kind varia": func(o *label.Options) {
			o.Kind, o.Selection, o.Filter = label.BackgroundRound, "near", "wrong"
		},
	} {
		o := asked(func(o *label.Options) {
			if change(o); o.Kind == label.BackgroundRound {
				o.Suite, o.Family, o.Modalities = "", "", signal.DefaultNames()
			}
		})
		testdata.Refused(t, "the options", option.Check(&o), want)
	}
	if o := asked(nil); option.Check(&o) != nil {
		t.Error(option.Check(&o))
	}
}

// TestUsualMatricesOfRounds: the options write out what other packages declare.
func TestUsualMatricesOfRounds(t *testing.T) {
	var o label.Options
	option.SetDefaults(&o)
	usual := feature.DefaultBackgroundLayout()
	if !slices.Equal(o.Modalities, signal.DefaultNames()) || !slices.Equal(o.Signals, usual.Modalities) ||
		!slices.Equal(o.Interpolants, usual.Background.Interpolants) {
		t.Errorf("%+v", o)
	}
	for _, one := range scatter.Interpolants() {
		if !slices.Contains(o.Interpolants, one.Name()) {
			t.Errorf("%s is missing", one.Name())
		}
	}
	for _, field := range option.Fields(&o) {
		if field.Name == "signals" && !slices.Equal(field.Choices, feature.BackgroundModalities()) {
			t.Errorf("signals %q", field.Choices)
		}
	}
}
