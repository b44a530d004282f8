package agreement

import (
	"fmt"
	"strings"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
)

// columns counts each annotator's labels.
func columns(in Input, blind bool) []Column {
	current := label.Current(in.Events)
	list := make([]Column, len(in.Round.Annotators))
	for a, name := range in.Round.Annotators {
		c := Column{Annotator: name, Counts: make([]int, in.Round.Classes), Total: len(in.Round.Models)}
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

// items lists what the annotators disagree on and what has no majority.
func (v *View) items(in Input) {
	for i, hash := range in.Round.Models {
		item, ratings, differ := v.item(in, i, hash)
		if ratings >= 2 && differ {
			v.DisagreeN++
			v.Disagree = append(v.Disagree, item)
		}
		if ratings > 0 && item.Majority == "" {
			v.UnresolveN++
			v.Unresolved = append(v.Unresolved, item)
		}
	}
	if v.Blind {
		v.Disagree, v.Unresolved = nil, nil
	}
}

func (v *View) item(in Input, i int, hash string) (item Item, ratings int, differ bool) {
	item = Item{Model: hash, ID: in.Names[hash], Labels: make([]string, len(in.Ratings))}
	if item.ID == "" {
		item.ID = hash[:min(12, len(hash))]
	}
	first := measure.Missing
	for a := range in.Ratings {
		class := in.Ratings[a][i]
		if class == measure.Missing {
			continue
		}
		ratings++
		item.Labels[a] = v.Classes[class]
		if first == measure.Missing {
			first = class
		}
		differ = differ || class != first
	}
	if m := in.Report.Majority.Unresolved[i]; m != measure.Missing {
		item.Majority = v.Classes[m]
	}
	return item, ratings, differ
}

// Heading is the line over the measures.
func (v View) Heading() string {
	text := fmt.Sprintf("%d models, %d annotators, %d models with two or more labels", v.Items, len(v.Annotators), v.Rated)
	switch {
	case v.Round.Closed:
		text += ", closed"
	case v.Round.Blind:
		text += ", blind and open: single labels are hidden until it is closed"
	default:
		text += ", open"
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
		return text + "; no majority"
	}
	return text + "; majority " + i.Majority
}
