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
	Kind, Output, Mean, Std, Resize, Names string
	// Positions are assigned tensors, one per line: CONV-2=NAME.
	Positions string
	KindBy    model.Authority
	NormBy    model.Authority
	NamesBy   model.Authority
	Outputs   []string // to choose Output from
	Problem   string   // why the settings in force cannot be read; "" when they can
}

// FormOf is the form of a model as it stands.
func FormOf(m model.Model) Form {
	s, err := m.Settings()
	f := Form{
		Kind: string(s.OutputKind), Output: s.Output, Mean: numbers(s.Preprocessing.Mean), Std: numbers(s.Preprocessing.Std),
		Resize: string(s.Preprocessing.Resize), Names: strings.Join(s.ClassNames, ";"), KindBy: s.KindBy, NormBy: s.NormBy,
		NamesBy: s.NamesBy,
	}
	if err != nil {
		f.Problem = present.Sentence(err)
	}
	for _, o := range m.Graph.Outputs {
		f.Outputs = append(f.Outputs, o.Name)
	}
	var lines []string
	for position, tensor := range m.Correction.Positions {
		lines = append(lines, position+"="+tensor)
	}
	slices.Sort(lines)
	f.Positions = strings.Join(lines, "\n")
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
	var c model.Correction
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
	for line := range strings.Lines(f.Positions) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		position, tensor, ok := strings.Cut(line, "=")
		position, tensor = strings.TrimSpace(position), strings.TrimSpace(tensor)
		if !ok || !slices.Contains([]string{model.Conv1, model.Conv2, model.Head}, position) {
			return nil, fmt.Errorf("position %q: write CONV-1=NAME, CONV-2=NAME or HEAD=NAME", line)
		}
		if !slices.Contains(g.Tensors, tensor) {
			return nil, fmt.Errorf("position %s: the model has no tensor %q", position, tensor)
		}
		if assigned == nil {
			assigned = map[string]string{}
		}
		assigned[position] = tensor
	}
	return assigned, nil
}
