package ratings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
)

// studioTask is a task of Label Studio's JSON export. In the form JSON_MIN it is flat: the data, a
// choice and its annotator stand beside each other, in fields.
type studioTask struct {
	ID          json.Number                `json:"id"`
	Data        map[string]json.RawMessage `json:"data"`
	Annotations []struct {
		CompletedBy json.RawMessage `json:"completed_by"`
		Username    string          `json:"created_username"`
		Cancelled   bool            `json:"was_cancelled"`
		Result      []struct {
			FromName string `json:"from_name"`
			Type     string `json:"type"`
			Value    struct {
				Choices []string        `json:"choices"`
				Text    json.RawMessage `json:"text"`
			} `json:"value"`
		} `json:"result"`
	} `json:"annotations"`
}

// answer is one choice that somebody made.
type answer struct{ round, item, rater, question, word string }

// The names of what Variscope's own label_studio.json asks.
const (
	labelQuestion = "label"
	raterField    = "annotator"
	roundField    = "round_id"
)

// readStudio reads the tasks one by one.
func readStudio(in io.Reader) ([]Table, error) {
	d := json.NewDecoder(in)
	d.UseNumber()
	token, err := d.Token()
	if err != nil || token != json.Delim('[') {
		return nil, errors.New("it is no list of tasks as Label Studio exports them (JSON or JSON-MIN)")
	}
	var answers []answer
	for n := 1; d.More(); n++ {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, fmt.Errorf("task %d: it is cut short or no JSON: %w", n, err)
		}
		some, err := answersOf(raw)
		if err != nil {
			return nil, fmt.Errorf("task %d: %w", n, err)
		}
		if answers = append(answers, some...); len(answers) > maxItems {
			return nil, fmt.Errorf("there are more than %d answers", maxItems)
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("the list of tasks does not end: %w", err)
	}
	return tablesOf(answers)
}

func answersOf(raw json.RawMessage) ([]answer, error) {
	var t studioTask
	if err := json.Unmarshal(raw, &t); err != nil {
		return nil, fmt.Errorf("it has another form than Label Studio's: %w", err)
	}
	if t.Annotations == nil {
		return flatAnswers(raw)
	}
	base := answer{round: text(t.Data[roundField]), item: itemOf(t.Data, t.ID.String())}
	var list []answer
	for _, a := range t.Annotations {
		if a.Cancelled {
			continue
		}
		one := base
		one.rater = raterOf(a.CompletedBy, a.Username)
		for _, r := range a.Result {
			if r.FromName == raterField && r.Value.Text != nil {
				one.rater = text(r.Value.Text)
			}
		}
		for _, r := range a.Result {
			switch one.question = r.FromName; {
			case r.Type != "choices" || len(r.Value.Choices) == 0:
				continue
			case len(r.Value.Choices) > 1:
				return nil, fmt.Errorf("%s has %d choices at once; a label is one choice", r.FromName,
					len(r.Value.Choices))
			}
			one.word = strings.TrimSpace(r.Value.Choices[0])
			list = append(list, one)
		}
	}
	return list, nil
}

// flatAnswers reads a task of the form JSON_MIN.
func flatAnswers(raw json.RawMessage) ([]answer, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(fields))
	rater, label := csvfile.Best(raterNames, names), csvfile.Best(labelNames, names)
	if rater < 0 || label < 0 {
		return nil,
			errors.New("it has neither annotations nor the fields annotator and choice; export as JSON or JSON-MIN")
	}
	word, err := choiceOf(fields[names[label]])
	if err != nil {
		return nil, fmt.Errorf("%s has %w", names[label], err)
	}
	one := answer{question: names[label], rater: raterOf(fields[names[rater]], ""), word: word}
	id := text(fields["id"])
	delete(fields, names[rater])
	delete(fields, names[label])
	one.item = itemOf(fields, id)
	return []answer{one}, nil
}

// choiceOf is a label: a text, or the only one of a list of choices; "" for none.
func choiceOf(raw json.RawMessage) (string, error) {
	var made struct{ Choices []string }
	if json.Unmarshal(raw, &made.Choices) != nil && json.Unmarshal(raw, &made) != nil {
		return text(raw), nil
	}
	switch len(made.Choices) {
	case 0:
		return "", nil
	case 1:
		return strings.TrimSpace(made.Choices[0]), nil
	}
	return "", fmt.Errorf("%d choices at once; a label is one choice", len(made.Choices))
}

// text is a JSON string, a number, or the only element of a list; "" for anything else.
func text(raw json.RawMessage) string {
	var one string
	var list []string
	var number json.Number
	switch {
	case json.Unmarshal(raw, &one) == nil:
		return strings.TrimSpace(one)
	case json.Unmarshal(raw, &list) == nil && len(list) == 1:
		return strings.TrimSpace(list[0])
	case json.Unmarshal(raw, &number) == nil:
		return number.String()
	}
	return ""
}

// raterOf is who annotated: a number, a name, or an account with an address.
func raterOf(raw json.RawMessage, username string) string {
	if name := text(raw); name != "" {
		return name
	}
	var account struct {
		ID    json.Number `json:"id"`
		Email string      `json:"email"`
	}
	_ = json.Unmarshal(raw, &account) // what it lacks stays empty
	return or(or(account.Email, account.ID.String()), strings.TrimSpace(username))
}

// itemOf is what a task is about: the field that is called like an item, else the task's number.
func itemOf(fields map[string]json.RawMessage, id string) string {
	names := slices.Sorted(maps.Keys(fields))
	if at := csvfile.Best(itemNames, names); at >= 0 {
		if name := text(fields[names[at]]); name != "" && len(name) <= maxCell {
			return name
		}
	}
	return id
}

// tablesOf makes a table per round of the answers to one question: the only one, or that which is
// called label.
func tablesOf(answers []answer) ([]Table, error) {
	var questions []string
	for _, a := range answers {
		if !slices.Contains(questions, a.question) {
			questions = append(questions, a.question)
		}
	}
	question := ""
	switch {
	case len(questions) == 1:
		question = questions[0]
	case slices.Contains(questions, labelQuestion):
		question = labelQuestion
	case len(questions) > 1:
		return nil, fmt.Errorf("it has answers to several questions (%s), and none is called label; export one of them",
			strings.Join(questions, ", "))
	}
	rounds, order := map[string]*collect{}, []string{}
	for _, a := range answers {
		if a.question != question {
			continue
		}
		if rounds[a.round] == nil {
			rounds[a.round], order = newCollect(a.round), append(order, a.round)
		}
		if err := rounds[a.round].add(a.item, a.rater, a.word); err != nil {
			return nil, err
		}
	}
	if len(order) == 0 {
		return nil, errors.New("it holds no labels")
	}
	var tables []Table
	for _, round := range order {
		t, err := rounds[round].done()
		if err != nil {
			return nil, err
		}
		t.Notes = append(t.Notes, fmt.Sprintf("choices of Label Studio, question %s", question))
		tables = append(tables, t)
	}
	return tables, nil
}
