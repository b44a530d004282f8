package export

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image/png"
	"io"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
)

// studioTask is a task in Label Studio's import format: what is shown, and one annotation per
// annotator.
type studioTask struct {
	Data        studioData         `json:"data"`
	Annotations []studioAnnotation `json:"annotations"`
}

type studioData struct {
	Title     string `json:"title"`
	Image     string `json:"image"` // the matrices in one row, as a data URI
	ModelID   string `json:"model_id"`
	ModelHash string `json:"model_hash"`
	RoundID   string `json:"round_id"`
	Round     string `json:"round"`
}

// studioAnnotation leaves out completed_by: Label Studio refuses annotators that it has no account
// for and then takes nothing at all. The annotator stands in a text field of the result instead.
type studioAnnotation struct {
	Result    []studioResult `json:"result"`
	Cancelled bool           `json:"was_cancelled"`
	Truth     bool           `json:"ground_truth"`
	LeadTime  float64        `json:"lead_time"`
	Created   string         `json:"created_at,omitempty"`
}

type studioResult struct {
	ID       string              `json:"id"`
	FromName string              `json:"from_name"`
	ToName   string              `json:"to_name"`
	Type     string              `json:"type"`
	Value    map[string][]string `json:"value"`
}

// studioImage is the name of the image in the labelling interface, studioTile the pixels of one
// matrix in it.
const (
	studioImage = "matrices"
	studioTile  = 124
	studioGap   = 6
)

// LabelStudioJSON writes label_studio.json: for every item of every round a task with the current
// labels, one annotation per annotator, and the matrices as a picture.
func LabelStudioJSON(w io.Writer, set Set) error {
	tasks := []studioTask{}
	for _, r := range set.Rounds {
		current := label.Current(set.Events[r.ID])
		for _, hash := range r.Models {
			picture, err := set.picture(r, hash)
			if err != nil {
				return err
			}
			id := set.id(hash)
			task := studioTask{
				Data: studioData{
					Title: fmt.Sprintf("%s: %s", r.Name, id), Image: picture, ModelID: id, ModelHash: hash,
					RoundID: r.ID, Round: r.Name,
				},
				Annotations: []studioAnnotation{},
			}
			for _, annotator := range r.Annotators {
				if ev, ok := current[label.Key{Model: hash, Annotator: annotator}]; ok {
					task.Annotations = append(task.Annotations, annotation(ev))
				}
			}
			tasks = append(tasks, task)
		}
	}
	return writeJSON(w, tasks)
}

func annotation(ev label.Event) studioAnnotation {
	a := studioAnnotation{LeadTime: ev.Seconds, Created: timeText(ev.Saved)}
	add := func(name, kind, key, text string) {
		a.Result = append(a.Result, studioResult{
			ID: ev.ID + "-" + name, FromName: name, ToName: studioImage, Type: kind,
			Value: map[string][]string{key: {text}},
		})
	}
	add("label", "choices", "choices", string(ev.Value))
	if !ev.Sure {
		add("sure", "choices", "choices", "unsure")
	}
	add("annotator", "textarea", "text", ev.Annotator)
	if ev.Note != "" {
		add("note", "textarea", "text", ev.Note)
	}
	return a
}

// StudioConfig is the labelling interface that label_studio.json belongs to.
func StudioConfig(classes int) string {
	var b strings.Builder
	b.WriteString("<View>\n  <Header value=\"$title\"/>\n")
	fmt.Fprintf(&b, "  <Image name=%s value=\"$image\"/>\n", attribute(studioImage))
	fmt.Fprintf(&b, "  <Choices name=\"label\" toName=%s choice=\"single\" required=\"true\">\n",
		attribute(studioImage))
	for _, v := range label.Values(classes) {
		fmt.Fprintf(&b, "    <Choice value=%s/>\n", attribute(string(v)))
	}
	b.WriteString("  </Choices>\n")
	fmt.Fprintf(&b, "  <Choices name=\"sure\" toName=%s choice=\"single\"><Choice value=\"unsure\"/></Choices>\n",
		attribute(studioImage))
	fmt.Fprintf(&b, "  <TextArea name=\"annotator\" toName=%s maxSubmissions=\"1\"/>\n", attribute(studioImage))
	fmt.Fprintf(&b, "  <TextArea name=\"note\" toName=%s maxSubmissions=\"1\"/>\n</View>\n", attribute(studioImage))
	return b.String()
}

// attribute is a text as the value of an XML attribute, with its quotation marks.
func attribute(text string) string { return `"` + html.EscapeString(text) + `"` }

// picture is the item's matrices in one row as a data URI, hatched where they are absent.
func (s Set) picture(r label.Round, hash string) (string, error) {
	tiles := make([]render.Tile, max(1, len(r.Modalities)))
	if v, it, ok := s.find(r, hash); ok {
		for k, modality := range r.Modalities {
			tiles[k] = render.Tile{Matrix: it.Matrices[modality], Scale: v.scale(modality)}
		}
	}
	var data bytes.Buffer
	if err := png.Encode(&data, render.Strip(tiles, studioTile, studioGap)); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data.Bytes()), nil
}
