package matrixfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// mostColumns is how many models stand beside each other in one figure, as in Fig. 3 of the ML4ML
// paper.
const mostColumns = 12

// gridName is the name of the figure of all matrices.
const gridName = "matrices"

// Figures are all matrices in one figure, a row per modality and a column per model, then each
// matrix alone, then the widths of bands, then of each judged matrix how much single images make of
// it. More than mostColumns models are parted evenly into figures matrices_1, matrices_2, ... All
// have one colour scale per modality.
func (s *Set) Figures() []result.Drawn {
	var models, modalities []string
	var single []result.Drawn
	cells, names, ranges := map[[2]string]result.Figure{}, s.names(), s.ranges()
	for k, it := range s.Items {
		if !slices.Contains(models, it.Model) {
			models = append(models, it.Model)
		}
		if !slices.Contains(modalities, it.Modality) {
			modalities = append(modalities, it.Modality)
		}
		f := s.figure(it, it.Matrix, ranges[it.Modality], it.Modality)
		if cells[[2]string{it.Model, it.Modality}] = f; names[k] != "" {
			single = append(single, result.Drawn{Name: names[k], Figure: f})
		}
	}
	if len(single) < 2 {
		return slices.Concat(single, s.widths(), s.extremes())
	}
	pages := (len(models) + mostColumns - 1) / mostColumns
	var grids []result.Drawn
	for page := range slices.Chunk(models, (len(models)+pages-1)/pages) {
		f := result.Figure{
			Title: "Variance matrices", Note: s.note(), X: result.Axis{Names: page}, Y: result.Axis{Names: modalities},
		}
		for _, modality := range modalities {
			var row []result.Figure
			for _, model := range page {
				one, there := cells[[2]string{model, modality}]
				if !there {
					one = result.Figure{Matrix: &result.Matrix{}}
				}
				row = append(row, one)
			}
			f.Grid = append(f.Grid, row)
		}
		name := gridName
		if pages > 1 {
			name += fmt.Sprint("_", len(grids)+1)
		}
		grids = append(grids, result.Drawn{Name: name, Figure: f})
	}
	return slices.Concat(grids, single, s.widths(), s.extremes())
}

// extremes are, of each matrix whose images were looked at one by one, the matrix, how the difs of
// its images are distributed, and the matrix without extreme images where there are some: Fig. 4 of
// the ML4ML paper.
func (s *Set) extremes() (list []result.Drawn) {
	names, ranges := s.names(), s.ranges()
	for k, it := range s.Items {
		at := slices.IndexFunc(s.Judged, func(j variance.JudgedOf) bool {
			return j.Model == it.Model && j.Modality == it.Modality
		})
		if at < 0 || !s.Judged[at].Ranked || names[k] == "" {
			continue
		}
		j := s.Judged[at]
		row := []result.Figure{s.figure(it, it.Matrix, ranges[it.Modality], it.Modality), j.Typical}
		if row[0].Title = "all images"; j.Cleaned.N > 0 {
			without := s.figure(it, j.Cleaned, ranges[it.Modality], it.Modality)
			without.Title, without.Note = "without "+result.Counted(j.Removed, "extreme image"), ""
			row = append(row, without)
		}
		list = append(list, result.Drawn{Name: "extremes_" + names[k], Figure: result.Figure{
			Title: it.Model + ", " + it.Modality, Note: row[0].Note, Grid: [][]result.Figure{row},
		}})
		row[0].Note = ""
	}
	return list
}

// note says what the axes of all matrices are, and which images these rest on.
func (s *Set) note() string {
	n := 0
	for _, it := range s.Items {
		n = max(n, it.Matrix.N)
	}
	v := s.values(n)
	say := result.Axis{Unit: s.Axis.Unit}.Say // that of an axis with values takes places
	note := fmt.Sprintf("V_i upwards, V_j to the right: %s from %s to %s", s.Axis.Name, say(v[0]), say(v[n-1]))
	if s.suite != "" {
		note += fmt.Sprintf("; %s images of %s", s.images, s.suite)
	}
	return note
}

// figure draws a matrix of an item, or says why it is absent; value names its numbers.
func (s *Set) figure(it variance.Of, m variance.Matrix, scale render.Scale, value string) result.Figure {
	axis := s.Axis
	axis.Values = s.values(m.N)
	f := m.Figure(axis, scale, value)
	f.Title, f.Empty = it.Model, it.Absent.Text
	if it.Images > 0 {
		f.Note = strings.TrimSpace(fmt.Sprintf("%d images (%s) of %s", it.Images, s.images, s.suite))
	}
	if it.Device != "" && it.Images > 0 {
		f.Note += ", computed on " + it.Device
	}
	return f
}
