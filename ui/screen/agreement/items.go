package agreement

import (
	"fmt"
	"slices"
	"strings"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/present"
)

// columns counts each annotator's labels.
func columns(in Input, blind bool) []Column {
	current := label.Current(in.Events)
	list := make([]Column, len(in.Round.Annotators))
	for a, name := range in.Round.Annotators {
		c := Column{Annotator: in.person(name), Counts: make([]int, in.Round.Classes), Total: len(in.Round.Models)}
		for i, class := range in.Ratings[a] {
			if class == measure.Missing {
				continue
			}
			c.Done++
			c.Counts[class]++
			if !current[label.Key{Model: in.Round.Models[i], Annotator: name}].Sure {
				c.Unsure++
			}
		}
		_, c.Skipped, _ = label.Progress(in.Round, name, in.Events)
		if blind && c.Done < blindFloor {
			c.Counts = nil
		}
		list[a] = c
	}
	return list
}

// items lists what the annotators disagree on, in the round's order, and which of it has no
// majority: labels that are alike always have one.
func (v *View) items(in Input) {
	differing := label.Disagreements(in.Round, in.Events)
	slices.SortFunc(differing, func(a, b label.Disagreement) int { return a.Item - b.Item })
	for _, d := range differing {
		item := v.item(in, d)
		v.DisagreeN++
		v.Disagree = append(v.Disagree, item)
		if item.Majority == "" {
			v.UnresolveN++
			v.Unresolved = append(v.Unresolved, item)
		}
	}
	if v.Blind {
		v.Disagree, v.Unresolved = nil, nil
	}
	if v.few(v.Rated) {
		v.DisagreeN, v.UnresolveN = 0, 0
	}
}

// few tells whether a number that rests on so many items has to be hidden.
func (v *View) few(items int) bool { return v.Blind && items < blindFloor }

func (v *View) item(in Input, d label.Disagreement) Item {
	item := v.bare(in, d.Item)
	for a, value := range d.Values {
		item.Labels[a] = string(value)
	}
	return item
}

// bare is an item without labels.
func (v *View) bare(in Input, i int) Item {
	item := Item{Model: in.Round.Models[i], ID: in.modelID(in.Round.Models[i]), Labels: make([]string, len(in.Round.Annotators))}
	if m := in.Report.Majority.Unresolved[i]; m != measure.Missing {
		item.Majority = v.Classes[m]
	}
	return item
}

func (in Input) modelID(hash string) string {
	if id := in.Names[hash]; id != "" {
		return id
	}
	return present.Short(hash)
}

// Heading is the line over the measures.
func (v View) Heading() string {
	text := fmt.Sprintf("%s, %s, %s with two or more labels", present.Counted(int64(v.Items), "model"),
		present.Counted(int64(len(v.Annotators)), "annotator"), present.Counted(int64(v.Rated), "model"))
	switch {
	case v.Round.Closed:
		text = fmt.Sprintf("%s, closed", text)
	case v.Blind && v.Round.Reveal == label.RevealFinished:
		text = fmt.Sprintf("%s, blind: single labels are hidden until it is closed or you have finished", text)
	case v.Blind:
		text = fmt.Sprintf("%s, blind and open: single labels are hidden until it is closed", text)
	default:
		text = fmt.Sprintf("%s, open", text)
	}
	return text
}

// Summary is an item as one line: who gave which label.
func (i Item) Summary(annotators []string) string {
	parts := make([]string, 0, len(annotators))
	for a, name := range annotators {
		if i.Labels[a] != "" {
			parts = append(parts, name+" "+i.Labels[a])
		}
	}
	text := strings.Join(parts, ", ")
	if i.Majority == "" {
		return fmt.Sprintf("%s; no majority", text)
	}
	return fmt.Sprintf("%s; majority %s", text, i.Majority)
}
