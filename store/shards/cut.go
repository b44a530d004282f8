package shards

// planned is a unit that is to be computed, with what it takes.
type planned struct {
	model, chunk int // index and number
	inferences   int64
}

// cut spreads units over n shards without changing their order, so that each gets nearly the same
// number of inferences: one differs from the average by what half a unit takes on each side at
// most. Units of one model are in shards that follow each other. Where there are fewer units than
// shards, some shards are empty.
func cut(units []planned, n int) [][]part {
	var total, before int64
	for _, u := range units {
		total += u.inferences
	}
	shards := make([][]part, n)
	for i := range shards {
		shards[i] = []part{}
	}
	for _, u := range units {
		// The shard that the middle of the unit lies in.
		k := min(n-1, int(float64(2*before+u.inferences)/float64(2*total)*float64(n)))
		before += u.inferences
		parts := shards[k]
		if last := len(parts) - 1; last >= 0 && parts[last].Model == u.model {
			parts[last].Chunks = append(parts[last].Chunks, u.chunk)
			continue
		}
		shards[k] = append(parts, part{u.model, []int{u.chunk}})
	}
	return shards
}
