package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/present"
)

// Form is the settings in force of a model as texts that can be edited, each with the authority
// that set it.
type Form struct {
	Kind      string          `label:"output kind" help:"What the numbers of the output are." source:"kinds"`
	Output    string          `label:"output" help:"The output that holds the predictions." source:"outputs"`
	Mean      string          `label:"mean" help:"Is taken from the pixels' values: a number, or one for each channel with ; between them."`
	Std       string          `label:"std" help:"Divides what is left: a number, or one for each channel with ; between them."`
	Resize    string          `label:"resize" help:"How images of another size become as large as the model takes." source:"resizes"`
	Recipe    string          `label:"recipe" help:"How else an image becomes the input: a name such as imagenet or raw-255, or a text." placeholder:"pixels of 0 to 1; write resize=shorter:256;crop=center:224x224"`
	Names     string          `label:"classes" help:"Names of the classes in the output's order." placeholder:"unnamed; write a;b;c"`
	Positions []string        `label:"positions" help:"Tensors that are assigned by hand, one a line." placeholder:"CONV-2=NAME of a tensor" sep:"none"`
	KindBy    model.Authority `kong:"-" window:"-"`
	NormBy    model.Authority `kong:"-" window:"-"`
	NamesBy   model.Authority `kong:"-" window:"-"`
	RecipeBy  string          `kong:"-" window:"-"` // places, and the recipe in words
	Outputs   []string        `kong:"-" window:"-"` // to choose Output from
	Problem   string          `kong:"-" window:"-"` // why the settings in force cannot be read; "" when they can
}

// FormOf is the form of a model as it stands.
func FormOf(m model.Model) Form {
	s, err := m.Settings()
	f := Form{
		Kind: string(s.OutputKind), Output: s.Output, Mean: numbers(s.Preprocessing.Mean), Std: numbers(s.Preprocessing.Std),
		Resize: string(s.Preprocessing.Resize), Names: strings.Join(s.ClassNames, ";"), KindBy: s.KindBy, NormBy: s.NormBy,
		NamesBy: s.NamesBy, Recipe: s.Preprocessing.Recipe,
	}
	if err == nil {
		f.RecipeBy = s.RecipeFrom() + ": " + s.Recipe.Words()
	}
	if err != nil {
		f.Problem = present.Sentence(err)
	}
	for _, o := range m.Graph.Outputs {
		f.Outputs = append(f.Outputs, o.Name)
	}
	for position, tensor := range m.Correction.Positions {
		f.Positions = append(f.Positions, position+"="+tensor)
	}
	slices.Sort(f.Positions)
	return f
}

func numbers(list []float64) string {
	texts := make([]string, len(list))
	for k, v := range list {
		texts[k] = result.Number.Write(v)
	}
	return strings.Join(texts, ";")
}

// Correction is what the edited form corrects of a model: a field that says what would be in force
// anyway corrects nothing. The error is a sentence that names the field.
func (f Form) Correction(m model.Model) (model.Correction, error) {
	bare := m
	bare.Correction = model.Correction{}
	base := FormOf(bare)
	c := model.Correction{Batch: m.Correction.Batch}
	if recipe := strings.TrimSpace(f.Recipe); recipe != base.Recipe {
		c.Recipe = recipe
	}
	if f.Kind != base.Kind {
		kind, ok := model.ParseOutputKind(f.Kind)
		if !ok {
			return c, fmt.Errorf("output kind %q is none of logits, probabilities, log-probabilities", f.Kind)
		}
		c.OutputKind = kind
	}
	if f.Output != base.Output {
		c.Output = f.Output
	}
	if f.Resize != base.Resize {
		c.Resize = model.Resize(f.Resize)
	}
	if err := f.normalisation(base, &c); err != nil {
		return c, err
	}
	if strings.TrimSpace(f.Names) != base.Names {
		c.ClassNames = splitNames(f.Names)
	}
	positions, err := f.positions(m.Graph)
	if err != nil {
		return c, err
	}
	c.Positions = positions
	changed := m
	changed.Correction = c
	s, err := changed.Settings()
	if err != nil {
		return c, err
	}
	if n := len(c.ClassNames); n > 0 && s.Classes > 0 && n != s.Classes {
		return c, fmt.Errorf("%d class names for %d classes", n, s.Classes)
	}
	return c, nil
}

// normalisation corrects mean and std together, since one without the other means nothing.
func (f Form) normalisation(base Form, c *model.Correction) error {
	if f.Mean == base.Mean && f.Std == base.Std {
		return nil
	}
	var err error
	if c.Mean, err = model.ParseNumbers(f.Mean); err != nil {
		return fmt.Errorf("mean: %w", err)
	}
	if c.Std, err = model.ParseNumbers(f.Std); err != nil {
		return fmt.Errorf("std: %w", err)
	}
	return nil
}

func splitNames(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var names []string
	for name := range strings.SplitSeq(text, ";") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

func (f Form) positions(g model.Graph) (map[string]string, error) {
	var assigned map[string]string
	for _, line := range f.Positions {
		position, tensor, err := model.ParsePosition(line, g)
		if err != nil {
			return nil, err
		}
		if assigned == nil {
			assigned = map[string]string{}
		}
		assigned[position] = tensor
	}
	return assigned, nil
}
