package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/job"
)

// backgroundCommand is background invariance (spec/background.md), step by step.
type backgroundCommand struct {
	Keywords backgroundKeywordsCommand `cmd:"" help:"What images contain: keywords by two context networks or from a table."`
	Rules    backgroundRulesCommand    `cmd:"" help:"What goes together: frequent itemsets, association rules, the ontology and how far it expands keywords."`
	Scenes   backgroundScenesCommand   `cmd:"" help:"Choose testing scenes for every target: a selection, which is kept in the workspace."`
	Run      backgroundRunCommand      `cmd:"" help:"Run models on the targets in the scenes of a selection."`
	Matrix   backgroundMatrixCommand   `cmd:"" help:"Accuracy in the scenes, worst case, scatter plots over semantic distances and interpolated variance matrices."`
}

type backgroundKeywordsCommand struct {
	Source string `arg:"" study:"path" help:"Workspace, or a keyword table (.csv)."`
	background.KeywordOptions
	background.TableName
	Each bool   `help:"A row per image in place of one per keyword."`
	Out  string `help:"Folder for keywords.csv, the keyword table, or the name of that file." type:"path" placeholder:"FILE.csv" study:"-"`
}

func (c *backgroundKeywordsCommand) Run(s *Session) error {
	c.Out = fileIn(c.Out, "keywords.csv")
	summary := background.Summary{}
	var err error
	if suffixOf(c.Source) == ".csv" {
		summary.Table, err = scenes.ReadTable(c.Source)
	} else {
		err = c.ofWorkspace(s, &summary)
	}
	if err != nil {
		return err
	}
	t := summary.Table
	summary.Rule = c.Of(t.Classes())
	found, err := t.Keywords(summary.Rule)
	if err != nil {
		return err
	}
	summary.Counts = found.Count(t)
	if c.Out != "" {
		if err := durable.WriteFile(c.Out, t.WriteTable); err != nil {
			return err
		}
	}
	keywords, images := background.KeywordTable.Sheet(found.Counted(t)), background.ImageTable.Sheet(found.OfImages(t))
	doc := s.document("background_keywords", &c.KeywordOptions,
		background.SummaryTable.Sheet([]background.Summary{summary}), keywords, images,
		background.WordTable.Sheet(t.Words(summary.Rule)))
	shown := keywords
	if c.Each {
		shown = images
	}
	lines := []string{summary.String()}
	if summary.Name != "" {
		lines = append(lines, fmt.Sprintf("table %s (%s), %s", summary.Name, summary.Made, summary.Hash))
	}
	return s.give(answer{Document: doc, shown: []any{shown}, lines: lines})
}

// Check refuses options that do not go together.
func (c *backgroundKeywordsCommand) Check() error {
	if suffixOf(c.Source) == ".csv" && (c.Networks() || c.Table != "" || c.Targets+c.Backgrounds+c.Masks != "") {
		return option.Errorf("a table says what its images contain already; " +
			"networks, suites and masks go with a workspace")
	}
	return nil
}

// ofWorkspace brings masks and a table in, or lets the networks make one; without either it is the
// table that is there.
func (c *backgroundKeywordsCommand) ofWorkspace(s *Session, to *background.Summary) error {
	ws, err := s.workspace(c.Source, c.Masks+c.Table+c.Segmentation != "")
	if err != nil {
		return err
	}
	if c.Masks != "" {
		targets, err := suiteNamed(ws, c.Targets)
		if err != nil {
			return err
		}
		set, err := findMasks(s, ws, targets, c.Masks, c.Copy)
		if err != nil {
			return err
		}
		to.Masks = set.Hash
	}
	var record store.KeywordTable
	switch {
	case c.Table != "":
		if to.Table, err = scenes.ReadTable(c.Table); err != nil {
			return err
		}
		record, err = ws.AddKeywords(c.Title(c.Table), "file", to.Table)
	case c.Segmentation != "":
		record, to.Table, err = c.understand(s, ws)
	default:
		if record, err = findTable(ws, c.Name); err != nil {
			return err
		}
		to.Table, err = ws.Keywords(record.Hash)
	}
	to.Hash, to.Name, to.Made = record.Hash, record.Name, record.Made
	return err
}

// understand asks the two networks. What they said before an interrupt is kept, so that the same
// line goes on.
func (c *backgroundKeywordsCommand) understand(
	s *Session, ws *store.Workspace,
) (record store.KeywordTable, table background.Table, err error) {
	targets, err := suiteNamed(ws, c.Targets)
	if err != nil {
		return record, table, err
	}
	backgrounds, err := suiteNamed(ws, c.Backgrounds)
	if err != nil {
		return record, table, err
	}
	n, err := scenes.NetworksOf(c.KeywordNetworks)
	if err != nil {
		return record, table, err
	}
	list, err := ws.MaskSets(targets.Hash)
	if err != nil {
		return record, table, err
	}
	masks := ""
	if len(list) == 0 {
		s.tell("suite %s has no masks: the pixels of its foregrounds are counted, too", targets.Name)
	} else {
		masks = list[len(list)-1].Hash
	}
	runtime, err := s.Runtime()
	if err != nil {
		return record, table, err
	}
	return n.Keep(s.ctx, ws, runtime, c.Title(""), targets.Hash, backgrounds.Hash, masks, s.bar("keywords"))
}

type backgroundRulesCommand struct {
	Source string `arg:"" study:"path" help:"Workspace, or a keyword table (.csv)."`
	background.OntologyOptions
	Rules    string `help:"Folder for rules.csv, all rules, or the name of that file." type:"path" placeholder:"FILE.csv" study:"written"`
	Itemsets string `help:"Folder for itemsets.csv, all frequent itemsets, or the name of that file." type:"path" placeholder:"FILE.csv" study:"written"`
	Ontology string `help:"File to write the ontology to: .json or .graphml, or its figure as .png, .svg or .pdf." type:"path" placeholder:"FILE" study:"written"`
	Show     int    `help:"Rules to print; all of them are in --rules and --json." default:"20" min:"0"`
	spreadsheetFlag
}

// ontologyEndings are those of files of an ontology, of data and of pictures.
var ontologyEndings = []string{".json", ".graphml", ".png", ".svg", ".pdf"}

// Check says what does not go together besides what background.OntologyOptions knows.
func (c *backgroundRulesCommand) Check() error {
	switch {
	case c.Ontology != "" && !slices.Contains(ontologyEndings, suffixOf(c.Ontology)):
		return option.Errorf("{ontology} writes %s, and %s is none of these",
			strings.Join(ontologyEndings, ", "), c.Ontology)
	case suffixOf(c.Source) == ".csv" && (c.Table != "" || c.Name != ""):
		return option.Errorf("{table} and {name} go with a workspace")
	}
	return nil
}

func (c *backgroundRulesCommand) Run(s *Session) error {
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
	note := fmt.Sprintf("support %g, confidence %g", m.Ontology.MinSupport, m.Ontology.MinConfidence)
	figures := []result.Drawn{{Name: "levels", Figure: background.LevelFigure("Keywords by level of expansion", note,
		m.Levels)}}
	ending := suffixOf(c.Ontology)
	if s.taken != nil || slices.Contains(ontologyEndings[2:], ending) {
		figure, err := m.Figure(s.ctx)
		if err != nil {
			return err
		}
		figures = append(figures, result.Drawn{Name: "ontology", Figure: figure})
	}
	if c.Ontology != "" {
		write := m.Ontology.WriteJSON
		switch ending {
		case ".graphml":
			write = m.Ontology.WriteGraphML
		case ".png", ".svg", ".pdf":
			write = func(w io.Writer) error { return render.Draw(w, figures[1].Figure, render.Part{}, ending[1:]) }
		}
		if err := durable.WriteFile(c.Ontology, write); err != nil {
			return err
		}
	}
	for _, path := range []string{c.Itemsets, c.Rules, c.Ontology} {
		if path != "" {
			s.wrote = append(s.wrote, path)
		}
	}
	order := rules.Arrange(result.Filter{}, rules.First)
	lines := []string{"", m.Found(), "ontology: " + m.String()}
	if m.Name != "" {
		lines = append(lines, "kept as "+m.Name)
	}
	if n := len(m.WithoutKeywords); n > 0 {
		lines = append(lines, fmt.Sprintf("%s without any keyword, which nothing expands: %s",
			result.Counted(n, "image"),
			result.Some(m.WithoutKeywords)))
	}
	shown := []any{rules.Take(order[:min(c.Show, len(order))]), background.LevelTable.Sheet(m.Levels)}
	return s.give(answer{Document: doc, shown: shown, lines: lines, figures: figures})
}

// mine finds the ontology and what goes with it. The making of a kept ontology that is named holds
// where nothing else is asked for; an ontology with a name is kept.
func (c *backgroundRulesCommand) mine(s *Session) (m background.Mined, err error) {
	var ws *store.Workspace
	var table background.Table
	var record store.OntologyRecord
	var of store.KeywordTable
	if suffixOf(c.Source) == ".csv" {
		table, err = scenes.ReadTable(c.Source)
	} else {
		if ws, err = s.workspace(c.Source, c.Name != ""); err != nil { // the ontology is kept
			return m, err
		}
		of, table, record, err = c.kept(ws)
	}
	if err != nil {
		return m, err
	}
	if record.ID == "" || c.Given() {
		record.Rule = c.Of(table.Classes())
	}
	record.MinSupport, record.MinConfidence = c.Thresholds(record.MinSupport, record.MinConfidence)
	words, err := table.Keywords(record.Rule)
	if err != nil {
		return m, err
	}
	edits, err := c.Edits(words.Items)
	if err != nil {
		return m, err
	}
	record.Edits = append(record.Edits, edits...)
	m, err = words.Mine(s.ctx, table, record.MinSupport, record.MinConfidence, record.Edits, c.Levels)
	if err != nil {
		return m, err
	}
	if len(m.Ontology.Nodes) == 0 {
		return m, fmt.Errorf("the ontology of %s is empty: no keyword is in %g %% of its %d images; lower "+
			"--min-support, or look at the keywords", c.Source, 100*record.MinSupport, len(words.Present))
	}
	m.Rule, m.Table, m.TableHash = record.Rule, of.Name, of.Hash
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
func (c *backgroundRulesCommand) kept(
	ws *store.Workspace,
) (of store.KeywordTable, table background.Table, record store.OntologyRecord, err error) {
	list, err := ws.Ontologies()
	if err != nil {
		return of, table, record, err
	}
	for _, o := range list {
		if o.Name == c.Name && c.Name != "" {
			record = o
		}
	}
	if of, err = findTable(ws, cmp.Or(c.Table, record.Table)); err != nil {
		return of, table, record, err
	}
	record.Table = of.Hash
	table, err = ws.Keywords(of.Hash)
	return of, table, record, err
}

type backgroundMatrixCommand struct {
	Workspace string   `arg:"" help:"Workspace folder." study:"-"`
	Models    []string `arg:"" optional:"" name:"model" help:"Models by id (default: all with signals)." placeholder:"ID"`
	background.MatrixOptions
	Format []string `help:"Pictures to write: png, svg, pdf." default:"png" enum:"png,svg,pdf"`
	output `set:"out=Folder for matrices.npz, pictures, signals and tables."`
}

func (c *backgroundMatrixCommand) Run(s *Session) error {
	ws, err := s.read(c.Workspace)
	if err != nil {
		return err
	}
	ask := scenes.Measuring{
		Workspace: ws, Options: c.MatrixOptions, Keep: s.wants(c.output),
		Runtime: func() (engine.Runtime, error) { return s.Runtime() },
	}
	var selections []background.Named
	for _, name := range c.Selection {
		record, err := findSelection(ws, name)
		if err != nil {
			return err
		}
		again := func(other store.SelectionRecord) bool { return other.Hash == record.Hash }
		if slices.ContainsFunc(ask.Selections, again) {
			continue
		}
		ask.Selections = append(ask.Selections, record)
		selections = append(selections, background.Named{
			Name: record.Name, Hash: record.Hash, Selection: record.Selection,
		})
	}
	if ask.Models, err = modelsOf(ws, c.Models); err != nil {
		return err
	}
	found, err := ask.Measure(s.ctx, s.bar("matrices"))
	if err != nil {
		return err
	}
	doc := s.document("background_matrix", &c.MatrixOptions,
		background.Outcomes.Sheet(found.Outcomes()), background.Matrices.Sheet(found.Interpolated()))
	if len(found.Runs) > 0 {
		doc.Sheets = append(doc.Sheets, background.Runs.Sheet(found.Runs))
	}
	if c.Shares {
		doc.Sheets = append(doc.Sheets, background.SharesTable.Sheet(found.ByShare()))
	}
	a := answer{name: "background", out: c.output, lines: below(found.Remarks()), formats: c.Format}
	a.show(doc.Sheets...)
	doc.Sheets = append(doc.Sheets, background.OverDistances.Sheet(found.OverDistance()),
		background.Selections.Sheet(selections), background.LeftOuts.Sheet(found.Left))
	if s.wants(c.output) {
		a.figures = found.Figures()
	}
	if c.Out != "" {
		if err := found.Write(c.Out, c.ForSpreadsheets); err != nil {
			return err
		}
		s.say("%d models in %s", len(found.Of), c.Out)
	}
	a.Document = doc
	return s.give(a)
}

type backgroundRunCommand struct {
	Workspace string   `arg:"" help:"Workspace folder." study:"-"`
	Selection []string `required:"" help:"Selections, by name or hash; one run each." sep:"none" placeholder:"NAME"`
	Models    []string `aliases:"model" help:"Models by id (default: all)." placeholder:"ID"`
	job.ClassTable
	batchFlag
	runPlace `embed:""`
}

// Run puts models through the targets and their composites, here or with other machines, or plans
// that for them; variscope run --collect takes what they did. What was finished before an
// interrupt is kept; the same line goes on.
func (c *backgroundRunCommand) Run(s *Session) error {
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	reqs, err := c.requests(ws)
	if err != nil {
		return err
	}
	return c.carryOut(s, ws, reqs, c.Batch, nil)
}

// Check refuses flags that say nothing together.
func (c *backgroundRunCommand) Check() error {
	if c.Plan != "" && len(c.Selection) > 1 {
		return option.Errorf("{plan} makes the plan of one run; " +
			"name one selection, and plan the others into other folders")
	}
	return c.runPlace.check()
}

// requests are one per selection.
func (c *backgroundRunCommand) requests(ws *store.Workspace) (reqs []job.Request, err error) {
	base := job.Request{Positions: []string{model.CONF, model.Head}, Batch: c.Batch, Mixed: c.Mixed}
	if base.Models, err = hashes(ws, c.Models); err != nil {
		return nil, err
	}
	if base.ClassMap, err = job.ReadClassMap(c.ClassMap); err != nil {
		return nil, err
	}
	for _, name := range c.Selection {
		record, err := findSelection(ws, name)
		if err != nil {
			return nil, err
		}
		req := base
		req.Suite = record.Targets
		if req.Family, err = record.Family(); err != nil {
			return nil, err
		}
		again := func(other job.Request) bool { return other.Family == req.Family }
		if !slices.ContainsFunc(reqs, again) { // two names may be of the same scenes
			reqs = append(reqs, req)
		}
	}
	return reqs, nil
}
