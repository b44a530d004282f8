package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/resample"
)

// Resize is how an image of another size reaches the model's input size by default (DESIGN.md
// section 5).
type Resize string

// Stretch resizes both axes; Crop resizes the shorter side and crops the centre.
const (
	Stretch Resize = "stretch"
	Crop    Resize = "crop"
)

// Preprocessing is a recipe as signals are named by it: pixels in [0, 1] become (x - Mean[c]) /
// Std[c], after what Recipe says in other ways than earlier versions did. Mean and Std have one
// entry per channel, or one for all.
type Preprocessing struct {
	Mean   []float64 `json:"mean"`
	Std    []float64 `json:"std"`
	Resize Resize    `json:"resize"` // empty where Recipe has a resize, else Stretch
	// Recipe is the canonical text of what differs from the default recipe, without mean and std;
	// empty for none.
	Recipe string `json:"recipe,omitempty"`
}

// Whole is the recipe in full. Its geometry is zero where Resize says it.
func (p Preprocessing) Whole() (recipe.Recipe, error) {
	part := recipe.Part{}
	if p.Recipe != "" {
		var err error
		if part, err = recipe.Parse(p.Recipe); err != nil {
			return part.Recipe, err
		}
		if part.Sets&recipe.OfGeometry == 0 {
			part.Geometry = recipe.Geometry{}
		}
		if part.Text() != p.Recipe || part.Mean != nil || part.Std != nil {
			return part.Recipe, fmt.Errorf("recipe %q is not written as it ought to be", p.Recipe)
		}
	}
	if p.Resize != "" && (part.Sets&recipe.OfGeometry != 0 || p.Resize != Stretch && p.Resize != Crop) {
		return part.Recipe, fmt.Errorf("the way of resizing %.80q is unknown", p.Resize)
	}
	part.Mean, part.Std = p.Mean, p.Std
	return part.Recipe, part.Check()
}

// Equal tells whether two give the same numbers.
func (p Preprocessing) Equal(q Preprocessing) bool {
	return p.Resize == q.Resize && p.Recipe == q.Recipe && slices.Equal(p.Mean, q.Mean) && slices.Equal(p.Std, q.Std)
}

// Beside is a file that lay beside a model at import, as it was understood.
type Beside struct {
	Name    string   `json:"name"`
	Recipe  string   `json:"recipe,omitempty"`      // canonical text
	Classes []string `json:"class_names,omitempty"` // names of the classes
	// Problem and ClassProblem say what could not be understood, else they are empty.
	Problem      string `json:"problem,omitempty"`
	ClassProblem string `json:"class_problem,omitempty"`
}

// ReadBeside reads a file beside a model; ok is false where it says nothing of it.
func ReadBeside(name string, data []byte) (b Beside, ok bool) {
	b.Name = name
	s := recipe.FromFile(data)
	if s.Err != nil {
		b.Problem = s.Err.Error()
	} else if s.Sets != 0 {
		b.Recipe = s.Text()
	}
	b.Classes = s.Classes
	if s.ClassErr != nil {
		b.ClassProblem = s.ClassErr.Error()
	}
	return b, b.Recipe != "" || b.Problem != "" || b.ClassProblem != "" || len(b.Classes) > 0
}

// Origin is the place that set a group of a recipe's keys.
type Origin struct {
	Keys recipe.Keys
	Name string // resize, channels, range, layout or type
	By   Authority
}

// saying is what one place says of the recipe.
type saying struct {
	recipe.Said
	by Authority
}

// sayings are what all places say, strongest first (DESIGN.md section 5).
func (m Model) sayings() []saying {
	list := []saying{{m.corrected(), ByUser}, {recipe.FromMetadata(map[string]string{
		"recipe": m.Value("recipe"), "mean": m.Value("mean"), "std": m.Value("std"),
	}), ByRecord}}
	for _, b := range m.Beside {
		s := saying{by: Authority(b.Name)}
		if b.Recipe != "" {
			s.Part, s.Err = recipe.Parse(b.Recipe)
		}
		if b.Problem != "" {
			s.Err = fmt.Errorf("%s", b.Problem)
		}
		list = append(list, s)
	}
	return append(list, saying{recipe.FromMetadata(m.Graph.Metadata), ByMetadata})
}

// corrected is the user's word: a recipe, of which mean, std and resize can be given apart.
func (m Model) corrected() (s recipe.Said) {
	c := m.Correction
	if c.Recipe != "" {
		if s.Part, s.Err = recipe.Read(c.Recipe); s.Err != nil {
			return s
		}
	}
	if len(c.Mean) > 0 && len(c.Std) > 0 {
		s.Mean, s.Std = c.Mean, c.Std
		if s.Scale == 0 && recipe.InPixels(c.Mean) {
			s.Scale = 255
			s.Notes = append(s.Notes, recipe.PixelNote)
		}
		s.Sets |= recipe.OfRange
	}
	if c.Resize != "" && s.Sets&recipe.OfGeometry == 0 {
		s.Geometry = recipe.Geometry{} // the default's, by Resize
		s.Sets |= recipe.OfGeometry
	}
	return s
}

// preprocessing finds the recipe in force: each group of keys from the strongest place that says
// it.
func (m Model) preprocessing(s *Settings) error {
	part := recipe.Part{}
	resize := Stretch
	for _, from := range m.sayings() {
		if part.Sets == recipe.All {
			break
		}
		if from.Err != nil {
			return fmt.Errorf("model %s: %s: %w", m.ID, from.by, from.Err)
		}
		take := from.Sets &^ part.Sets
		for _, g := range recipe.Groups {
			silent := g.Keys == recipe.OfLayout && from.Layout == "" || g.Keys == recipe.OfType && from.Type == ""
			if take&g.Keys != 0 && !silent {
				s.RecipeBy = append(s.RecipeBy, Origin{g.Keys, g.Name, from.by})
			}
		}
		if take&recipe.OfRange != 0 {
			s.Notes = append(s.Notes, from.Notes...)
		}
		if take&recipe.OfGeometry != 0 && from.Geometry == (recipe.Geometry{}) {
			resize = m.Correction.Resize
		}
		part.Take(from.Part, take)
	}
	s.NormBy = s.By(recipe.OfRange)
	in := m.Graph.Input
	if err := fit(&part.Recipe, in); err != nil {
		return fmt.Errorf("model %s: the recipe (%s) %w", m.ID, s.By(recipe.All), err)
	}
	s.Preprocessing = preprocessingOf(part.Recipe, resize, in)
	if err := m.checkNorm(s.Preprocessing, s.NormBy); err != nil {
		return err
	}
	if err := part.Check(); err != nil {
		return fmt.Errorf("model %s: %s: %w", m.ID, s.NormBy, err)
	}
	s.Recipe = part.Recipe
	if s.Preprocessing.Resize != "" {
		s.Recipe.Geometry = recipe.Default()
		s.Recipe.Height, s.Recipe.Width = in.Height, in.Width
		if s.Preprocessing.Resize == Crop {
			s.Recipe.Geometry = recipe.Geometry{
				Resize: recipe.Shorter, Height: max(in.Height, in.Width), Filter: resample.Bilinear,
				CropHeight: in.Height, CropWidth: in.Width, Float: true,
			}
		}
	}
	s.Recipe.Mean, s.Recipe.Std = s.Preprocessing.Mean, s.Preprocessing.Std
	return nil
}

// By is the strongest place that set one of these groups of keys, ByDefault where none did.
func (s Settings) By(keys recipe.Keys) Authority {
	for _, o := range s.RecipeBy {
		if o.Keys&keys != 0 {
			return o.By
		}
	}
	return ByDefault
}

// numbers is the type of the input's numbers.
func (in Input) numbers() string { return cmp.Or(string(in.Type), "float32") }

// fit fills in what the input says of a recipe, and tells what of it the input does not take.
func fit(r *recipe.Recipe, in Input) error {
	switch {
	case r.Channels == recipe.Gray && in.Channels > 1, r.Channels == recipe.BGR && in.Channels == 1:
		return fmt.Errorf("says channels=%s, and the input has %d channels; give --recipe with others",
			r.Channels, in.Channels)
	case r.Layout != "" && !strings.EqualFold(r.Layout, string(in.Layout)):
		return fmt.Errorf("says layout=%s, and the input is %s; leave layout out of --recipe", r.Layout,
			strings.ToLower(string(in.Layout)))
	case r.Type != "" && r.Type != in.numbers():
		return fmt.Errorf("says type=%s, and the input takes %s; leave type out of --recipe", r.Type, in.numbers())
	}
	if r.Channels == recipe.RGB || r.Channels == recipe.Gray && in.Channels == 1 {
		r.Channels = ""
	}
	r.Layout, r.Type = "", ""
	r.Scale = cmp.Or(r.Scale, recipe.Recipe{Type: in.numbers()}.Scaled())
	if r.Resize == recipe.Stretch && r.Height == 0 && in.Height > 0 && in.Width > 0 {
		r.Height, r.Width = in.Height, in.Width
	}
	height, width := r.Fixed()
	if height > 0 && (in.Height > 0 && in.Height != height || in.Width > 0 && in.Width != width) {
		return fmt.Errorf("gives %d x %d pixels, and the model takes %d x %d; give --recipe with that size, such as %s",
			height, width, in.Height, in.Width, sized(*r, in))
	}
	return nil
}

// sized is the text of a recipe whose crop or stretch has the input's size.
func sized(r recipe.Recipe, in Input) string {
	switch {
	case r.CropHeight > 0 && r.Resize == recipe.Shorter && in.Height == in.Width:
		r.Height = in.Height * r.Height / r.CropHeight
		fallthrough
	case r.CropHeight > 0:
		r.CropHeight, r.CropWidth = in.Height, in.Width
	default:
		r.Height, r.Width = in.Height, in.Width
	}
	r.Scale = recipe.Range{Scale: r.Scaled()}.Scale
	return r.Text()
}

// preprocessingOf names a recipe: by Resize where its geometry is that of earlier versions.
func preprocessingOf(r recipe.Recipe, resize Resize, in Input) Preprocessing {
	p := Preprocessing{Mean: r.Mean, Std: r.Std, Resize: resize}
	if len(p.Mean) == 0 {
		p.Mean = []float64{0}
	}
	if len(p.Std) == 0 {
		p.Std = []float64{1}
	}
	rest := recipe.Part{Recipe: r, Sets: recipe.OfChannels | recipe.OfRange}
	rest.Mean, rest.Std = nil, nil
	stretch, crop := recipe.Default(), recipe.Geometry{
		Resize: recipe.Shorter, Height: in.Height, Filter: resample.Bilinear, CropHeight: in.Height,
		CropWidth: in.Width, Float: true,
	}
	stretch.Height, stretch.Width = in.Height, in.Width
	switch {
	case r.Geometry == (recipe.Geometry{}):
	case r.Geometry == stretch, r.Geometry == recipe.Default():
		p.Resize = Stretch
	case r.Geometry == crop && in.Height > 0 && in.Height == in.Width:
		p.Resize = Crop
	default:
		p.Resize = ""
		rest.Sets = recipe.All
	}
	p.Recipe = rest.Text()
	return p
}

// RecipeFrom names the places that the recipe in force comes from: "preprocessor_config.json",
// "onnx metadata (range); default".
func (s Settings) RecipeFrom() string {
	shown := recipe.OfGeometry | recipe.OfRange
	groups := map[Authority][]string{}
	var order []Authority
	var set recipe.Keys
	for _, o := range s.RecipeBy {
		if groups[o.By] == nil {
			order = append(order, o.By)
		}
		groups[o.By] = append(groups[o.By], o.Name)
		set |= o.Keys
	}
	if set&shown != shown {
		order = append(order, ByDefault)
	}
	if len(order) == 1 {
		return string(order[0])
	}
	texts := make([]string, len(order))
	for i, by := range order {
		texts[i] = string(by)
		if names := groups[by]; names != nil {
			texts[i] += " (" + strings.Join(names, ", ") + ")"
		}
	}
	return strings.Join(texts, "; ")
}
