package model

// FeatureMap is the output of a 2-D convolution as masks see it, which delete regions of it
// (spec/dscore.md section 1).
type FeatureMap struct {
	Number        int    // of the Conv node in the main graph, from 1
	Tensor        string // the Conv's output, or the batch-norm's behind it where masks lie there
	Height, Width int    // 0 where the file does not tell
	Small         bool   // left out, since there are fewer rows or columns than regions a side (transform.Masks.Auto)
	Empty         []int  // regions without an entry: "region i is empty in LAYER"
}
