package app

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
)

type backgroundRulesCommand struct {
	Source string `arg:"" help:"Workspace, or a keyword table (.csv)."`
	background.OntologyOptions
	Rules    string `help:"Folder for rules.csv, all rules, or the name of that file." type:"path" placeholder:"FILE.csv"`
	Itemsets string `help:"Folder for itemsets.csv, all frequent itemsets, or the name of that file." type:"path" placeholder:"FILE.csv"`
	Ontology string `help:"File to write the ontology to, .json or .graphml." type:"path" placeholder:"FILE"`
	Show     int    `help:"Rules to print; all of them are in --rules and --json." default:"20" min:"0"`
	spreadsheetFlag
}

// Check says what does not go together besides what background.OntologyOptions knows.
func (c *backgroundRulesCommand) Check() error {
	ending := strings.ToLower(suffixOf(c.Ontology))
	switch {
	case c.Ontology != "" && ending != ".json" && ending != ".graphml":
		return option.Errorf("{ontology} writes .json or .graphml, and %s is neither", c.Ontology)
	case suffixOf(c.Source) == ".csv" && (c.Table != "" || c.Name != ""):
		return option.Errorf("{table} and {name} go with a workspace")
	}
	return nil
}

func (c *backgroundRulesCommand) Run(s *session) error {
	c.Rules, c.Itemsets = fileIn(c.Rules, "rules.csv"), fileIn(c.Itemsets, "itemsets.csv")
	m, err := c.mine(s)
	if err != nil {
		return err
	}
	doc := s.document("background_rules", &c.OntologyOptions, m.Sheets()...)
	sets, rules := doc.Sheets[1], doc.Sheets[2]
	if err := cmp.Or(c.write(c.Itemsets, sets), c.write(c.Rules, rules)); err != nil {
		return err
	}
	if c.Ontology != "" {
		write := m.Ontology.WriteJSON
		if strings.EqualFold(suffixOf(c.Ontology), ".graphml") {
			write = m.Ontology.WriteGraphML
		}
		if err := durable.WriteFile(c.Ontology, write); err != nil {
			return err
		}
	}
	order := rules.Arrange(result.Filter{}, rules.First)
	lines := []string{"", m.Found(), "ontology: " + m.String()}
	if m.Name != "" {
		lines = append(lines, "kept as "+m.Name)
	}
	if n := len(m.WithoutKeywords); n > 0 {
		lines = append(lines, fmt.Sprintf("%s without any keyword, which nothing expands: %s", result.Counted(n, "image"),
			result.Some(m.WithoutKeywords)))
	}
	return s.give(answer{
		Document: doc, lines: lines,
		tables: []*result.Sheet{rules.Take(order[:min(c.Show, len(order))]), background.LevelTable.Sheet(m.Levels)},
	})
}

// mine finds itemsets, rules and the ontology, and expands the targets' keywords level by level,
// without a bound, as the paper's Fig. 9 does. The making of a kept ontology that is named holds
// where nothing else is asked for; an ontology with a name is kept.
func (c *backgroundRulesCommand) mine(s *session) (m background.Mined, err error) {
	var ws *store.Workspace
	var table background.Table
	var record store.OntologyRecord
	if suffixOf(c.Source) == ".csv" {
		table, err = scenes.ReadTable(c.Source)
	} else {
		if ws, err = s.workspace(c.Source, c.Name != ""); err != nil { // the ontology is kept
			return m, err
		}
		table, record, err = c.kept(ws, &m)
	}
	if err != nil {
		return m, err
	}
	if record.ID == "" || c.Given() {
		record.Rule = c.Of(table.Classes())
	}
	m.Rule = record.Rule
	record.MinSupport, record.MinConfidence = c.Thresholds(record.MinSupport, record.MinConfidence)
	words, err := table.Keywords(record.Rule)
	if err != nil {
		return m, err
	}
	edits, err := c.Edits(words.Items)
	if wrong := (*option.Error)(nil); errors.As(err, &wrong) {
		return m, usageError(wrong.Error())
	} else if err != nil {
		return m, err
	}
	record.Edits = append(record.Edits, edits...)
	if m.Ontology, err = words.Ontology(record.MinSupport, record.MinConfidence, record.Edits); err != nil {
		return m, err
	}
	if len(m.Ontology.Nodes) == 0 {
		return m, fmt.Errorf("the ontology of %s is empty: no keyword is in %g %% of its %d images; lower --min-support, or look at the keywords",
			c.Source, 100*record.MinSupport, len(words.Present))
	}
	m.Sets, m.Rules, err = itemset.Associations(s.ctx, words.Present, len(words.Items), record.MinSupport,
		record.MinConfidence)
	if err != nil {
		return m, err
	}
	all, rows, err := background.ExpandAll(s.ctx, table, m.Ontology, words, background.Expansion{MaxLevels: c.Levels})
	if err != nil {
		return m, err
	}
	m.Levels = background.Levels(all, c.Levels)
	for _, row := range rows {
		if len(words.Present[row]) == 0 {
			m.WithoutKeywords = append(m.WithoutKeywords, table.Rows[row].File)
		}
	}
	if c.Name != "" {
		record.Name = c.Name
		if record, err = ws.PutOntology(record); err != nil {
			return m, err
		}
		m.Name, m.ID = record.Name, record.ID
	}
	return m, nil
}

// kept finds the ontology that --name names, if it is there, and its table or that of --table.
func (c *backgroundRulesCommand) kept(ws *store.Workspace, m *background.Mined) (table background.Table, record store.OntologyRecord, err error) {
	list, err := ws.Ontologies()
	if err != nil {
		return table, record, err
	}
	for _, o := range list {
		if o.Name == c.Name && c.Name != "" {
			record = o
		}
	}
	name := c.Table
	if name == "" {
		name = record.Table
	}
	found, err := findTable(ws, name)
	if err != nil {
		return table, record, err
	}
	record.Table, m.Table, m.TableHash = found.Hash, found.Name, found.Hash
	table, err = ws.Keywords(found.Hash)
	return table, record, err
}
