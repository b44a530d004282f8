package export

import (
	"fmt"
	"io"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/stats"
)

// shownHard is how many of the hardest images ranking.json has; hard_images.csv has all.
const shownHard = 100

// JSON writes ranking.json: the board and everything that was studied beside it. A number that is undefined is null, with its
// reason beside it.
func (r Rankings) JSON(w io.Writer) error {
	b := r.Board
	document := rankingDocument{
		Source: r.Source, Samples: b.Samples, Classes: r.Classes, Seed: b.Seed, Repetitions: b.Repetitions, TopK: b.TopK,
		Correlation: r.correlation(), HardImages: r.HardImages(shownHard),
		Curves: r.curveRecords(), Impact: r.impactRecords(), Conditions: r.conditionRecords(), Shifted: r.shiftedRecords(), LeftOut: append([]RankLeftOut{}, r.LeftOut...),
	}
	document.Models, document.Rankings = modelRecords(b), r.rankingRecords(b)
	if l := b.LaF; l != nil {
		document.LaF = &lafRecord{
			Kept: len(l.Kept), Rounds: l.Rounds, Settled: l.Settled, QFirst: defined(l.QFirst), QLast: defined(l.QLast),
			Prior: nullable(l.PriorSpecialty), Specialty: nullable(l.Specialty), Reason: l.Reason,
		}
	}
	return writeJSON(w, document)
}

type rankingDocument struct {
	Source      string            `json:"source"`
	Samples     int               `json:"samples"`
	Classes     int               `json:"classes"`
	Seed        uint64            `json:"seed"`
	Repetitions int               `json:"repetitions"`
	TopK        []int             `json:"top_k"`
	Models      []rankedModel     `json:"models"`
	Rankings    []rankingRecord   `json:"rankings"`
	Correlation correlationRecord `json:"correlation"`
	LaF         *lafRecord        `json:"laf"`
	HardImages  []HardImage       `json:"hard_images,omitempty"`
	Curves      []curveRecord     `json:"curves,omitempty"`
	Impact      []impactRecord    `json:"impact,omitempty"`
	Conditions  []conditionRecord `json:"conditions,omitempty"`
	Shifted     []shiftedRecord   `json:"shifted,omitempty"`
	LeftOut     []RankLeftOut     `json:"left_out"`
}

type rankedModel struct {
	ID       string   `json:"id"`
	Hash     string   `json:"hash,omitempty"`
	Accuracy *float64 `json:"accuracy"`

	Chance *chance.Level `json:"chance,omitempty"` // where the accuracy is known
}

type rankingRecord struct {
	Name    string         `json:"name"` // its own among the rankings
	Method  rank.Method    `json:"method"`
	Title   string         `json:"title"`
	Note    string         `json:"note,omitempty"`
	Scored  int            `json:"models"` // how many have a score
	Budget  int            `json:"budget,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Scores  []*float64     `json:"scores"`
	SD      []*float64     `json:"sd,omitempty"`
	Rank    []int          `json:"rank"` // 0 for a model without a score
	Quality *qualityRecord `json:"quality"`
}

type qualityRecord struct {
	Spearman    spreadRecord            `json:"spearman"`
	SpearmanP   *float64                `json:"spearman_p"`
	Kendall     spreadRecord            `json:"kendall"`
	KendallP    *float64                `json:"kendall_p"`
	Significant *float64                `json:"significant"`
	Rho         *stats.Correlation      `json:"spearman_correlation,omitempty"` // of rankers that are not sampled, with interval
	Tau         *stats.Correlation      `json:"kendall_correlation,omitempty"`
	Jaccard     map[string]spreadRecord `json:"jaccard"` // by k
}

type spreadRecord struct {
	Mean   *float64 `json:"mean"`
	SD     *float64 `json:"sd"`
	N      int      `json:"n"`
	Of     int      `json:"of"`
	Reason string   `json:"reason,omitempty"`
}

type correlationRecord struct {
	Names    []string                `json:"names"`
	Spearman [][]*float64            `json:"spearman"`
	Kendall  [][]*float64            `json:"kendall"`
	Jaccard  map[string][][]*float64 `json:"jaccard"`
}

type lafRecord struct {
	Kept      int        `json:"kept"`
	Rounds    int        `json:"rounds"`
	Settled   bool       `json:"settled"`
	QFirst    *float64   `json:"q_first"`
	QLast     *float64   `json:"q_last"`
	Prior     []*float64 `json:"prior_specialty"`
	Specialty []*float64 `json:"specialty"`
	Reason    string     `json:"reason,omitempty"`
}

type curveRecord struct {
	Method  rank.Method     `json:"method"`
	Note    string          `json:"note,omitempty"`
	Budgets []int           `json:"budgets"`
	Quality []qualityRecord `json:"quality"`
}

type impactRecord struct {
	Factor  rank.Factor   `json:"factor"`
	Share   float64       `json:"share"`
	Models  int           `json:"models"`
	Samples int           `json:"samples"`
	Quality qualityRecord `json:"quality"`
}

type conditionRecord struct {
	Suite        string        `json:"suite"`
	Corruption   string        `json:"corruption,omitempty"`
	Severity     int           `json:"severity,omitempty"`
	MeanAccuracy *float64      `json:"mean_accuracy"`
	Diversity    *float64      `json:"diversity"`
	Lowest       *float64      `json:"lowest"`
	Highest      *float64      `json:"highest"`
	Quality      qualityRecord `json:"quality"`
}

type shiftedRecord struct {
	Suite      string          `json:"suite"`
	Corruption string          `json:"corruption,omitempty"`
	Severity   int             `json:"severity,omitempty"`
	Models     []rankedModel   `json:"models"`
	Rankings   []rankingRecord `json:"rankings"`
}

func modelRecords(b rank.Board) []rankedModel {
	list := make([]rankedModel, len(b.Models))
	for j, m := range b.Models {
		list[j] = rankedModel{ID: m.ID, Hash: m.Hash}
		if b.Truth != nil {
			level := b.ChanceOf(j)
			list[j].Accuracy, list[j].Chance = defined(b.Truth[j]), &level
		}
	}
	return list
}

func (r Rankings) rankingRecords(b rank.Board) []rankingRecord {
	list := make([]rankingRecord, len(b.Rankings))
	names := columnsOf(b.Rankings)
	for k, one := range b.Rankings {
		list[k] = r.rankingRecord(names[k], one, b.Truth != nil)
	}
	return list
}

func (r Rankings) shiftedRecords() []shiftedRecord {
	var list []shiftedRecord
	for _, one := range r.Shifted {
		list = append(list, shiftedRecord{one.Suite, one.Corruption, one.Severity, modelRecords(one.Board), r.rankingRecords(one.Board)})
	}
	return list
}

func (r Rankings) rankingRecord(name string, one rank.Ranking, compared bool) rankingRecord {
	record := rankingRecord{
		Name: name, Method: one.Method, Title: one.Method.Title(), Note: one.Note, Scored: one.Scored(), Budget: one.Budget, Reason: one.Reason,
		Scores: nullable(one.Scores), Rank: one.Rank,
	}
	if one.SD != nil {
		record.SD = nullable(one.SD)
	}
	if record.Rank == nil {
		record.Rank = []int{}
	}
	if compared && one.Reason == "" {
		q := r.qualityRecord(one.Quality)
		record.Quality = &q
	}
	return record
}

func (r Rankings) qualityRecord(q rank.Quality) qualityRecord {
	record := qualityRecord{
		Spearman: spreadOf(q.Spearman), SpearmanP: defined(q.SpearmanP()), Kendall: spreadOf(q.Kendall), KendallP: defined(q.KendallP()),
		Significant: defined(q.Significant), Jaccard: map[string]spreadRecord{},
	}
	if q.Rho.N > 0 {
		record.Rho, record.Tau = &q.Rho, &q.Tau
	}
	for at, s := range q.Jaccard {
		record.Jaccard[fmt.Sprint(r.Board.TopK[at])] = spreadOf(s)
	}
	return record
}

func spreadOf(s rank.Spread) spreadRecord {
	return spreadRecord{Mean: defined(s.Mean), SD: defined(s.SD), N: s.N, Of: s.Of, Reason: s.Reason}
}

func nullable(values []float64) []*float64 {
	list := make([]*float64, len(values))
	for k, v := range values {
		list[k] = defined(v)
	}
	return list
}

func (r Rankings) correlation() correlationRecord {
	c := correlationRecord{
		Names: append([]string{}, r.compared()...), Spearman: tableOf(r.Board.Spearman), Kendall: tableOf(r.Board.Kendall),
		Jaccard: map[string][][]*float64{},
	}
	for at, matrix := range r.Board.Jaccard {
		c.Jaccard[fmt.Sprint(r.Board.TopK[at])] = tableOf(matrix)
	}
	return c
}

func tableOf(matrix [][]float64) [][]*float64 {
	rows := make([][]*float64, len(matrix))
	for k, row := range matrix {
		rows[k] = nullable(row)
	}
	return rows
}

func (r Rankings) curveRecords() []curveRecord {
	var list []curveRecord
	for _, c := range r.Curves {
		one := curveRecord{Method: c.Method, Note: c.Note, Budgets: c.Budgets}
		for _, q := range c.Quality {
			one.Quality = append(one.Quality, r.qualityRecord(q))
		}
		list = append(list, one)
	}
	return list
}

func (r Rankings) impactRecords() []impactRecord {
	var list []impactRecord
	for _, p := range r.Impact {
		list = append(list, impactRecord{p.Factor, p.Share, p.Models, p.Samples, r.qualityRecord(p.Quality)})
	}
	return list
}

func (r Rankings) conditionRecords() []conditionRecord {
	var list []conditionRecord
	for _, c := range r.Conditions {
		list = append(list, conditionRecord{
			Suite: c.Name, Corruption: c.Corruption, Severity: c.Severity, MeanAccuracy: defined(c.MeanAccuracy), Diversity: defined(c.Diversity),
			Lowest: defined(c.Lowest), Highest: defined(c.Highest), Quality: r.qualityRecord(c.Quality),
		})
	}
	return list
}
