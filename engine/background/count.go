package background

// ItemCount is in how many images an item is present.
type ItemCount struct{ Images, Targets, Backgrounds int }

// KeywordCounts say how often keywords are in the images of a table, and how many images have.
type KeywordCounts struct {
	Items    []ItemCount // as Keywords.Items
	Min, Max int         // keywords per image
	Mean     float64
	Without  []int // rows without any keyword
}

// Count counts the keywords of a table's rows; k are those of the table.
func (k Keywords) Count(t Table) KeywordCounts {
	c := KeywordCounts{Items: make([]ItemCount, len(k.Items))}
	total := 0
	for i, present := range k.Present {
		for _, item := range present {
			c.Items[item].Images++
			if t.Rows[i].Kind == TargetKind {
				c.Items[item].Targets++
			} else {
				c.Items[item].Backgrounds++
			}
		}
		if len(present) == 0 {
			c.Without = append(c.Without, i)
		}
		if i == 0 || len(present) < c.Min {
			c.Min = len(present)
		}
		c.Max = max(c.Max, len(present))
		total += len(present)
	}
	if n := len(k.Present); n > 0 {
		c.Mean = float64(total) / float64(n)
	}
	return c
}
