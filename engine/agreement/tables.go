package agreement

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Measures is the table of Lines. People see a measure with its raters and class as one text.
var Measures = result.Table[Line]{
	Name: "agreement", Title: "Agreement", Noun: "measure",
	ID: func(l Line) string { return strings.Join([]string{roundOf(l.Of), l.Measure, l.A, l.B, l.Class}, "/") },
	Columns: slices.Concat(
		ofRound(func(l Line) *Round { return l.Of }),
		[]result.Column[Line]{
			measureColumn,
			result.Texts("rater_a", "rater", "first of two raters; empty for all",
				func(l Line) string { return l.A }).In(result.FileOnly),
			result.Texts("rater_b", "other rater",
				"second of two raters, "+MajorityVote+" for the majority vote, "+KnownAnswer+" for the known answers",
				func(l Line) string { return l.B }).In(result.FileOnly),
			result.Texts("class", "class", "class that is measured by itself; empty for all",
				func(l Line) string { return l.Class }).In(result.FileOnly),
			value(),
			result.Counts("n", "n", "items behind the value: with both labels, or with two or more",
				func(l Line) int { return l.N }),
			result.Texts("interpretation", "in words", "what Landis and Koch call a coefficient, a hint only",
				func(l Line) string { return l.Words }),
			result.Texts("no_interval", "no interval", "why the value has no interval",
				func(l Line) string { return l.NoInterval() }),
		}),
}

var measureColumn = result.Texts("measure", "measure", "what is measured, and between whom",
	func(l Line) string { return l.Measure }).Told(func(l Line) string { return l.Title })

// value is the column of all kinds of measures.
func value() result.Column[Line] {
	c := Estimated("value", "value", "with its interval of 95 % (spec/agreement.md); coefficients are at most 1",
		result.Coefficient, func(l Line) Estimate { return l.Estimate })
	c.As, c.Caveat = func(l Line) (result.Format, int) { return l.Format(), 0 }, Line.Caveat
	return c
}

// Format is that of the value.
func (l Line) Format() result.Format {
	if l.Share {
		return result.Share
	}
	return result.Coefficient
}

// OfAll is Measures for the measures of one round alone, without its name.
var OfAll = Measures.Place(result.FileOnly, "round").Place(result.Offered, "no_interval")

// OnPage is Measures for a page about one round: why there is no value or no interval stands with
// what is said of the value.
var OnPage = func() result.Table[Line] {
	t := Measures.Place(result.FileOnly, "round", "no_interval")
	for k, c := range t.Columns {
		if c.Key == "interpretation" {
			t.Columns[k] = c.Told(func(l Line) string { return l.Remark() })
		}
	}
	return t
}()

// Confusions is the table of Counts.
var Confusions = result.Table[Count]{
	Name: "agreement_counts", Title: "Confusion tables", Noun: "count",
	ID: func(c Count) string {
		return strings.Join([]string{roundOf(c.Of), c.Measure, c.A, c.B, c.ClassA, c.ClassB}, "/")
	},
	Columns: slices.Concat(
		ofRound(func(c Count) *Round { return c.Of }),
		[]result.Column[Count]{
			result.Texts("measure", "measure", "measure that rests on the count",
				func(c Count) string { return c.Measure }),
			result.Texts("rater_a", "rater", "first of two raters", func(c Count) string { return c.A }),
			result.Texts("rater_b", "other rater",
				"second of two raters, "+MajorityVote+" for the majority vote, "+KnownAnswer+" for the known answers",
				func(c Count) string { return c.B }),
			{
				Key: "class_a", Title: "label", Help: "of the first rater", Format: result.Label,
				Text: func(c Count) string { return c.ClassA },
				Said: func(c Count) string { return c.Of.Say(c.ClassA) },
			},
			{
				Key: "class_b", Title: "other label", Help: "of the second rater", Format: result.Label,
				Text: func(c Count) string { return c.ClassB },
				Said: func(c Count) string { return c.Of.Say(c.ClassB) },
			},
			result.Counts("count", "count", "items with these two labels", func(c Count) int { return c.N }),
			result.Counts("n", "n", "items with both labels", func(c Count) int { return c.Total }),
		}),
}

// Items is the table of items with everybody's labels and the majority vote. Each rater has a
// column label.NAME.
var Items = result.Table[Item]{
	Name: "agreement_items", Title: "Items", Noun: "model",
	ID: func(i Item) string { return roundOf(i.Of) + "/" + i.Model() },
	Columns: slices.Concat(
		ofRound(func(i Item) *Round { return i.Of }),
		[]result.Column[Item]{
			result.Texts("model_id", "model", "name of the model", Item.Name),
			{
				Key: "model_hash", Title: "model hash", Help: "SHA-256 of the model's file", Format: result.ID,
				Show: result.FileOnly, Text: Item.hash,
			},
		}),
	More: func(rows []Item) []result.Column[Item] {
		var list []result.Column[Item]
		seen := map[string]bool{}
		for _, row := range rows {
			for _, rater := range row.Of.Report.Raters {
				if !seen[rater] {
					seen[rater] = true
					list = append(list, labels("label."+rater, rater, "label of "+rater, result.Shown,
						func(i Item) string {
							a := slices.Index(i.Of.Report.Raters, rater)
							if a < 0 {
								return ""
							}
							return i.Label(a)
						}))
				}
			}
		}
		return append(list,
			labels("majority", MajorityName, "label of most raters; none where several have most", result.Shown,
				Item.Majority),
			labels("majority_lowest", "lowest majority", "with ties, the label nearest to invariant", result.FileOnly,
				func(i Item) string { return i.word(i.Of.Report.Majority.Lowest) }),
			labels("majority_highest", "highest majority", "with ties, the label nearest to variant", result.FileOnly,
				func(i Item) string { return i.word(i.Of.Report.Majority.Highest) }))
	},
}

func labels(key, title, help string, show result.Show, text func(Item) string) result.Column[Item] {
	return result.Column[Item]{
		Key: key, Title: title, Help: help, Format: result.Label, Show: show, Text: text,
		Said: func(i Item) string { return i.Of.Say(text(i)) },
	}
}

// Rounds is the table of what the rounds are.
var Rounds = result.Table[*Round]{
	Name: "agreement_rounds", Title: "Rounds", Noun: "round", ID: roundOf,
	Columns: slices.Concat(
		ofRound(func(r *Round) *Round { return r }),
		[]result.Column[*Round]{
			result.Texts("suite_hash", "suite hash", "content hash of the suite",
				func(r *Round) string { return r.Of.Suite }).In(result.FileOnly),
			result.Texts("family", "transformations", "family of transformations; rounds about backgrounds have none",
				func(r *Round) string { return r.Of.Family }).In(result.FileOnly),
			result.Counts("models", "models", "of the round", func(r *Round) int { return r.Report.Items }),
			result.Counts("labelled", "labelled", "models with a label",
				func(r *Round) int { return r.Report.ItemsRated }),
			result.Counts("twice", "twice", "models with two or more labels",
				func(r *Round) int { return r.Report.ItemsTwo }),
			result.Numbers("asked", "labels asked for",
				"of each annotator those of the models assigned; unknown of tables of others", result.Count,
				func(r *Round) float64 { return r.known(r.Asked) }),
			result.Numbers("missing", "labels missing",
				"of those asked for: a model that is not assigned to an annotator misses none",
				result.Count, func(r *Round) float64 { return r.known(r.Outstanding) }),
			result.Texts("annotators", "annotators", "",
				func(r *Round) string { return strings.Join(r.Report.Raters, ", ") }),
			result.Texts("classes", "classes", "labels to choose from",
				func(r *Round) string { return strings.Join(r.Report.Classes, ", ") }).
				Told(func(r *Round) string { return strings.Join(r.Words(), ", ") }),
			result.Texts("taken", "read as",
				"of a table of others: how it was read, and which words were taken for what",
				func(r *Round) string { return r.Taken }),
			result.Bools("leave_one_out", "leave one out", "raters are compared with the majority of the others",
				func(r *Round) bool { return r.Report.LeaveOneOut }),
		}),
}

// Document is what the command and exports say of rounds: their measures, the confusion tables,
// the items with their majorities, what the rounds are, and how annotators come to know the
// answers over time, with the sliding window of OverTime, where these may be seen.
func Document(rounds []*Round, overTime OverTimeOptions, options any) result.Document {
	var lines []Line
	var counts []Count
	var items []Item
	var drifts []Drift
	for _, r := range rounds {
		lines, counts, items = append(lines, r.Lines()...), append(counts, r.Counts()...), append(items, r.Items()...)
		drifts = append(drifts, r.Drifts(overTime.Window)...)
	}
	sheets := []*result.Sheet{Measures.Sheet(lines), Confusions.Sheet(counts), Items.Sheet(items), Rounds.Sheet(rounds)}
	if drifts != nil {
		sheets = append(sheets, Drifts.Sheet(drifts))
	}
	return result.Document{Schema: "variscope.agreement", Version: 1, Options: options, Sheets: sheets}
}

// Kinds is the table of groups of items, the most dividing ones first.
var Kinds = result.Table[GroupAgreement]{
	Name: "agreement_by_kind", Title: "By kind of model", Noun: "kind",
	ID: func(g GroupAgreement) string { return g.Name },
	Columns: []result.Column[GroupAgreement]{
		result.Texts("value", "value", "of the training record", func(g GroupAgreement) string { return g.Name }),
		result.Counts("models", "models", "of this kind in the round",
			func(g GroupAgreement) int { return len(g.Items) }),
		result.Counts("n", "n", "models with two or more labels", func(g GroupAgreement) int { return g.Percent.N }),
		Estimated("agreed", "agreed", "percent agreement with its interval of 95 %", result.Share,
			func(g GroupAgreement) Estimate { return g.Percent }),
		Estimated("fleiss", "Fleiss' kappa", "with its interval of 95 %", result.Coefficient,
			func(g GroupAgreement) Estimate { return g.Fleiss }),
		votes("invariant", "invariant", "models of this label by majority vote"),
		votes("borderline", "borderline", "models of this label by majority vote"),
		votes("variant", "variant", "models of this label by majority vote"),
		votes("undecided", "", "models without a majority: without a label, or with a tie"),
	},
}

func votes(key, word, help string) result.Column[GroupAgreement] {
	return result.Numbers(key, key, help, result.Count, func(g GroupAgreement) float64 {
		if n, there := g.Votes[word]; there || word == "" {
			return float64(n)
		}
		return math.NaN()
	})
}

// KindOf is a kind of models of a round: a row of KindsOf.
type KindOf struct {
	Of     *Round
	Column string // of the training records, whose value the kind has
	GroupAgreement
}

// KindsOf is Kinds for several rounds.
var KindsOf = result.Table[KindOf]{
	Name: Kinds.Name, Title: Kinds.Title, Noun: Kinds.Noun,
	ID: func(k KindOf) string { return roundOf(k.Of) + "/" + k.Name },
	Columns: slices.Concat(ofRound(func(k KindOf) *Round { return k.Of }),
		[]result.Column[KindOf]{
			result.Texts("column", "column", "of the training records", func(k KindOf) string { return k.Column }),
		},
		result.Lift(Kinds.Columns, func(k KindOf) GroupAgreement { return k.GroupAgreement })),
}

// KindFigures draw kinds of models by a column of their records: the share of equal pairs of
// labels, and the share of models of each label by majority vote with the number of all (Fig. 16 of
// the background paper). word is what is said for a class.
func KindFigures(
	kinds []GroupAgreement, column, note string, word func(class string) string,
) (agreed, labels result.Figure) {
	agreed = result.Figure{
		Title: "Agreement by " + column, Note: note, Empty: "no kind has models with two labels",
		X: result.Axis{Name: "percent agreement", Format: result.Share, High: 1}, Y: result.Axis{Name: column},
		Groups: []result.Group{{}},
	}
	labels = result.Figure{
		Title: "Labels by " + column, Note: note, X: result.Axis{
			Name: "share of the models", Format: result.Share, High: 1,
		},
		Y: result.Axis{Name: column}, Groups: []result.Group{
			{Name: word("invariant"), Look: result.LookInvariant},
			{Name: word("borderline"), Look: result.LookBorderline},
			{Name: word("variant"), Look: result.LookVariant},
			{Name: "no majority"},
		},
	}
	for _, k := range kinds {
		if p := k.Percent; p.Value.Defined() {
			share := p.Value.Value
			bar := agreed.AddBar(k.Name, result.Share.Say(share, 0), k.Name+": "+p.Tell(result.Share), 0, share, 0)
			if low, high := p.Ends(); low < high {
				bar.Low, bar.High = low, high
			}
		}
		from, all := 0.0, float64(len(k.Items))
		for g, class := range []string{"invariant", "borderline", "variant", ""} {
			share := float64(k.Votes[class]) / all
			name := fmt.Sprintf("%s: %s %d of %d", k.Name, labels.Groups[g].Name, k.Votes[class], len(k.Items))
			if g == 0 {
				labels.AddBar(k.Name, "", name, 0, share, 0)
			} else {
				last := labels.Boxes[len(labels.Boxes)-1]
				last.X0, last.X1, last.Name, last.Group = from, from+share, name, g
				labels.Boxes = append(labels.Boxes, last)
			}
			from += share
		}
		labels.Boxes[len(labels.Boxes)-1].Text = "n " + result.Whole(len(k.Items))
	}
	return agreed, labels
}

// PointOf is the agreement after an item of a round: a row of PointsOverTime.
type PointOf struct {
	Of *Round
	Point
}

// PointsOverTime is the table of agreement over the items of rounds in the order in which they were
// completed.
var PointsOverTime = result.Table[PointOf]{
	Name: "agreement_over_time", Title: "Agreement over time", Noun: "point",
	ID: func(p PointOf) string { return roundOf(p.Of) + "/" + fmt.Sprint(p.Items) },
	Columns: slices.Concat(ofRound(func(p PointOf) *Round { return p.Of }), []result.Column[PointOf]{
		result.Counts("items", "models", "completed so far: from the second label on, by the last one",
			func(p PointOf) int { return p.Items }),
		point("agreed", "agreed", "percent agreement over all so far", result.Share,
			func(p Point) Value { return p.Percent }),
		point("fleiss", "Fleiss' kappa", "over all so far", result.Coefficient,
			func(p Point) Value { return p.Fleiss }),
		point("window_agreed", "agreed of the last", "percent agreement over the sliding window", result.Share,
			func(p Point) Value { return p.WindowPercent }),
		point("window_fleiss", "kappa of the last", "Fleiss' kappa over the sliding window", result.Coefficient,
			func(p Point) Value { return p.WindowFleiss }),
	}),
}

func point(key, title, help string, format result.Format, of func(Point) Value) result.Column[PointOf] {
	return result.Numbers(key, title, help, format, func(p PointOf) float64 { return of(p.Point).Number() }).
		Because(func(p PointOf) result.Reason { return of(p.Point).Reason })
}

// Figures draw agreement over time: Fleiss' kappa and percent agreement over the completed items,
// of all so far and of the last ones, as many as window.
func Figures(points []Point, window int) (fleiss, percent result.Figure) {
	figure := func(name string, format result.Format, all, last func(Point) Value) result.Figure {
		f := result.Figure{
			Title: name + " over time", X: result.Axis{Name: "models completed", Format: result.Count},
			Y: result.Axis{Name: name, Format: format}, Empty: name + ": not defined for any number of models",
			Lines: []result.Line{{Name: "all so far"}, {Name: fmt.Sprintf("the last %d", window)}},
		}
		for _, p := range points {
			for k, of := range []func(Point) Value{all, last} {
				l := &f.Lines[k]
				l.X, l.Y = append(l.X, float64(p.Items)), append(l.Y, of(p).Number())
			}
		}
		if len(points) < window {
			f.Lines = f.Lines[:1]
		}
		return f
	}
	return figure("Fleiss' kappa", result.Coefficient, func(p Point) Value { return p.Fleiss },
			func(p Point) Value { return p.WindowFleiss }),
		figure("percent agreement", result.Share, func(p Point) Value { return p.Percent },
			func(p Point) Value { return p.WindowPercent })
}

func roundOf(r *Round) string { return r.Of.ID }

// known is a number of labels that were asked for, NaN where nobody knows what was.
func (r *Round) known(labels int) float64 {
	if r.Asked == 0 {
		return math.NaN()
	}
	return float64(labels)
}

// ofRound are the columns that name a round.
func ofRound[R any](of func(R) *Round) []result.Column[R] {
	return result.Lift([]result.Column[*Round]{
		result.Texts("round", "round", "name of the round, its id where it has none", (*Round).name),
		result.Texts("round_id", "round id", "", roundOf).In(result.FileOnly),
	}, of)
}

// ConfusionFigure is how often two raters gave each pair of classes: counts[i][j] items are of
// class i by the first, in rows from the top, and of class j by the second. colours are those up to
// a count.
func ConfusionFigure(
	counts [][]int, classes []string, raters [2]string, colours func(most float64) result.Colours,
) result.Figure {
	f := result.Figure{X: result.Axis{Name: raters[1], Names: classes}, Y: result.Axis{Name: raters[0], Names: classes}}
	m := &result.Matrix{
		Rows: len(counts), Columns: len(counts), Barless: true, Value: result.Axis{Name: "items", Format: result.Count},
		Text: func(v float64) string { return result.Count.Say(v, 0) },
	}
	for _, row := range counts {
		for _, n := range row {
			m.Values = append(m.Values, float64(n))
		}
	}
	f.Matrix, m.Colours = m, colours(max(1, slices.Max(append(m.Values, 0))))
	return f
}
