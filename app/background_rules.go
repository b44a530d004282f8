package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

type backgroundRulesCommand struct {
	Source string `arg:"" help:"Workspace, or a keyword table (.csv)."`
	Table  string `help:"Keyword table of the workspace, by name or hash (default: the newest)." placeholder:"NAME"`
	miningFlags
	ruleFlags
	Levels   int      `help:"Levels of expansion to count." default:"5" min:"0" max:"100"`
	Edit     []string `help:"Change of the ontology by hand: A>B=W sets the weight of the edge from A to B, A>B=0 removes it. Repeat it." sep:"none" placeholder:"A>B=W"`
	Note     string   `help:"Why the edits were made; it is recorded with them."`
	Name     string   `help:"Keep the ontology in the workspace under this name. One that is there is changed, its edits stay."`
	Rules    string   `help:"File to write all rules to." type:"path" placeholder:"FILE.csv"`
	Itemsets string   `help:"File to write all frequent itemsets to." type:"path" placeholder:"FILE.csv"`
	Ontology string   `help:"File to write the ontology to, .json or .graphml." type:"path" placeholder:"FILE"`
	Show     int      `help:"Rules to print; all of them are in --rules and --json." default:"20" min:"0"`
}

// miningFlags are the thresholds of association analysis; 0 stands for the default, or for what a
// kept ontology has.
type miningFlags struct {
	MinSupport    float64 `help:"Least share of images that hold an itemset (default: 0.05)." placeholder:"S" min:"0" max:"1"`
	MinConfidence float64 `help:"Least confidence of a rule (default: 0.3)." placeholder:"C" min:"0" max:"1"`
}

// expansionFlags say how far keywords are expanded.
type expansionFlags struct {
	MinKeywords int `help:"Keywords at which expansion stops; 0 for no bound." default:"32" min:"0"`
	Levels      int `help:"Levels at which expansion stops." default:"5" min:"0" max:"100"`
}

func (f expansionFlags) expansion() background.Expansion {
	return background.Expansion{MinKeywords: f.MinKeywords, MaxLevels: f.Levels}
}

// rulesReport is what background rules prints with --json.
type rulesReport struct {
	Table         *tableReport    `json:"table"` // null for a file that is in no workspace
	Images        int             `json:"images"`
	Rule          background.Rule `json:"rule"`
	MinSupport    float64         `json:"min_support"`
	MinConfidence float64         `json:"min_confidence"`
	Itemsets      []itemsetRow    `json:"itemsets"`
	Rules         []ruleRow       `json:"rules"`
	Ontology      ontologyReport  `json:"ontology"`
	Expansion     []levelRow      `json:"expansion"`
	Bare          []string        `json:"without_keywords"` // targets
}

type itemsetRow struct {
	Items   []string `json:"items"`
	Count   int      `json:"count"`
	Support float64  `json:"support"`
}

type ruleRow struct {
	Antecedent []string `json:"antecedent"`
	Consequent []string `json:"consequent"`
	Count      int      `json:"count"`
	Support    float64  `json:"support"`
	Confidence float64  `json:"confidence"`
	Lift       float64  `json:"lift"`
}

type ontologyReport struct {
	Hash   string         `json:"hash"`
	ID     string         `json:"id,omitempty"` // where it is kept
	Name   string         `json:"name,omitempty"`
	Nodes  []string       `json:"nodes"`
	Edges  []edgeRow      `json:"edges"`
	Edits  []itemset.Edit `json:"edits"`
	Edited int            `json:"edited_edges"`
}

type edgeRow struct {
	From   string  `json:"from"`
	To     string  `json:"to"`
	Count  int     `json:"count"`
	Weight float64 `json:"weight"`
	Edited bool    `json:"edited,omitempty"`
}

// levelRow is how many keywords targets have after a level.
type levelRow struct {
	Level int     `json:"level"`
	Min   int     `json:"min"`
	Mean  float64 `json:"mean"`
	Max   int     `json:"max"`
}

func (c *backgroundRulesCommand) Run(s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	w, err := c.work(s)
	if err != nil {
		return err
	}
	report, err := w.mine(s)
	if err != nil {
		return err
	}
	if err := c.write(w.graph, report); err != nil {
		return err
	}
	return c.print(s, report)
}

func (c *backgroundRulesCommand) check() error {
	for _, out := range []string{c.Rules, c.Itemsets, c.Ontology} {
		if err := needFile(out); err != nil {
			return err
		}
	}
	switch ending := strings.ToLower(suffixOf(c.Ontology)); {
	case c.Ontology != "" && ending != ".json" && ending != ".graphml":
		return usageError("--ontology writes .json or .graphml, and " + c.Ontology + " is neither")
	case suffixOf(c.Source) == ".csv" && (c.Table != "" || c.Name != ""):
		return usageError("--table and --name go with a workspace")
	case c.Note != "" && len(c.Edit) == 0:
		return usageError("--note goes with --edit A>B=W")
	}
	return nil
}

// miningWork is one call of background rules: a table, what it is mined with, and the workspace,
// nil for a file.
type miningWork struct {
	command *backgroundRulesCommand
	ws      *store.Workspace
	made    *tableReport
	table   background.Table
	record  store.OntologyRecord
	graph   itemset.Ontology
}

// work finds the table, and the kept ontology that --name names, whose making holds where no flag
// says otherwise.
func (c *backgroundRulesCommand) work(s *session) (*miningWork, error) {
	w := &miningWork{command: c}
	var err error
	if suffixOf(c.Source) == ".csv" {
		if w.table, err = readTable(c.Source); err != nil {
			return nil, err
		}
		w.record.Rule = c.rule(w.table.Classes())
		w.thresholds()
		return w, nil
	}
	if w.ws, err = s.open(c.Source); err != nil {
		return nil, err
	}
	kept, err := w.ws.Ontologies()
	if err != nil {
		return nil, err
	}
	for _, o := range kept {
		if o.Name == c.Name && c.Name != "" {
			w.record = o
		}
	}
	known := w.record.ID != ""
	if !known || c.Table != "" {
		found, err := findTable(w.ws, c.Table)
		if err != nil {
			return nil, err
		}
		w.record.Table = found.Hash
	}
	found, err := findTable(w.ws, w.record.Table)
	if err != nil {
		return nil, err
	}
	w.made = &tableReport{Hash: found.Hash, Name: found.Name, Made: found.Made}
	if w.table, err = w.ws.Keywords(found.Hash); err != nil {
		return nil, err
	}
	if !known || c.given() {
		w.record.Rule = c.rule(w.table.Classes())
	}
	w.thresholds()
	return w, nil
}

// thresholds are those of the flags, of the kept ontology, or the defaults.
func (w *miningWork) thresholds() {
	w.record.MinSupport = firstAbove0(w.command.MinSupport, w.record.MinSupport, itemset.DefaultMinSupport)
	w.record.MinConfidence = firstAbove0(w.command.MinConfidence, w.record.MinConfidence, itemset.DefaultMinConfidence)
}

func firstAbove0(list ...float64) float64 {
	for _, v := range list {
		if v > 0 {
			return v
		}
	}
	return 0
}

// mine finds itemsets, rules and the ontology, and expands the targets' keywords. An ontology with
// a name is kept.
func (w *miningWork) mine(s *session) (rulesReport, error) {
	r := rulesReport{
		Table: w.made, Images: len(w.table.Rows), Rule: w.record.Rule, MinSupport: w.record.MinSupport, MinConfidence: w.record.MinConfidence,
		Itemsets: []itemsetRow{}, Rules: []ruleRow{}, Expansion: []levelRow{}, Bare: []string{},
	}
	words, err := w.table.Keywords(w.record.Rule)
	if err != nil {
		return r, err
	}
	if err := w.build(words); err != nil {
		return r, err
	}
	sets, err := itemset.Mine(s.ctx, words.Present, len(words.Items), w.record.MinSupport)
	if err != nil {
		return r, err
	}
	rules, err := itemset.Rules(s.ctx, sets, len(words.Present), w.record.MinConfidence)
	if err != nil {
		return r, err
	}
	for _, set := range sets {
		r.Itemsets = append(r.Itemsets, itemsetRow{namesOf(words.Items, set.Items), set.Count, float64(set.Count) / float64(len(words.Present))})
	}
	for _, rule := range rules {
		r.Rules = append(r.Rules, ruleRow{
			namesOf(words.Items, rule.Antecedent), namesOf(words.Items, rule.Consequent), rule.Count, rule.Support(), rule.Confidence(), rule.Lift(),
		})
	}
	r.expand(w, words)
	if err := w.keep(); err != nil {
		return r, err
	}
	r.Ontology = w.ontologyReport()
	return r, nil
}

// build makes the graph with all edits, those of before and those of the flags.
func (w *miningWork) build(words background.Keywords) error {
	graph, err := itemset.New(words.Items, words.Present, w.record.MinSupport, w.record.MinConfidence)
	if err != nil {
		return err
	}
	if len(graph.Nodes) == 0 {
		return fmt.Errorf("the ontology of %s is empty: no keyword is in %g %% of its %d images; lower --min-support, or look at the keywords",
			w.command.Source, 100*w.record.MinSupport, len(words.Present))
	}
	for _, text := range w.command.Edit {
		edit, err := parseEdit(text, words.Items)
		if err != nil {
			return err
		}
		edit.Note = w.command.Note
		w.record.Edits = append(w.record.Edits, edit)
	}
	w.graph, err = graph.With(w.record.Edits...)
	return err
}

// keep puts a named ontology into the workspace.
func (w *miningWork) keep() (err error) {
	if w.command.Name == "" {
		return nil
	}
	w.record.Name = w.command.Name
	w.record, err = w.ws.PutOntology(w.record)
	return err
}

func (w *miningWork) ontologyReport() ontologyReport {
	r := ontologyReport{
		Hash: w.graph.Hash, ID: w.record.ID, Name: w.record.Name, Nodes: namesOf(w.graph.Names, w.graph.Nodes), Edges: []edgeRow{},
		Edits: append([]itemset.Edit{}, w.graph.Edits...),
	}
	for _, e := range w.graph.Edges {
		r.Edges = append(r.Edges, edgeRow{w.graph.Names[e.From], w.graph.Names[e.To], e.Count, e.Weight, e.Edited})
		if e.Edited {
			r.Edited++
		}
	}
	return r
}

// expand counts the keywords of the targets level by level, without a bound, as the paper's Fig. 9
// does; those of all images of a table without targets.
func (r *rulesReport) expand(w *miningWork, words background.Keywords) {
	rows := w.table.Of(background.TargetKind)
	if len(rows) == 0 {
		rows = w.table.Of(background.BackgroundKind)
	}
	var all [][]background.Keyword
	for _, row := range rows {
		if len(words.Present[row]) == 0 {
			r.Bare = append(r.Bare, w.table.Rows[row].File)
		}
		all = append(all, background.Expand(w.graph, words.Present[row], background.Expansion{MaxLevels: w.command.Levels}))
	}
	for _, level := range background.Levels(all, w.command.Levels) {
		r.Expansion = append(r.Expansion, levelRow{level.Level, level.Min, level.Mean, level.Max})
	}
}

// namesOf are the names of items.
func namesOf(names []string, items []int) []string {
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = names[item]
	}
	return list
}

// parseEdit reads A>B=W. A and B are items, or their words without the part that they come from.
func parseEdit(text string, items []string) (itemset.Edit, error) {
	ends, number, valued := strings.Cut(text, "=")
	from, to, edge := strings.Cut(ends, ">")
	if !valued || !edge {
		return itemset.Edit{}, usageError(fmt.Sprintf("--edit %s: an edit is A>B=W, such as sand>sea=0.8, and A>B=0 removes the edge", text))
	}
	weight, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(weight >= 0 && weight <= 1) {
		return itemset.Edit{}, usageError(fmt.Sprintf("--edit %s: the weight is a number from 0 to 1", text))
	}
	edit := itemset.Edit{Weight: weight}
	if edit.From, err = itemNamed(from, items); err == nil {
		edit.To, err = itemNamed(to, items)
	}
	if err != nil {
		return edit, fmt.Errorf("--edit %s: %w", text, err)
	}
	return edit, nil
}

func itemNamed(word string, items []string) (string, error) {
	word = strings.TrimSpace(word)
	for _, item := range items {
		if item == word || scenes.PlainWord(item) == word {
			return item, nil
		}
	}
	words := make([]string, len(items))
	for i, item := range items {
		words[i] = scenes.PlainWord(item)
	}
	slices.Sort(words)
	return "", fmt.Errorf("there is no keyword %q; there are %s", word, strings.Join(words, ", "))
}
