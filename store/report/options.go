package report

// Options say what a report shows, as the command report takes them.
type Options struct {
	Modalities []string `aliases:"modality" help:"Matrices of a model (default: the five of ${ml4ml})." placeholder:"M" label:"Matrices"`
	Images     string   `help:"Images of a model that count: all, correct or wrong." enum:"all,correct,wrong" default:"all"`
	Notes      bool     `help:"Also the notes and flags of a round's annotators."`
}
