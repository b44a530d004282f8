package signal

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
)

// Modality is how the tensor of a position becomes one number per image, or one distance per pair
// of transformations.
type Modality struct {
	Position string
	Reducer  Reducer // scalar modalities
	Order    float64 // 0 for a scalar modality, else the vector order p: 1, 2, 3, ... or +Inf
}

// Vector says whether the modality compares whole tensors.
func (m Modality) Vector() bool { return m.Order != 0 }

// Bound is f+ of spec/variance.md section 9, the largest |dif|, where nothing has to be measured: a
// reduced softmax vector lies in [0, 1], and two of them are at most 2^(1/p) apart in the order p.
// Elsewhere f+ is not known.
func (m Modality) Bound() (bound float64, known bool) {
	switch {
	case m.Position != model.CONF:
		return 0, false
	case m.Vector() && !math.IsInf(m.Order, 1):
		return math.Pow(2, 1/m.Order), true
	}
	return 1, true
}

// Kind is the modality without its position: "max", "mean_max", "L2", "Linf".
func (m Modality) Kind() string {
	switch {
	case !m.Vector():
		return m.Reducer.String()
	case math.IsInf(m.Order, 1):
		return "Linf"
	}
	return "L" + result.Count.Write(m.Order)
}

// String is the canonical text: "max@CONF", "L2@CONV-1".
func (m Modality) String() string { return m.Kind() + "@" + m.Position }

// ParseModalities reads each text as ParseModality does; the first that is none is the error.
func ParseModalities(texts []string) (list []Modality, err error) {
	list = make([]Modality, len(texts))
	for k, text := range texts {
		if list[k], err = ParseModality(text); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ParseModality reads "max@CONF", and the specs' "CONF/max" and "CONF.max"; vector modalities
// likewise: "L2@CONV-1", "Linf@CONF". Names of tensors may hold any of the separators: without an @
// after a known kind, the kind is what follows the last slash or dot.
func ParseModality(text string) (Modality, error) {
	text = strings.TrimSpace(text)
	kind, position, ok := strings.Cut(text, "@")
	m, err := parseKind(kind)
	if !ok || err != nil {
		cut := strings.LastIndexAny(text, "/.")
		if cut < 0 && ok {
			return Modality{}, fmt.Errorf("modality %q: %w", text, err)
		}
		if cut < 0 {
			return Modality{},
				fmt.Errorf("%q is no modality; write KIND@POSITION, as in max@CONF, mean@CONV-1 or L2@CONV-1", text)
		}
		position = text[:cut]
		m, err = parseKind(text[cut+1:])
	}
	if err != nil {
		return Modality{}, fmt.Errorf("modality %q: %w", text, err)
	}
	if position == "" {
		return Modality{}, fmt.Errorf("modality %q names no position; write KIND@POSITION, as in max@CONF", text)
	}
	m.Position = position
	return m, nil
}

// ModalityNames reads modalities separated by commas, semicolons or blanks and returns their
// canonical texts, each once, in order.
func ModalityNames(text string) ([]string, error) {
	var names []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",; \n\t", r) }) {
		m, err := ParseModality(part)
		if err != nil {
			return nil, err
		}
		if name := m.String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

func parseKind(text string) (Modality, error) {
	order, ok := strings.CutPrefix(text, "L")
	if !ok {
		r, err := ParseReducer(text)
		return Modality{Reducer: r}, err
	}
	if order == "inf" {
		return Modality{Order: math.Inf(1)}, nil
	}
	p, err := strconv.ParseUint(order, 10, 16)
	if err != nil || p == 0 {
		return Modality{}, fmt.Errorf("%q is no vector order; use L1, L2, L3, ... or Linf", text)
	}
	return Modality{Order: float64(p)}, nil
}

// DefaultModalities are those of the paper's five matrices in DESIGN.md's default order.
func DefaultModalities() []Modality {
	return []Modality{
		{Position: model.CONF, Reducer: Max},
		{Position: model.Conv1, Reducer: Max},
		{Position: model.Conv1, Reducer: Mean},
		{Position: model.Conv2, Reducer: Max},
		{Position: model.Conv2, Reducer: Mean},
	}
}

// DefaultNames are the texts of DefaultModalities.
func DefaultNames() []string {
	var names []string
	for _, m := range DefaultModalities() {
		names = append(names, m.String())
	}
	return names
}

// ReferenceAssessor are the modalities of the preset reference-assessor: the published code's
// assessor takes the mean of the channel maxima where the paper takes the mean (spec/variance.md
// section 3).
func ReferenceAssessor() []Modality {
	m := DefaultModalities()
	m[2].Reducer, m[4].Reducer = MaxMean, MaxMean
	return m
}

// Pairs is the number of pairs i > j of n transformations.
func Pairs(n int) int { return n * (n - 1) / 2 }

// Pair is the index of pair (i, j), i > j, in a unit's distances.
func Pair(i, j int) int { return i*(i-1)/2 + j }
