package model

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Field is one column of a training record (models.csv), kept as text in file order; unknown columns are kept too.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Epoch is one row of curves.csv: its numbers by column name (train_loss, train_accuracy, test_loss, test_accuracy and
// whatever else the file has). A cell that is empty is absent.
type Epoch struct {
	Epoch  int                `json:"epoch"`
	Values map[string]float64 `json:"values"`
}

// Resize is how an image of another size reaches the model's input size (DESIGN.md section 5).
type Resize string

// Stretch resizes both axes; Crop resizes the shorter side and crops the centre.
const (
	Stretch Resize = "stretch"
	Crop    Resize = "crop"
)

// Preprocessing turns pixels in [0, 1] into the model's input: (x - Mean[c]) / Std[c]. Mean and Std have one entry per
// channel, or one for all.
type Preprocessing struct {
	Mean   []float64 `json:"mean"`
	Std    []float64 `json:"std"`
	Resize Resize    `json:"resize"`
}

// Correction holds what the user has set by hand for one model; an empty field means "not corrected".
type Correction struct {
	OutputKind OutputKind        `json:"output_kind,omitempty"`
	Output     string            `json:"output,omitempty"`
	Mean       []float64         `json:"mean,omitempty"`
	Std        []float64         `json:"std,omitempty"`
	Resize     Resize            `json:"resize,omitempty"`
	ClassNames []string          `json:"class_names,omitempty"`
	Positions  map[string]string `json:"positions,omitempty"` // assigned tensors: CONV-2=NAME
}

// Model is an imported classifier. Identity is Hash; ID is the name that people use, unique in a workspace.
type Model struct {
	Hash  string    `json:"hash"` // SHA-256 of the file, hex
	ID    string    `json:"id"`
	File  string    `json:"file"` // base name at import
	Size  int64     `json:"size"`
	Added time.Time `json:"added"`
	Graph Graph     `json:"graph"`
	// Record is the model's row of models.csv without its id, Curves its rows of curves.csv.
	Record     []Field    `json:"record,omitempty"`
	Curves     []Epoch    `json:"curves,omitempty"`
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
	if s, err := m.Settings(); err == nil && s.OutputKind == Sigmoid {
		list = append(list, fmt.Sprintf("%d independent probabilities, which need not sum to 1; JS and KL are means over the classes", s.Classes))
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
var settingColumns = []string{"output_kind", "mean", "std", "class_names"}

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
	NormBy        Authority
	ClassNames    []string // nil when unnamed
	NamesBy       Authority
}

// Settings derives what is in force from correction, record, metadata, graph and probe, in that order.
// It returns an error that names the model when a record or metadata value cannot be read.
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
			return s, fmt.Errorf("model %s: output %q has %d numbers per image; %s is one", m.ID, out.Name, out.Classes, s.OutputKind)
		}
		s.Classes = 2
	}
	if s.Preprocessing, s.NormBy, err = m.preprocessing(); err != nil {
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
		return Output{}, fmt.Errorf("model %s: no class output %q; choose one of %s", m.ID, m.Correction.Output, m.Graph.OutputWords())
	}
	return Output{}, fmt.Errorf("model %s: no output of form (N, C)", m.ID)
}

// outputKind is the kind in force. One number per image is about the second of two classes,
// whatever the words say: a probability or a logit.
func (m Model) outputKind(out Output) (OutputKind, Authority, error) {
	kind, by, err := m.saidKind(out)
	if out.Classes == 1 && !kind.Binary() {
		kind = map[OutputKind]OutputKind{Sigmoid: BinaryProbability, Probabilities: BinaryProbability}[kind]
		if kind == "" {
			kind = BinaryLogit
		}
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
			return "", "", fmt.Errorf("model %s: output_kind %q in %s is none of %s", m.ID, from.text, from.by, kindWords())
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

func (m Model) preprocessing() (Preprocessing, Authority, error) {
	p := Preprocessing{Mean: []float64{0}, Std: []float64{1}, Resize: Stretch}
	if m.Graph.Input.Type.Whole() {
		p.Std = []float64{1.0 / 255} // pixel values of 0..255
	}
	if m.Correction.Resize != "" {
		p.Resize = m.Correction.Resize
	}
	if len(m.Correction.Mean) > 0 && len(m.Correction.Std) > 0 {
		p.Mean, p.Std = m.Correction.Mean, m.Correction.Std
		return p, ByUser, m.checkNorm(p, ByUser)
	}
	for _, from := range []struct {
		mean, std string
		by        Authority
	}{
		{m.Value("mean"), m.Value("std"), ByRecord},
		{m.Graph.Metadata["mean"], m.Graph.Metadata["std"], ByMetadata},
	} {
		if from.mean == "" || from.std == "" {
			continue
		}
		mean, err1 := ParseNumbers(from.mean)
		std, err2 := ParseNumbers(from.std)
		if err1 != nil || err2 != nil {
			return p, "", fmt.Errorf("model %s: mean %q or std %q in %s is not a list of numbers", m.ID, from.mean, from.std, from.by)
		}
		p.Mean, p.Std = mean, std
		return p, from.by, m.checkNorm(p, from.by)
	}
	return p, ByDefault, nil
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
	for _, from := range []struct {
		text string
		by   Authority
	}{{m.Value("class_names"), ByRecord}, {m.Graph.Metadata["class_names"], ByMetadata}} {
		if from.text == "" {
			continue
		}
		names, err := parseNames(from.text)
		if err != nil {
			return nil, "", fmt.Errorf("model %s: class_names in %s: %w", m.ID, from.by, err)
		}
		return names, from.by, nil
	}
	return nil, ByDefault, nil
}

// ParseNumbers reads a list of finite numbers, written as a JSON list or separated by semicolons (models.csv).
func ParseNumbers(text string) ([]float64, error) {
	text = strings.TrimSpace(text)
	var list []float64
	if strings.HasPrefix(text, "[") {
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return nil, fmt.Errorf("%q is not a list of numbers: %w", text, err)
		}
	} else {
		for part := range strings.SplitSeq(text, ";") {
			v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
			if err != nil {
				return nil, fmt.Errorf("%q is not a number", part)
			}
			list = append(list, v)
		}
	}
	for _, v := range list {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q holds a number that is not finite", text)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%q holds no number", text)
	}
	return list, nil
}

// parseNames reads class names as a JSON list of strings (or numbers), or separated by semicolons.
func parseNames(text string) ([]string, error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "[") {
		return strings.Split(text, ";"), nil
	}
	var list []any
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("%q is not a list of names: %w", text, err)
	}
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = fmt.Sprint(v)
	}
	return names, nil
}
