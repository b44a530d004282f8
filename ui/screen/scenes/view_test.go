package scenes

import (
	"testing"
	"time"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// anOffer are two tables with an ontology each, one more of the first, and two selections.
func anOffer() page.Choices {
	return page.Choices{
		Tables: []store.KeywordTable{
			{Hash: "t1", Name: "table 1"}, {Hash: "t2", Name: "table 2"}, {Hash: "t3", Name: "table 3"},
		},
		Ontologies: []store.OntologyRecord{
			{ID: "o1", Name: "one", Table: "t1"},
			{ID: "o2", Name: "two", Table: "t2"},
			{ID: "o3", Name: "three", Table: "t1"},
		},
		Selections: []store.SelectionRecord{
			{Hash: "s1", Name: "near", Added: time.Unix(1, 0)}, {Hash: "s2", Name: "far", Added: time.Unix(2, 0)},
		},
	}
}

func TestTakeKeepsWhatIsStillThere(t *testing.T) {
	for _, test := range []struct {
		name      string
		had, want page.Subject
		offer     page.Choices
	}{
		{
			"nothing is there",
			page.Subject{Table: "t1", Ontology: "o1", Selection: "s1"},
			page.Subject{},
			page.Choices{},
		},
		{
			"first look: the newest",
			page.Subject{},
			page.Subject{Table: "t1", Ontology: "o3", Selection: "s2"},
			anOffer(),
		},
		{
			"all is there",
			page.Subject{Table: "t2", Ontology: "o2", Selection: "s1"},
			page.Subject{Table: "t2", Ontology: "o2", Selection: "s1"},
			anOffer(),
		},
		{
			"a selection was removed",
			page.Subject{Table: "t2", Ontology: "o2", Selection: "gone"},
			page.Subject{Table: "t2", Ontology: "o2", Selection: "s2"},
			anOffer(),
		},
		{
			"a table without ontologies",
			page.Subject{},
			page.Subject{Table: "t9"},
			page.Choices{Tables: []store.KeywordTable{{Hash: "t9"}}},
		},
		{
			"a table without an ontology of its own stays",
			page.Subject{Table: "t3"},
			page.Subject{Table: "t3", Selection: "s2"},
			anOffer(),
		},
	} {
		v := View{Subject: test.had}
		v.Take(test.offer)
		if v.Subject != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, v.Subject, test.want)
		}
	}
}

func TestTableAndOntologyGoTogether(t *testing.T) {
	v := View{Choices: anOffer(), Subject: page.Subject{Table: "t1", Ontology: "o1", Selection: "s1"}}
	for _, test := range []struct {
		name         string
		change, want page.Subject
	}{
		{
			"another ontology brings its table",
			page.Subject{Table: "t1", Ontology: "o2"},
			page.Subject{Table: "t2", Ontology: "o2"},
		},
		{
			"another table brings its ontology",
			page.Subject{Table: "t2", Ontology: "o1"},
			page.Subject{Table: "t2", Ontology: "o2"},
		},
		{"another table without one has none", page.Subject{Table: "t3", Ontology: "o1"}, page.Subject{Table: "t3"}},
		{
			"another selection changes neither",
			page.Subject{Table: "t1", Ontology: "o1", Selection: "s2"},
			page.Subject{Table: "t1", Ontology: "o1", Selection: "s2"},
		},
		{
			"both at once: that of the ontology",
			page.Subject{Table: "t3", Ontology: "o2"},
			page.Subject{Table: "t2", Ontology: "o2"},
		},
	} {
		if got := v.joined(test.change); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestMenusListTheNewestFirst(t *testing.T) {
	v := View{Choices: anOffer()}
	for menu, first := range []widget.Option{
		{Key: "t3", Name: "table 3"},
		{Key: "o3", Name: "three"},
		{Key: "s2", Name: "far"},
	} {
		if list := v.options(menu); len(list) == 0 || list[0] != first {
			t.Errorf("menu %d: %v, want %v first", menu, list, first)
		}
	}
}
