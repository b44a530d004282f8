package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/present"
)

// Form is the settings in force of a model as texts that can be edited, each with the authority
// that set it. Mean, std and resize are what the recipe's text leaves out.
type Form struct {
	Recipe    string          `label:"recipe" help:"How an image becomes the input: a name such as imagenet or raw-255, or a text such as resize=shorter:256;crop=center:224x224. Empty for what the model's files say." placeholder:"as the model's files say"`
	Mean      string          `label:"mean" help:"Is taken from the pixels' values: a number, or one for each channel with ; between them."`
	Std       string          `label:"std" help:"Divides what is left: a number, or one for each channel with ; between them."`
	Resize    string          `label:"resize" help:"How images of another size become as large as the model takes, where the recipe does not say it." source:"resizes"`
	Kind      string          `label:"output kind" help:"What the numbers of the output are." source:"kinds"`
	Output    string          `label:"output" help:"The output that holds the predictions." source:"outputs"`
	Batch     int             `label:"batch" help:"Images of a batch, for a file that leaves that open. Empty for what a run chooses." zero:"as a run chooses"`
	Names     string          `label:"classes" help:"Names of the classes in the output's order." placeholder:"unnamed; write a;b;c"`
	Positions []string        `label:"positions" help:"Tensors that are assigned by hand, one a line." placeholder:"CONV-2=NAME of a tensor" sep:"none"`
	KindBy    model.Authority `kong:"-" window:"-"`
	NamesBy   model.Authority `kong:"-" window:"-"`
	RecipeBy  string          `kong:"-" window:"-"` // the places that say how an image becomes the input
	Outputs   []string        `kong:"-" window:"-"` // to choose Output from
	Problem   string          `kong:"-" window:"-"` // why the settings in force cannot be read; "" when they can
}

// FormOf is the form of a model as it stands.
func FormOf(m model.Model) Form {
	s, err := m.Settings()
	f := Form{
		Kind: string(s.OutputKind), Output: s.Output, Mean: numbers(s.Preprocessing.Mean),
		Std: numbers(s.Preprocessing.Std), Resize: string(s.Preprocessing.Resize),
		Names: strings.Join(s.ClassNames, ";"), KindBy: s.KindBy, NamesBy: s.NamesBy, Recipe: s.Preprocessing.Recipe,
		Batch: m.Correction.Batch,
	}
	if err == nil {
		f.RecipeBy = s.RecipeFrom()
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

// Named is the form with one of the named recipes in place of recipe, mean, std and resize, each as
// a text that can be edited.
func (f Form) Named(name string) Form {
	f.Recipe = name
	f = f.adopt()
	if r, ok := recipe.Named(name); ok {
		r.Mean, r.Std = nil, nil
		f.Recipe = r.Text()
	}
	return f
}

// adopt brings mean, std and resize in line with a recipe that says them itself.
func (f Form) adopt() Form {
	part, err := recipe.Read(f.Recipe)
	if err != nil {
		return f
	}
	if _, named := recipe.Named(strings.TrimSpace(f.Recipe)); named || len(part.Mean)+len(part.Std) > 0 {
		f.Mean, f.Std = "0", "1"
		if len(part.Mean) > 0 {
			f.Mean = numbers(part.Mean)
		}
		if len(part.Std) > 0 {
			f.Std = numbers(part.Std)
		}
	}
	if part.Sets&recipe.OfGeometry != 0 {
		f.Resize = ""
	}
	return f
}

// Correction is what the edited form corrects of a model: a field that says what would be in force
// anyway corrects nothing. Where the recipe alone was edited and says mean and std, these are the
// recipe's. The error is a sentence that names the field.
func (f Form) Correction(m model.Model) (model.Correction, error) {
	if shown := FormOf(m); f.Recipe != shown.Recipe && f.Mean == shown.Mean && f.Std == shown.Std {
		f = f.adopt()
	}
	bare := m
	bare.Correction = model.Correction{}
	base := FormOf(bare)
	c := model.Correction{Batch: f.Batch}
	if f.Batch < 0 {
		return c, fmt.Errorf("a batch of %d images is not possible", f.Batch)
	}
	if text := strings.TrimSpace(f.Recipe); text != base.Recipe {
		c.Recipe = text
	}
	if c.Recipe != "" { // what is in force without a further correction is what this recipe says
		if _, err := recipe.Read(c.Recipe); err != nil {
			return c, err
		}
		bare.Correction.Recipe = c.Recipe
		before := base
		if base = FormOf(bare); base.Problem != "" {
			base.Mean, base.Std, base.Resize = before.Mean, before.Std, before.Resize
		}
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
	if part, err := recipe.Read(c.Recipe); f.Resize != base.Resize && (err != nil || part.Sets&recipe.OfGeometry == 0) {
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

// normalisation corrects mean and std together, since one without the other means nothing; both
// empty are those of the recipe.
func (f Form) normalisation(base Form, c *model.Correction) error {
	if f.Mean == base.Mean && f.Std == base.Std || strings.TrimSpace(f.Mean+f.Std) == "" {
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
