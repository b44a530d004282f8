package model

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/recipe"
)

// Field is one column of a training record (models.csv), kept as text in file order; unknown
// columns are kept too.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Epoch is one row of curves.csv: its numbers by column name (train_loss, train_accuracy,
// test_loss, test_accuracy and whatever else the file has). A cell that is empty is absent.
type Epoch struct {
	Epoch  int                `json:"epoch"`
	Values map[string]float64 `json:"values"`
}

// Curves are the loss curves of a model, and what they are over.
type Curves struct {
	Epochs []Epoch
	Steps  bool
}

// Correction holds what the user has set by hand for one model; an empty field means "not
// corrected".
type Correction struct {
	OutputKind OutputKind        `json:"output_kind,omitempty"`
	Output     string            `json:"output,omitempty"`
	Mean       []float64         `json:"mean,omitempty"`
	Std        []float64         `json:"std,omitempty"`
	Resize     Resize            `json:"resize,omitempty"`
	Recipe     string            `json:"recipe,omitempty"` // a name or text; Mean and Std stand above its own
	Batch      int               `json:"batch,omitempty"`  // images of a batch where the file leaves that open
	ClassNames []string          `json:"class_names,omitempty"`
	Positions  map[string]string `json:"positions,omitempty"` // assigned tensors: CONV-2=NAME
}

// None tells whether nothing is corrected.
func (c Correction) None() bool { return reflect.ValueOf(c).IsZero() }

// ParsePosition reads CONV-2=NAME, the tensor that shall stand for a position of a graph.
func ParsePosition(text string, g Graph) (position, tensor string, err error) {
	position, tensor, ok := strings.Cut(text, "=")
	position, tensor = strings.TrimSpace(position), strings.TrimSpace(tensor)
	if !ok || !slices.Contains([]string{Conv1, Conv2, Head}, position) {
		return "", "", fmt.Errorf("position %q: write CONV-1=NAME, CONV-2=NAME or HEAD=NAME", text)
	}
	if !slices.Contains(g.Tensors, tensor) {
		return "", "", fmt.Errorf("position %s: the model has no tensor %q", position, tensor)
	}
	return position, tensor, nil
}

// Model is an imported classifier. Identity is Hash; ID is the name that people use, unique in a
// workspace.
type Model struct {
	Hash  string    `json:"hash"` // SHA-256 of the file, hex
	ID    string    `json:"id"`
	File  string    `json:"file"` // base name at import
	Size  int64     `json:"size"`
	Added time.Time `json:"added"`
	Graph Graph     `json:"graph"`
	// Record is the model's row of models.csv without its id, Curves its rows of curves.csv or of a
	// log of its training. With Steps their numbers count steps of the training, not epochs.
	Record     []Field    `json:"record,omitempty"`
	Curves     []Epoch    `json:"curves,omitempty"`
	Steps      bool       `json:"steps,omitempty"`
	Beside     []Beside   `json:"beside,omitempty"` // files beside the model at import, strongest first
	Correction Correction `json:"correction"`
	// Unsteady says why results for an image are not the same each time, of a model that was taken
	// all the same; empty for all others.
	Unsteady string `json:"unsteady,omitempty"`
	// OneByOne says why images are computed one at a time although the file leaves its batch open,
	// else empty.
	OneByOne string `json:"one_by_one,omitempty"`
	// ProbedKind is what the 64-image probe found, the last authority; empty when not probed.
	ProbedKind OutputKind `json:"probed_kind,omitempty"`
	// Probes are the probes that passed, by name (positions and batch; engine.Feed.ProbeName),
	// with the shapes of the results, class output first, batch axis included. Those that older
	// versions kept without shapes are passed over.
	Probes map[string][][]int64 `json:"probed,omitempty"`
	// Compared are the largest differences of its softmax on other devices from that on the
	// processor, over some images of a suite, by the probe's name there and the library's version.
	Compared map[string]float64 `json:"compared,omitempty"`
}

// Badges are what a reader must know of the model at a glance (DESIGN.md section 1), a sentence
// each without its end.
func (m Model) Badges() (list []string) {
	if m.Unsteady != "" {
		list = append(list, "not deterministic: "+m.Unsteady)
	}
	if m.OneByOne != "" {
		list = append(list, "one image at a time: "+m.OneByOne)
	}
	s, err := m.Settings()
	if err != nil {
		return list
	}
	if in := m.Graph.Input; in.Scaling != "" && !in.Type.Whole() && s.By(recipe.OfRange) == ByDefault {
		list = append(list, fmt.Sprintf("begins with %s by constants, and nothing says which pixels it wants: "+
			"give it the recipe raw-255 for 0..255, or scale=1 for 0..1", in.Scaling))
	}
	if s.OutputKind == Sigmoid {
		list = append(list,
			fmt.Sprintf("%d independent probabilities, which need not sum to 1; "+
				"JS and KL are means over the classes", s.Classes))
	}
	return list
}

// Value returns the record's column of that name, "" when there is none.
func (m Model) Value(column string) string {
	for _, f := range m.Record {
		if f.Name == column {
			return f.Value
		}
	}
	return ""
}

// settingColumns are the columns of a record that Settings reads.
var settingColumns = []string{"output_kind", "recipe", "mean", "std", "class_names"}

// IsSetting tells whether a column of a record says how the model is run.
func IsSetting(column string) bool { return slices.Contains(settingColumns, column) }

// Authority names where a setting came from, in the order of DESIGN.md section 4.
type Authority string

// The authorities, strongest first.
const (
	ByUser     Authority = "correction"
	ByRecord   Authority = "models.csv"
	ByMetadata Authority = "onnx metadata"
	ByGraph    Authority = "graph"
	ByProbe    Authority = "probe"
	ByDefault  Authority = "default"
)

// Settings are what is in force for a model, each with the authority that set it.
type Settings struct {
	OutputKind    OutputKind
	KindBy        Authority
	Output        string // name of the class output
	Classes       int    // 0 when the file does not say
	Preprocessing Preprocessing
	Recipe        recipe.Recipe // Preprocessing in full, with the input's size where the file tells it
	RecipeBy      []Origin      // strongest first; groups that no place set have their defaults
	Notes         []string      // how the recipe was understood, where people should know
	NormBy        Authority     // of range, mean and std
	ClassNames    []string      // nil when unnamed
	NamesBy       Authority
}

// Settings derives what is in force from correction, record, metadata, graph and probe, in that
// order. It returns an error that names the model when a record or metadata value cannot be read.
func (m Model) Settings() (Settings, error) {
	s := Settings{}
	out, err := m.output()
	if err != nil {
		return s, err
	}
	s.Output, s.Classes = out.Name, out.Classes
	if s.OutputKind, s.KindBy, err = m.outputKind(out); err != nil {
		return s, err
	}
	if s.OutputKind.Binary() {
		if out.Classes > 1 {
			return s, fmt.Errorf("model %s: output %q has %d numbers per image; %s is one",
				m.ID, out.Name, out.Classes, s.OutputKind)
		}
		s.Classes = 2
	}
	if err = m.preprocessing(&s); err != nil {
		return s, err
	}
	s.ClassNames, s.NamesBy, err = m.classNames()
	return s, err
}

func (m Model) output() (Output, error) {
	for _, o := range m.Graph.Outputs {
		if m.Correction.Output == "" || o.Name == m.Correction.Output {
			return o, nil
		}
	}
	if m.Correction.Output != "" {
		return Output{}, fmt.Errorf("model %s: no class output %q; choose one of %s", m.ID, m.Correction.Output,
			m.Graph.OutputWords())
	}
	return Output{}, fmt.Errorf("model %s: no output of form (N, C)", m.ID)
}

// outputKind is the kind in force. One number per image is about the second of two classes,
// whatever the words say: a probability or a logit.
func (m Model) outputKind(out Output) (OutputKind, Authority, error) {
	kind, by, err := m.saidKind(out)
	if out.Classes == 1 && !kind.Binary() {
		kind = map[OutputKind]OutputKind{Sigmoid: BinaryProbability, Probabilities: BinaryProbability}[kind]
		kind = cmp.Or(kind, BinaryLogit)
	}
	return kind, by, err
}

func (m Model) saidKind(out Output) (OutputKind, Authority, error) {
	if m.Correction.OutputKind != "" {
		return m.Correction.OutputKind, ByUser, nil
	}
	for _, from := range []struct {
		text string
		by   Authority
	}{{m.Value("output_kind"), ByRecord}, {m.Graph.Metadata["output_kind"], ByMetadata}} {
		if from.text == "" {
			continue
		}
		kind, ok := ParseOutputKind(from.text)
		if !ok {
			return "", "", fmt.Errorf("model %s: output_kind %q in %s is none of %s", m.ID, from.text, from.by,
				kindWords())
		}
		return kind, from.by, nil
	}
	if out.Kind != "" {
		return out.Kind, ByGraph, nil
	}
	if m.ProbedKind != "" {
		return m.ProbedKind, ByProbe, nil
	}
	return Logits, ByDefault, nil
}

func kindWords() string {
	var words []string
	for _, kind := range OutputKinds() {
		words = append(words, string(kind))
	}
	return strings.Join(words, ", ")
}

func (m Model) checkNorm(p Preprocessing, by Authority) error {
	for _, list := range [][]float64{p.Mean, p.Std} {
		if len(list) != 1 && m.Graph.Input.Channels > 0 && len(list) != m.Graph.Input.Channels {
			return fmt.Errorf("model %s: mean and std in %s need 1 or %d numbers", m.ID, by, m.Graph.Input.Channels)
		}
	}
	for _, s := range p.Std {
		if s == 0 {
			return fmt.Errorf("model %s: std in %s must not be 0", m.ID, by)
		}
	}
	return nil
}

func (m Model) classNames() ([]string, Authority, error) {
	if len(m.Correction.ClassNames) > 0 {
		return m.Correction.ClassNames, ByUser, nil
	}
	if text := m.Value("class_names"); text != "" {
		names, err := recipe.ClassNames(text)
		if err != nil {
			return nil, "", fmt.Errorf("model %s: class_names in %s: %w", m.ID, ByRecord, err)
		}
		return names, ByRecord, nil
	}
	for _, b := range m.Beside {
		if b.ClassProblem != "" {
			return nil, "", fmt.Errorf("model %s: %s: %s", m.ID, b.Name, b.ClassProblem)
		}
		if len(b.Classes) > 0 {
			return b.Classes, Authority(b.Name), nil
		}
	}
	said := recipe.FromMetadata(m.Graph.Metadata)
	if said.ClassErr != nil {
		return nil, "", fmt.Errorf("model %s: %s: %w", m.ID, ByMetadata, said.ClassErr)
	}
	if said.Classes != nil {
		return said.Classes, ByMetadata, nil
	}
	return nil, ByDefault, nil
}

// ParseNumbers reads a list of finite numbers in any form that a recipe's sources have.
func ParseNumbers(text string) ([]float64, error) { return recipe.Numbers(text) }
