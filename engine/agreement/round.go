package agreement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// Round is what was measured of a round of labels.
type Round struct {
	Of      label.Round
	Models  []string // names of Of.Models, in their order
	Ratings [][]int  // raters x items: Of.Annotators x Of.Models
	Report  Report   // its raters go by their names
	// PerClass is the agreement on each class by itself, Self that of each annotator who saw items
	// a second time with their own first labels.
	PerClass []ClassAgreement
	Self     []SelfAgreement
	// Known compares annotators with the known answers; nil without such, and while they are
	// hidden.
	Known *Known
	// Asked counts the labels that annotators are asked for, Outstanding those of them that are
	// not there yet; both are 0 for tables, of which nobody knows what was asked.
	Asked, Outstanding int
	Taken              string // of a table of others: how it was read, and which words were taken for what
}

// OfRound measures a round by its events. models are the names of r.Models, raters those of
// r.Annotators, in their order. Whoever gives a context in the options asks for their error.
func OfRound(r label.Round, events []label.Event, models, raters []string, opts Options) *Round {
	opts.Classes = label.Words(r.Classes)
	ratings := label.Ratings(r, events)
	m := &Round{
		Of: r, Models: models, Ratings: ratings, Report: Measure(ratings, r.Classes, raters, opts),
		PerClass: PerClass(ratings, r.Classes, opts), Known: knownOf(r, events, ratings, raters, opts),
	}
	asked := r.Asked()
	for a, annotator := range r.Annotators {
		for k, model := range r.Models {
			if asked(annotator, model) {
				m.Asked++
				if ratings[a][k] == Missing {
					m.Outstanding++
				}
			}
		}
		first, second := label.Passes(r, annotator, events)
		self := Self(raters[a], first, second, r.Classes, opts)
		if self.Annotator = annotator; self.N > 0 {
			m.Self = append(m.Self, self)
		}
	}
	return m
}

// OfTable measures ratings of a table that has neither rounds nor models of a workspace: raters x
// items, numbers of classes or Missing. Where the order of the classes means nothing, measures that
// rest on it are left out. Of has the table's name alone.
func OfTable(name string, items, raters, classes []string, ratings [][]int, ordered bool, opts Options) *Round {
	opts.Classes = classes
	r := &Round{
		Of:     label.Round{Name: name, Models: items, Annotators: raters, Classes: len(classes)},
		Models: items, Ratings: ratings, Report: Measure(ratings, len(classes), raters, opts),
		PerClass: PerClass(ratings, len(classes), opts),
	}
	if !ordered {
		r.Report = r.Report.nominal()
	}
	return r
}

// nominal is the report without the measures that rest on the order of the classes.
func (r Report) nominal() Report {
	r.CohenMeanLinear, r.CohenMeanQuadratic, r.GwetAC2Linear, r.GwetAC2Quadratic = nil, nil, nil, nil
	r.KrippendorffOrdinal, r.KrippendorffInterval = nil, nil
	r.Cohen, r.VsMajority = slices.Clone(r.Cohen), slices.Clone(r.VsMajority)
	for k := range r.Cohen {
		r.Cohen[k].Linear, r.Cohen[k].Quadratic = nil, nil
	}
	for k := range r.VsMajority {
		r.VsMajority[k].Linear, r.VsMajority[k].Quadratic = nil, nil
	}
	return r
}

// Say is what the round calls a class for people; files have the class itself.
func (r *Round) Say(class string) string { return r.Of.Word(label.Value(class)) }

// Words are the classes as the round calls them, in order.
func (r *Round) Words() []string {
	list := make([]string, len(r.Report.Classes))
	for k, class := range r.Report.Classes {
		list[k] = r.Say(class)
	}
	return list
}

// name is the round's for people: tables of labels may have none.
func (r *Round) name() string { return cmp.Or(r.Of.Name, r.Of.ID) }

// What stands in place of a rater: the majority vote and the known answers, in files and for
// people.
const (
	MajorityVote = "(majority)"
	MajorityName = "majority"
	KnownAnswer  = "(known answer)"
	KnownName    = "known answer"
)

// Line is one measure: of all raters, of two, of one and the majority, of one class, or of a rater
// with themselves.
type Line struct {
	Of *Round
	// Section says what the line compares.
	Section Section
	// Measure is its key, such as fleiss or cohen_linear; Title the same for people, with raters
	// and class.
	Measure, Title string
	A, B           string // raters, "" for all; B may be MajorityVote or KnownAnswer
	Class          string // "" for all
	Share          bool   // a share of agreement, not a coefficient
	Estimate
}

// Caveat is what to know of a value that is there: that it is below chance, rests on few items,
// or on a part of the labels only.
func (l Line) Caveat() result.Reason {
	var texts []string
	code := ""
	add := func(its, format string, values ...any) {
		code, texts = cmp.Or(code, its), append(texts, fmt.Sprintf(format, values...))
	}
	if !l.Value.Defined() {
		return result.Reason{}
	}
	if !l.Share && l.Value.Value < 0 {
		add("below_chance",
			"below chance: labels differ more often than guesses with the same shares of the classes would")
		if _, high := l.Ends(); high >= 0 {
			texts[0] += ", though the interval reaches chance"
		}
	}
	if l.N < MinItems && l.Interval != nil && l.NoInterval() == "" { // else that says it
		add("few_items", "rests on %s only", result.Counted(l.N, "item"))
	}
	if l.Section == OfAllRaters && l.Of.Outstanding > 0 {
		add("partial", "%s of %s are still missing",
			result.Whole(l.Of.Outstanding), result.Counted(l.Of.Asked, "label"))
	}
	return result.Because(code, "%s", strings.Join(texts, "; "))
}

// Remark is Estimate.Remark with the caveat.
func (l Line) Remark() string {
	return strings.TrimPrefix(strings.TrimSuffix(l.Estimate.Remark()+"; "+l.Caveat().Text, "; "), "; ")
}

// Tell is Estimate.Tell in the format of the value, with the caveat.
func (l Line) Tell() string {
	return strings.TrimSuffix(l.Estimate.Tell(l.Format())+"; "+l.Caveat().Text, "; ")
}

// Section is a part of Lines, as its heading for people.
type Section string

// The sections, in the order of Lines. Those without a line are left out.
const (
	OfAllRaters    Section = "All annotators"
	OfPairs        Section = "Each pair of annotators"
	WithMajority   Section = "Each annotator and the majority vote"
	WithKnown      Section = "Each annotator and the known answers"
	OnClasses      Section = "Each class by itself"
	WithThemselves Section = "Self-consistency: the first labels and those of the items that came again"
)

// Lines are all measures of the round: of all raters, of each pair, of each rater and the majority
// vote or the known answers, of each class, and of raters with themselves.
func (r *Round) Lines() []Line {
	var list []Line
	add := func(to Section, lines ...Line) {
		for _, l := range lines {
			l.Of, l.Section = r, to
			list = append(list, l)
		}
	}
	add(OfAllRaters, r.Report.lines()...)
	for _, p := range r.Report.Cohen {
		add(OfPairs, p.lines("cohen", p.Raters[0], p.Raters[1], ", "+p.Raters[0]+" and "+p.Raters[1])...)
	}
	for _, m := range r.Report.VsMajority {
		key, rest := r.Report.vsMajority()
		add(WithMajority, m.lines(key, m.Rater, MajorityVote, ", "+m.Rater+rest)...)
	}
	if r.Known != nil {
		for _, k := range r.Known.Against {
			lines := k.lines("cohen_vs_known", k.Rater, KnownAnswer, ", "+k.Rater+" and the known answers")
			lines[0].Measure, lines[0].Title = "known_accuracy", "share of the known answers, "+k.Rater
			add(WithKnown, lines...)
		}
	}
	for _, c := range r.PerClass {
		word := r.Say(c.Class)
		add(OnClasses,
			Line{
				Measure: "class_percent", Title: "agreement on " + word, Class: c.Class, Share: true,
				Estimate: c.Percent,
			},
			Line{Measure: "class_kappa", Title: "kappa of " + word, Class: c.Class, Estimate: c.Kappa})
	}
	for _, self := range r.Self {
		for _, l := range self.lines("self", self.Rater, self.Rater, "") {
			what, coefficient := strings.CutPrefix(l.Title, "Cohen's ")
			if l.Title = "self-consistency, " + self.Rater; coefficient {
				l.Title += ", " + what
			}
			add(WithThemselves, l)
		}
	}
	return list
}

// vsMajority is the key of comparisons with the majority, and how their titles end.
func (r Report) vsMajority() (key, rest string) {
	if r.LeaveOneOut {
		return "cohen_vs_majority_of_others", " and the majority of the others"
	}
	return "cohen_vs_majority", " and the majority"
}

// lines are the measures of all raters.
func (r Report) lines() []Line {
	fleiss := Line{Measure: "fleiss", Title: "Fleiss' kappa", Estimate: r.Fleiss}
	if r.Generalised {
		fleiss.Measure, fleiss.Title = "fleiss_generalised", "Fleiss' kappa, generalised"
	}
	list := []Line{
		{Measure: "percent", Title: "percent agreement", Share: true, Estimate: r.Percent},
		fleiss,
		{Measure: "cohen_mean", Title: "Cohen's kappa, mean", Estimate: r.CohenMean},
		{Measure: "gwet_ac1", Title: "Gwet's AC1", Estimate: r.GwetAC1},
		{Measure: "krippendorff_nominal", Title: "Krippendorff's alpha, nominal", Estimate: r.KrippendorffNominal},
	}
	for _, more := range []struct {
		key, title string
		of         *Estimate
	}{
		{"cohen_mean_linear", "Cohen's kappa, linear, mean", r.CohenMeanLinear},
		{"cohen_mean_quadratic", "Cohen's kappa, quadratic, mean", r.CohenMeanQuadratic},
		{"gwet_ac2_linear", "Gwet's AC2, linear", r.GwetAC2Linear},
		{"gwet_ac2_quadratic", "Gwet's AC2, quadratic", r.GwetAC2Quadratic},
		{"krippendorff_ordinal", "Krippendorff's alpha, ordinal", r.KrippendorffOrdinal},
		{"krippendorff_interval", "Krippendorff's alpha, interval", r.KrippendorffInterval},
	} {
		if more.of != nil {
			list = append(list, Line{Measure: more.key, Title: more.title, Estimate: *more.of})
		}
	}
	return list
}

// lines are the measures of two columns of ratings; rest ends their titles.
func (c Cohen) lines(key, a, b, rest string) []Line {
	list := []Line{
		{Measure: key + "_percent", Title: "percent agreement", Share: true, Estimate: c.Percent},
		{Measure: key, Title: "Cohen's kappa", Estimate: c.Kappa},
	}
	if c.Linear != nil {
		list = append(list,
			Line{Measure: key + "_linear", Title: "Cohen's kappa, linear", Estimate: *c.Linear},
			Line{Measure: key + "_quadratic", Title: "Cohen's kappa, quadratic", Estimate: *c.Quadratic})
	}
	for k := range list {
		list[k].A, list[k].B, list[k].Title = a, b, list[k].Title+rest
	}
	return list
}

// Count is how many items one column of labels has in one class and another column in another.
type Count struct {
	Of             *Round
	Measure        string // key of the measure that rests on it
	A, B           string
	ClassA, ClassB string
	N, Total       int // of the items that have both labels
}

// Counts are the cells of all confusion tables, rows first. Of a rater with themselves rows are the
// first labels.
func (r *Round) Counts() []Count {
	var list []Count
	add := func(measure, a, b string, c Cohen) {
		for k, row := range c.Confusion {
			for l, n := range row {
				classes := r.Report.Classes
				list = append(list, Count{r, measure, a, b, classes[k], classes[l], n, c.N})
			}
		}
	}
	for _, p := range r.Report.Cohen {
		add("cohen", p.Raters[0], p.Raters[1], p.Cohen)
	}
	key, _ := r.Report.vsMajority()
	for _, m := range r.Report.VsMajority {
		add(key, m.Rater, MajorityVote, m.Cohen)
	}
	if r.Known != nil {
		for _, k := range r.Known.Against {
			add("cohen_vs_known", k.Rater, KnownAnswer, k.Cohen)
		}
	}
	for _, self := range r.Self {
		add("self", self.Rater, self.Rater, self.Cohen)
	}
	return list
}

// Item is an item of a round with everybody's labels.
type Item struct {
	Of *Round
	K  int // index into the round's models
}

// Items are all items of the round.
func (r *Round) Items() []Item {
	list := make([]Item, len(r.Of.Models))
	for k := range list {
		list[k] = Item{r, k}
	}
	return list
}

// Model is the content hash of the item, or what a table calls it; Name is what it is called.
func (i Item) Model() string { return i.Of.Of.Models[i.K] }

// hash is the content hash, "" for an item of a table of others.
func (i Item) hash() string {
	if i.Of.Of.ID == "" {
		return ""
	}
	return i.Model()
}

// Name is what the item is called.
func (i Item) Name() string { return i.Of.Models[i.K] }

// Label is the label of the rater of an index, "" for none.
func (i Item) Label(rater int) string { return i.word(i.Of.Ratings[rater]) }

// Majority is the label of most raters, "" for a tie and without labels.
func (i Item) Majority() string { return i.word(i.Of.Report.Majority.Unresolved) }

func (i Item) word(column []int) string {
	if column[i.K] == Missing {
		return ""
	}
	return i.Of.Report.Classes[column[i.K]]
}

// Given are the labels of each rater, those of the majority vote and the final ones, for
// label.GivenTable. Events are those of the round.
func (r *Round) Given(events []label.Event) []label.Given {
	list := make([]label.Given, len(r.Report.Raters), len(r.Report.Raters)+2)
	for a, rater := range r.Report.Raters {
		list[a].By = rater
		for _, it := range r.Items() {
			list[a].Values = append(list[a].Values, label.Value(it.Label(a)))
		}
	}
	majority, final := label.Given{By: "majority vote"}, label.Given{By: "final"}
	for k, d := range label.Training(r.Of, events, false) {
		majority.Values = append(majority.Values, label.Value(Item{r, k}.Majority()))
		final.Values = append(final.Values, d.Value)
	}
	return append(list, majority, final)
}

// Divided tells whether two labels of the item differ.
func (i Item) Divided() bool {
	first := Missing
	for _, row := range i.Of.Ratings {
		switch class := row[i.K]; {
		case class == Missing:
		case first == Missing:
			first = class
		case class != first:
			return true
		}
	}
	return false
}

// Tell is the item in a line: "s09: A variant, B invariant; no majority".
func (i Item) Tell() string {
	text, between := i.Name(), ": "
	for a, rater := range i.Of.Report.Raters {
		if word := i.Label(a); word != "" {
			text, between = fmt.Sprint(text, between, rater, " ", i.Of.Say(word)), ", "
		}
	}
	if i.Majority() == "" {
		return text + "; no majority"
	}
	return text + "; majority " + i.Of.Say(i.Majority())
}
