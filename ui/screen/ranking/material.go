package ranking

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/predictions"
)

// Material is what is ranked: the predictions of all models on one source. It is immutable.
type Material struct {
	Source  Source
	Truth   predictions.Truth // where true classes come from
	Family  string            // canonical text, of the rankers that are measured under one
	Current string            // the workspace's current suite, which Inspect shows
	Data    rank.Data
	Left    []rank.LeftOut
	Classes []string // names, nil for numbers
	Samples []string // names of images, nil for numbers
}

// Class is a class's name for people, "" for none.
func (m Material) Class(c int32) string {
	switch {
	case c < 0:
		return ""
	case int(c) < len(m.Classes):
		return m.Classes[c]
	}
	return strconv.Itoa(int(c))
}

// Sample is an image's name for people: its number, with the name that it has in the suite or
// table.
func (m Material) Sample(i int) string {
	text := "#" + strconv.Itoa(i)
	if i >= 0 && i < len(m.Samples) && m.Samples[i] != "" && m.Samples[i] != strconv.Itoa(i) {
		text += " " + path.Base(m.Samples[i])
	}
	return text
}

// inspectable tells whether Inspect shows the images with the same numbers: those of the current
// suite, as they are or shifted.
func (m Material) inspectable() bool {
	return m.Current != "" && (m.Source.ID == m.Current || m.Source.Base == m.Current)
}

// gather reads the predictions of all models on a source. It is slow (files).
func gather(
	ctx context.Context, from Store, source Source, truth predictions.Truth, p engine.Progress,
) (Material, error) {
	m := Material{Source: source, Truth: truth, Classes: source.Classes}
	current, err := from.Current()
	if err != nil {
		return m, err
	}
	m.Family, m.Current = current.Family, current.Suite
	ask := predictions.Ask{Suite: source.ID, Truth: truth, Given: !source.Table, Family: current.Family}
	if m.Data, m.Left, err = from.Gather(ctx, ask, p); err != nil {
		return m, err
	}
	m.Samples, err = sampleNames(from, source)
	return m, err
}

// sampleNames are the names of a source's images.
func sampleNames(from Store, source Source) ([]string, error) {
	if source.Table {
		tables, err := from.PredictionTables()
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			if t.ID == source.ID {
				return t.SampleNames, nil
			}
		}
		return nil, fmt.Errorf("the table %s is not here any more", source.Name)
	}
	m, err := from.Suite(source.ID)
	if err != nil {
		return nil, err
	}
	names := make([]string, m.Images)
	for i := range names {
		names[i] = m.ImageName(i)
	}
	return names, nil
}

// chosen are the data of the models that take part; Subset shares what it can.
func (m Material) chosen(without []string) rank.Data {
	if len(without) == 0 {
		return m.Data
	}
	var models []int
	for j, model := range m.Data.Models {
		if !slices.Contains(without, keyOf(model)) {
			models = append(models, j)
		}
	}
	if len(models) == len(m.Data.Models) {
		return m.Data
	}
	if models == nil {
		models = []int{} // nil would mean all
	}
	return m.Data.Subset(models, nil)
}

// known counts the images whose true class is known.
func known(d rank.Data) (n int) {
	for _, c := range d.Truth {
		if c >= 0 {
			n++
		}
	}
	return n
}
