package background

// Selection is the testing scenes of all targets of a suite with all that they were chosen by: part of every key of a run under the set
// scenes:HASH:N (transform.Scenes). It is a value; two selections with equal Hash give the same composites.
type Selection struct {
	Targets     string `json:"targets"`     // content hash of the suite of targets
	Masks       string `json:"masks"`       // content hash of the masks
	Backgrounds string `json:"backgrounds"` // content hash of the suite of backgrounds
	// Table, Ontology, Rule, Expansion and Choice are what the scenes were chosen by: hashes and settings.
	Table     string    `json:"table"`
	Ontology  string    `json:"ontology"` // itemset.Ontology.Hash
	Edits     int       `json:"edits"`    // of the ontology
	Rule      Rule      `json:"rule"`
	Expansion Expansion `json:"expansion"`
	Choice    Choice    `json:"choice"`
	Feather   float64   `json:"feather,omitempty"`
	Align     Alignment `json:"align,omitempty"`
	// Vetoed are images of the suite of backgrounds that were ruled out by hand.
	Vetoed []int `json:"vetoed,omitempty"`
	// Chosen are the scenes per target, in the suite's order of targets; Scene.Background is the image's number in the suite of backgrounds.
	Chosen [][]Scene `json:"chosen"`
}

// N is the scenes per target.
func (s Selection) N() int { panic("not built yet") }

// Hash names the selection: SHA-256 over what the composites depend on: targets, masks, backgrounds, compositing, and the chosen scenes in their order.
func (s Selection) Hash() string { panic("not built yet") }

// Far is D, the largest distance of the selection.
func (s Selection) Far() float64 { panic("not built yet") }

// Check says what is wrong with a selection that comes from a file or a database: unequal numbers of scenes, numbers below 0, distances that are not finite or below 0.
func (s Selection) Check() error { panic("not built yet") }
