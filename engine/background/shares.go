package background

import (
	"fmt"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
)

// ShareEffects are how far the matrices of smaller shares of the targets lie from those of all
// (spec/background.md section 12, B3): root mean square differences, mean and standard deviation of
// some draws, interpolant first, share second. Programs keep them as JSON.
type ShareEffects struct {
	Shares    []float64 `json:"shares"`
	Mean, Std [][]float64
}

// NewShareEffects are what scatter.ByShare found for shares.
func NewShareEffects(shares []float64, effects [][]scatter.ShareEffect) ShareEffects {
	s := ShareEffects{Shares: shares, Mean: make([][]float64, len(effects)), Std: make([][]float64, len(effects))}
	for k, row := range effects {
		for _, effect := range row {
			s.Mean[k], s.Std[k] = append(s.Mean[k], effect.Mean), append(s.Std[k], effect.Std)
		}
	}
	return s
}

// Figure draws the differences over the share, a line per interpolant; by are those of the effects.
func (s ShareEffects) Figure(about string, draws int, by []scatter.Interpolant) result.Figure {
	f := result.Figure{
		Title: "difference by share of the targets",
		Note:  fmt.Sprintf("%s; root mean square, mean and spread of %d draws", about, draws),
		X:     result.Axis{Name: "share of the targets", Format: result.Share},
		Y:     result.Axis{Name: "RMSE", Format: result.Number},
	}
	for k, mean := range s.Mean {
		f.Lines = append(f.Lines, result.Line{Name: by[k].Name(), X: s.Shares, Y: mean, SD: s.Std[k]})
	}
	return f
}

// ShareOf is how far the matrices of a share of the targets lie from that of all: a row of
// SharesTable.
type ShareOf struct {
	Interpolated // without its matrix
	scatter.ShareEffect
}

// SharesTable is the table of shares of the targets (spec/background.md section 12, B3).
var SharesTable = result.Table[ShareOf]{
	Name: "shares", Title: "Matrices of shares of the targets", Noun: "share",
	ID: func(s ShareOf) string {
		return fmt.Sprint(s.Hash, "/", s.Selection, "/", s.Measure, "/", s.Name, "/", s.Share)
	},
	Columns: append(result.Lift(interpolated, func(s ShareOf) Interpolated { return s.Interpolated }),
		result.Numbers("share", "share", "of the targets", result.Share, func(s ShareOf) float64 { return s.Share }),
		result.Counts("draws", "draws", "samples of targets", func(s ShareOf) int { return len(s.Differences) }),
		withDecimals(result.Numbers("from_all_targets", "from all targets",
			"root mean square difference from the matrix of all targets: mean and deviation over the draws",
			result.Number, func(s ShareOf) float64 { return s.Mean })).Spread(func(s ShareOf) float64 {
			return s.Std
		})),
}
