package graph

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/store"
)

// fewKeywords is a view of five images: sand and sea go together, a boat is on the sea once, a lamp stands alone.
func fewKeywords(t *testing.T) *View {
	t.Helper()
	names := []string{"seg_sea", "seg_sand", "seg_boat", "scene_lamp_shop"}
	images := [][]int{{0, 1}, {0, 1}, {0, 1, 2}, {0}, {3}}
	graph, err := itemset.New(names, images, 0.4, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	v := NewView()
	v.Take(dataOf(graph, images))
	sets, rules, err := mine(t.Context(), images, len(names), 0.2, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	v.Mined = Mined{making: making(v.Record), Sets: sets, Rules: rules}
	v.rows = arrange(rules, v.Shown.Names, v.query())
	return v
}

func dataOf(graph itemset.Ontology, images [][]int) Data {
	return Data{
		Has: true, Graph: graph, Shown: shown(graph), Present: images, Table: store.KeywordTable{Name: "few.csv"},
		Record: store.OntologyRecord{Name: "few", MinSupport: 0.4, MinConfidence: 0.5, Edits: graph.Edits},
	}
}

// column are all cells of a column.
func column(rows, col int, cell func(row, col int) string) []string {
	list := make([]string, rows)
	for row := range list {
		list[row] = cell(row, col)
	}
	return list
}

func TestEdgesOfAKeyword(t *testing.T) {
	v := fewKeywords(t)
	pairs := func() (list []string) {
		for row := range v.edges {
			list = append(list, v.EdgeCell(row, edgeFrom)+">"+v.EdgeCell(row, edgeTo)+"="+v.EdgeCell(row, edgeWeight)+" "+v.EdgeCell(row, edgeImages)+" "+v.EdgeCell(row, edgeLift))
		}
		return list
	}
	if got, want := pairs(), []string{"sand>sea=1.000 3 1.25", "sea>sand=0.750 3 1.25"}; !slices.Equal(got, want) {
		t.Errorf("edges %q, want %q", got, want)
	}
	if got := v.EdgesCaption(); got != "2 edges of all keywords" {
		t.Errorf("caption %q", got)
	}
	v.SortEdges(edgeFrom)
	if got := v.EdgeCell(0, edgeFrom); got != "sand" {
		t.Errorf("by name first is %q", got)
	}
	v.SortEdges(edgeFrom)
	if got := v.EdgeCell(0, edgeFrom); got != "sea" {
		t.Errorf("the other way round first is %q", got)
	}
	v.Choose(0)
	if got := v.EdgesCaption(); got != "sea: leads to 1 keyword, reached from 1 keyword" || len(v.edges) != 2 {
		t.Errorf("caption %q", got)
	}
	v.Choose(3)
	if got := v.EdgesCaption(); got != "lamp shop stands alone: no edge leads to it or away from it." {
		t.Errorf("caption %q", got)
	}
	if v.EdgeCell(0, 0) != "" || v.EdgeCell(-1, 0) != "" {
		t.Error("cells outside")
	}
}

func TestRulesAreArranged(t *testing.T) {
	v := fewKeywords(t)
	rules := func() []string {
		v.rows = arrange(v.Mined.Rules, v.Shown.Names, v.query())
		var list []string
		for row := range v.rows {
			list = append(list, v.RuleCell(row, ruleIf)+" > "+v.RuleCell(row, ruleThen))
		}
		return list
	}
	got := rules()
	if want := []string{"sea > sand"}; len(got) != len(v.Mined.Rules) || !slices.Contains(got, want[0]) || v.RuleCell(0, ruleLift) != "1.67" {
		t.Errorf("%d rules %q, the largest lift %s", len(got), got, v.RuleCell(0, ruleLift))
	}
	if caption := v.RulesCaption(); caption != "10 rules; 8 itemsets" {
		t.Errorf("caption %q", caption)
	}
	v.filter = "boat -sand"
	if got, want := rules(), []string{"boat > sea"}; !slices.Equal(got, want) {
		t.Errorf("filtered %q, want %q", got, want)
	}
	v.filter = "confidence>0.9 lift<1.3 length<3"
	v.SortRules(ruleIf)
	if got, want := rules(), []string{"boat > sea", "sand > sea"}; !slices.Equal(got, want) {
		t.Errorf("filtered %q, want %q", got, want)
	}
	v.SortRules(ruleIf)
	if got, want := rules(), []string{"sand > sea", "boat > sea"}; !slices.Equal(got, want) {
		t.Errorf("turned round %q, want %q", got, want)
	}
	if got := v.RulesCaption(); got != "2 of 10 rules; 8 itemsets" {
		t.Errorf("caption %q", got)
	}
	if got, want := v.RuleText(0), "of 3 images with sand 3 (100.0 %) have sea, too: 1.25 times as many as on average"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	v.filter, v.only = "", true
	v.Choose(2)
	for _, rule := range rules() {
		if !strings.Contains(rule, "boat") {
			t.Errorf("%q is no rule of boat", rule)
		}
	}
	if v.RuleCell(99, 0) != "" || v.RuleText(-1) != "" {
		t.Error("cells outside")
	}
}

func TestRulesCaption(t *testing.T) {
	v := fewKeywords(t)
	for _, c := range []struct {
		mining bool
		err    error
		want   string
	}{
		{true, nil, "Finding rules…"},
		{false, t.Context().Err(), ""},
		{false, errors.New("there are more than 1000000: raise the minimum support"), "There are more than 1000000: raise the minimum support."},
	} {
		v.mining, v.Mined.Err = c.mining, c.err
		if got := v.RulesCaption(); c.want != "" && got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestSortedColumns: a column sorts by its number, and a click on another one begins with what matters.
func TestSortedColumns(t *testing.T) {
	v := fewKeywords(t)
	for col := ruleSupport; col <= ruleLength; col++ {
		v.rules = query{item: -1, column: ruleIf}
		v.SortRules(col)
		v.rows = arrange(v.Mined.Rules, v.Shown.Names, v.query())
		for row := 1; row < len(v.rows); row++ {
			if a, b := ruleNumber(v.Mined.Rules[v.rows[row-1]], col), ruleNumber(v.Mined.Rules[v.rows[row]], col); a < b {
				t.Errorf("column %d: %g before %g", col, a, b)
			}
		}
	}
	if cells := column(len(v.rows), ruleLength, v.RuleCell); cells[0] != "3" {
		t.Errorf("lengths %q", cells)
	}
}

func TestEditsThatAreTyped(t *testing.T) {
	v := fewKeywords(t)
	for _, c := range []struct {
		change
		want  itemset.Edit
		wrong string
	}{
		{change{"sea", "sand", "0.9", " seen "}, itemset.Edit{From: "seg_sea", To: "seg_sand", Weight: 0.9, Note: "seen"}, ""},
		{change{" SEA", "lamp shop", "0,5", ""}, itemset.Edit{From: "seg_sea", To: "scene_lamp_shop", Weight: 0.5}, ""},
		{change{"seg_boat", "sea", "1", ""}, itemset.Edit{From: "seg_boat", To: "seg_sea", Weight: 1}, ""},
		{change{"", "sea", "1", ""}, itemset.Edit{}, "choose the keywords"},
		{change{"dune", "sea", "1", ""}, itemset.Edit{}, `"dune"`},
		{change{"sea", "dune", "1", ""}, itemset.Edit{}, `"dune"`},
		{change{"sea", "sea", "1", ""}, itemset.Edit{}, "another keyword"},
		{change{"sea", "sand", "0", ""}, itemset.Edit{}, "above 0"},
		{change{"sea", "sand", "1.1", ""}, itemset.Edit{}, "at most 1"},
		{change{"sea", "sand", "NaN", ""}, itemset.Edit{}, "a number"},
		{change{"sea", "sand", "", ""}, itemset.Edit{}, "a number"},
	} {
		got, err := v.edit(c.change)
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%+v: %v, want %q", c.change, err, c.wrong)
			}
		case err != nil || got != c.want:
			t.Errorf("%+v: %+v, %v", c.change, got, err)
		}
	}
	for text, want := range map[string]string{
		"sand": "from sea to sand: confidence 0.750, in 3 of 5 images, lift 1.25", "boat": "and a rare keyword to the graph", "lamp shop": "No such edge", "sea": "", "x": "",
	} {
		if got := v.about(change{from: "sea", to: text}); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("about sea and %s: %q", text, got)
		}
	}
	if got := v.offered("A"); !slices.Equal(got, []string{"boat", "lamp shop", "sand", "sea"}) {
		t.Errorf("offered %q", got)
	}
	if got := v.offered("lam"); !slices.Equal(got, []string{"lamp shop"}) {
		t.Errorf("offered %q", got)
	}
}

// TestEditsAreListed: the newest first, and what was edited is marked; cutting off removes every edge of a keyword.
func TestEditsAreListed(t *testing.T) {
	v := fewKeywords(t)
	edited, err := v.Graph.With(append(v.cutOff(0, "wrong"), itemset.Edit{From: "seg_boat", To: "seg_sea", Weight: 0.25})...)
	if err != nil {
		t.Fatal(err)
	}
	v.Take(dataOf(edited, v.Present))
	if n := len(v.edges); n != 1 || v.EdgeCell(0, edgeHand) != "●" || v.EdgeCell(0, edgeImages) != "-" {
		t.Errorf("%d edges, %q, %q", n, v.EdgeCell(0, edgeHand), v.EdgeCell(0, edgeImages))
	}
	var rows []string
	for row := range 4 {
		rows = append(rows, strings.Join([]string{v.EditCell(row, 0), v.EditCell(row, 1), v.EditCell(row, 2), v.EditCell(row, 3), v.EditCell(row, 4)}, "|"))
	}
	if want := []string{"3|boat|sea|0.25|", "2|sand|sea|removed|wrong", "1|sea|sand|removed|wrong", "||||"}; !slices.Equal(rows, want) {
		t.Errorf("edits %q, want %q", rows, want)
	}
	if got := v.EditsTitle(); got != "Edits 3" {
		t.Errorf("title %q", got)
	}
	if got := v.EditsNote(); !strings.HasPrefix(got, "Later edits") || strings.Contains(got, "Selections") {
		t.Errorf("note %q", got)
	}
	v.Selected = []origin{{name: "near", edits: 1}, {name: "far"}}
	if got := v.EditsNote(); !strings.HasSuffix(got, "whatever is edited now: near (1 edit), far (0 edits).") {
		t.Errorf("note %q", got)
	}
	if got := v.RemovalText(); !strings.Contains(got, "3 edits by hand") || !strings.Contains(got, "stay: near, far.") {
		t.Errorf("removal %q", got)
	}
	if got := few([]string{"a", "b", "c", "d", "e", "f", "g"}); got != "a, b, c, d, e and 2 more" {
		t.Errorf("few: %q", got)
	}
}

// TestTakeKeepsTheChosenKeyword by its name, as long as it is a node, and rules of the same making.
func TestTakeKeepsTheChosenKeyword(t *testing.T) {
	v := fewKeywords(t)
	v.Choose(1)
	v.Take(v.Data)
	if v.Chosen() != "sand" || !v.current() || len(v.Mined.Rules) == 0 {
		t.Errorf("chosen %q, %d rules", v.Chosen(), len(v.Mined.Rules))
	}
	if v.node(1) != 1 || v.node(2) != -1 || v.item(1) != 1 || v.item(9) != -1 || v.item(-1) != -1 {
		t.Error("nodes and items")
	}
	other := v.Data
	other.Record.MinSupport, other.Shown.Nodes = 0.3, []int{0}
	v.Take(other)
	if v.Chosen() != "" || v.current() || len(v.Mined.Rules) != 0 {
		t.Errorf("chosen %q, %d rules", v.Chosen(), len(v.Mined.Rules))
	}
}

// TestNamesThatWouldBeAlike keep their own.
func TestNamesThatWouldBeAlike(t *testing.T) {
	got := shown(itemset.Ontology{Names: []string{"seg_living_room", "scene_living room", "seg_sky"}}).Names
	if want := []string{"seg_living_room", "scene_living room", "sky"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFiles(t *testing.T) {
	v := fewKeywords(t)
	head, rows := rulesTable(v.Graph.Names, v.Mined.Rules)
	if got := strings.Join(head, ",") + ";" + strings.Join(rows[0], ","); got != "antecedent,consequent,count,support,confidence,lift;seg_sea,seg_sand,3,0.6,0.75,1.25" {
		t.Errorf("rules %q", got)
	}
	_, rows = itemsetsTable(v.Graph.Names, v.Mined.Sets, 5)
	if got := strings.Join(rows[len(rows)-1], ","); got != "3,seg_sea+seg_sand+seg_boat,1,0.2" {
		t.Errorf("itemsets %q", got)
	}
	_, rows = v.edgesTable()
	if got := strings.Join(rows[0], ","); got != "seg_sea,seg_sand,3,0.75,false" {
		t.Errorf("edges %q", got)
	}
}

// TestCounts: what the form says of edges, of none, of nothing, and of too many itemsets.
func TestCounts(t *testing.T) {
	record := store.OntologyRecord{MinSupport: 0.9, Rule: background.PaperRule()}
	for _, c := range []struct {
		counts
		want string
		ok   bool
	}{
		{counts{images: 960, nodes: 34, edges: 202, sets: 542, rules: 3641}, "34 keywords and 202 edges of 960 images; 542 itemsets, 3,641 rules.", true},
		{counts{images: 9, nodes: 1, sets: 1}, "Without edges nothing is expanded", true},
		{counts{record: record, images: 9}, "The ontology would be empty: no keyword is in 90.0 % of the 9 images.", false},
		{counts{images: 9, nodes: 30, edges: 4, unmined: errors.New("there are more than 1000000")}, "Rules cannot be listed: There are more than", true},
	} {
		if text, ok := c.text(); !strings.Contains(text, c.want) || ok != c.ok {
			t.Errorf("%q, %v; want %q", text, ok, c.want)
		}
	}
}
