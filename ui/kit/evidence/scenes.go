package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/widget"
)

// SettingFieldMap is the workspace setting with the name of the colour map of interpolated
// matrices, DefaultFieldMap its value where none was chosen (spec/background.md section 11).
const SettingFieldMap, DefaultFieldMap = "scenes.map", "green"

// Scenes reads what a background round shows of a model; reason says in words why there is
// nothing. It is slow.
type Scenes func(ctx context.Context, r label.Round, m model.Model) (e store.Evidence, reason string, err error)

// ScenesOf reads from a workspace.
func ScenesOf(ws *store.Workspace) Scenes {
	return func(ctx context.Context, r label.Round, m model.Model) (store.Evidence, string, error) {
		return scenes.RoundEvidence(ctx, ws, r, m)
	}
}

// errNoScenes is said where nothing can read what a background round shows.
var errNoScenes = errors.New("what a background round shows cannot be read here")

// Scenery is what evidence of a background round has besides: its tiles are rows of measures, and
// columns of a scatter plot and the interpolants.
type Scenery struct {
	store.SceneFacts
	Columns int // 0 for as many as make the squares of an Area largest
}

// Blank is evidence of one of a round's models that has no matrices, for a reason.
func Blank(round label.Round, hash, reason string) Evidence {
	e := Evidence{Model: model.Model{Hash: hash}}
	if round.Kind != label.BackgroundRound {
		for _, name := range RoundModalities(round) {
			e.Tiles = append(e.Tiles, Tile{Modality: name, Reason: reason})
		}
		return e
	}
	e.Scenes = &Scenery{Columns: 1 + len(round.Interpolants)}
	for _, measure := range round.Modalities {
		for k := range e.Scenes.Columns {
			e.Tiles = append(e.Tiles, Tile{Modality: measure, Interpolant: column(round, k), Reason: reason})
		}
	}
	return e
}

// column is what column k of a background round's tiles shows: the scatter plot, then the
// interpolants.
func column(round label.Round, k int) string {
	if k == 0 {
		return store.Points
	}
	return round.Interpolants[k-1]
}

// RoundModalities are the round's modalities, the default five where it names none.
func RoundModalities(round label.Round) []string {
	if len(round.Modalities) == 0 {
		return DefaultModalities()
	}
	return round.Modalities
}

// OfRound reads the evidence of one of a round's models, with those of its curves that the round
// shows; its errors are those of Load. ofScenes may be nil where there are no background rounds.
func OfRound(
	ctx context.Context, from Source, ofScenes Scenes, round label.Round, hash string,
) (e Evidence, err error) {
	defer func() { e.Model.Curves = round.Shown(e.Model).Curves }()
	if round.Kind == label.BackgroundRound {
		return ofScenes.load(ctx, from, round, hash)
	}
	images, err := variance.ParseImages(cmp.Or(round.Filter, variance.AllImages().String()))
	if err != nil {
		return Evidence{}, fmt.Errorf("round %s: %w", round.Name, err)
	}
	return Load(ctx, from, Request{
		Model: hash, Suite: round.Suite, Family: round.Family, Modalities: RoundModalities(round), Images: images,
	})
}

func (read Scenes) load(ctx context.Context, from Source, round label.Round, hash string) (Evidence, error) {
	if read == nil {
		return Evidence{}, errNoScenes
	}
	m, err := from.Model(hash)
	if err != nil {
		return Evidence{}, err
	}
	packed, reason, err := read(ctx, round, m)
	if err != nil {
		return Evidence{}, err
	}
	e := Blank(round, hash, "no signals")
	e.Model = m
	manifest, err := from.Suite(round.Suite)
	switch {
	case err == nil:
		e.Suite, e.Total, e.Skipped, e.Classes = manifest.Name, manifest.Images, len(manifest.Skipped), manifest.Classes
	case !errors.Is(err, store.ErrNotFound):
		return e, err
	}
	if reason != "" {
		e.State = fmt.Sprintf("no signals in the scenes of this round: %s", reason)
		return e, nil
	}
	e.Images, e.Total, e.Robust = packed.Chosen, packed.Total, packed.Scenes.WorstCase
	e.Scenes = &Scenery{SceneFacts: *packed.Scenes, Columns: e.Scenes.Columns}
	for k := range e.Tiles {
		t := &e.Tiles[k]
		name := store.FieldName(t.Modality, t.Interpolant)
		t.Matrix, t.Reason = packed.Matrices[name], ""
		if t.Absent() {
			t.Reason = cmp.Or(packed.Absent[name], packed.Absent[t.Modality], scenes.Missing)
		}
	}
	return e, nil
}

// Title names a tile: max@CONF, or with its interpolant max@CONF I1.
func (t Tile) Title() string {
	switch t.Interpolant {
	case "":
		return t.Modality
	case store.Points:
		return fmt.Sprintf("%s scatter", t.Modality)
	}
	return t.Modality + " " + t.Interpolant
}

// fieldPicture rasters a tile of a background round. Values outside the range get the colours of
// the ends.
func (v View) fieldPicture(e Evidence, t Tile) widget.FieldPicture {
	colours, ok := render.MapByName(cmp.Or(v.FieldMap, DefaultFieldMap))
	if !ok {
		colours = &render.Green
	}
	r, _ := v.Range(t.Modality)
	scale := render.FieldScale(r.High, colours)
	scale.Low = r.Low
	return widget.NewFieldPicture(scatter.Matrix{R: t.Matrix.N, Values: t.Matrix.Data}, scale, e.Scenes.Far)
}

// fieldReadOut is the line under the pointer on tile t: what it is, both distances, and the value
// there.
func (e Evidence) fieldReadOut(t int, p widget.FieldPoint) string {
	if t < 0 || t >= len(e.Tiles) || !p.Inside {
		return ""
	}
	tile := e.Tiles[t]
	x, y := result.Significant(p.X, 3), result.Significant(p.Y, 3)
	switch {
	case math.IsNaN(p.Value) && tile.Interpolant == store.Points:
		return fmt.Sprintf("%s   distances %s and %s: no point", tile.Title(), x, y)
	case math.IsNaN(p.Value):
		return fmt.Sprintf("%s   distances %s and %s: no value", tile.Title(), x, y)
	}
	return fmt.Sprintf("%s   distances %s and %s: variance %s", tile.Title(), x, y, result.Significant(p.Value, 3))
}

// SceneFacts are the facts of a background round about a model: where it was tested, and how often
// it was right.
func SceneFacts(e Evidence) []Fact {
	s := e.Scenes
	if s == nil || s.Far == 0 {
		return nil
	}
	lines := []Fact{
		{"selection", s.Selection},
		{"targets", fmt.Sprintf("%s of %s", result.Whole(e.Images), e.Suite)},
		{"scenes", fmt.Sprintf("%s per target", result.Whole(s.N))},
	}
	if s.Labelled == 0 {
		return append(lines, Fact{"accuracy", "the targets have no labels"})
	}
	return append(lines,
		Fact{"accuracy", result.Share.Say(s.Accuracy, 0)},
		Fact{"mean in scenes", result.Share.Say(s.MeanComposite, 0)},
		Fact{"worst case", result.Share.Say(s.WorstCase, 0)},
		Fact{"changed", fmt.Sprintf("%s of predictions", result.Share.Say(s.Changed, 0))})
}
