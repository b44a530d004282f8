package choose

import (
	"fmt"

	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// vacancy is what the page shows in place of scenes: why there are none, and what to do.
type vacancy struct {
	text              string
	imports, keywords bool // import something, go to the page of keywords
	chooses, ontology bool // choose scenes, go to the page of the ontology
}

// vacancy says why there is nothing to show; ok is false when there is a selection.
func (v *View) vacancy() (w vacancy, ok bool) {
	o := v.Offer
	switch {
	case v.Record.Hash != "":
		return w, false
	case len(o.Suites) == 0:
		return vacancy{text: "Testing scenes need images: a suite of targets with labels and masks of their foregrounds, and a suite of backgrounds without any foreground object. Import both.", imports: true}, true
	case len(o.Suites) == 1:
		return vacancy{text: fmt.Sprintf("There is one suite, %s. Testing scenes need two: targets with labels and masks of their foregrounds, and backgrounds without any foreground object.", o.Suites[0].Name), imports: true}, true
	case len(o.Masks) == 0:
		return vacancy{text: "No suite has masks yet, so that nothing says what its foregrounds are. Bring them, or make them with a segmentation network, on the page Keywords.", keywords: true}, true
	case len(o.Tables) == 0:
		return vacancy{text: "Scenes are chosen by what images contain, and there are no keywords yet. Find them with two networks, or bring a table, on the page Keywords.", keywords: true}, true
	}
	return vacancy{text: "No testing scenes were chosen yet: for every target a number of backgrounds that are plausible for it, on which its foreground is pasted.", chooses: true, ontology: len(o.Ontologies) == 0}, true
}

// lacks says what is missing.
func (f *face) lacks(v vacancy) {
	var help []widget.Help
	if v.imports {
		help = append(help, widget.Help{Text: "Import…", Icon: theme.ContentAddIcon(), Do: f.p.deps.Import})
	}
	if v.keywords {
		help = append(help, f.opens("Open Keywords", page.Keywords))
	}
	if v.chooses {
		help = append(help, widget.Help{Text: "Choose scenes…", Icon: theme.ContentAddIcon(), Do: f.p.askNew})
	}
	if v.ontology {
		help = append(help, f.opens("Open Ontology", page.Ontology))
	}
	f.empty.Say(v.text, help...)
}

func (f *face) opens(text string, k page.Kind) widget.Help {
	return widget.Help{Text: text, Icon: theme.NavigateBackIcon(), Do: func() { f.p.deps.Open(k, f.p.wanted) }}
}
