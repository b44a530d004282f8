package background

import "github.com/variscope/variscope/engine/option"

// SceneOptions say how testing scenes are chosen for targets.
type SceneOptions struct {
	Name        string `help:"Name of the selection (default: it says how scenes are chosen)."`
	Targets     string `help:"Suite of the targets, by name or hash (default: the workspace's current one)." placeholder:"SUITE" source:"targets"`
	Masks       string `help:"Masks of the targets' foregrounds: a folder to import them from, or the hash of masks of the workspace (default: the newest of the suite)." placeholder:"DIR" source:"masks"`
	Copy        bool   `help:"Copy the masks into the workspace." window:"-"`
	Backgrounds string `required:"" help:"Suite of the backgrounds, images without any foreground object, by name or hash." placeholder:"SUITE" source:"backgrounds"`
	Table       string `help:"Keyword table of the workspace, by name or hash (default: the newest)." placeholder:"NAME" window:"-"`
	Ontology    string `help:"Ontology that is kept in the workspace, with its table, rule, thresholds and edits (default: one that is made for this)." placeholder:"NAME" source:"ontologies"`
	MiningOptions
	RuleOptions
	SceneChoice
	Veto string `help:"File with names of backgrounds that are never chosen, one per line." type:"path" placeholder:"FILE" window:"-"`
}

// SceneChoice says how testing scenes are chosen among backgrounds, and how foregrounds lie in
// them.
type SceneChoice struct {
	Method Method `help:"How scenes are chosen: keywords, intervals, nearest or random." enum:"keywords,intervals,nearest,random" default:"keywords" label:"Choose by"`
	N      int    `name:"n" help:"Scenes per target." default:"32" min:"1" max:"1000" label:"Scenes per target"`
	Jitter bool   `help:"Draw among the three nearest (keywords) and inside the interval (intervals) in place of the nearest." when:"method=keywords|intervals" label:"Draw among the nearest"`
	Seed   uint64 `help:"Seed of random and jittered choices." default:"1"`
	ExpansionOptions
	Feather float64   `help:"Pixels over which a foreground's edge is blended (default: none)." min:"0" max:"64" unit:"pixels"`
	Align   Alignment `help:"Where the foreground lies: keep, centre or ground (in the middle at the bottom)." enum:"keep,centre,ground" default:"keep" label:"Foreground"`
}

// Check refuses options that do not go together.
func (o *SceneOptions) Check() error {
	if o.Ontology != "" && (o.Table != "" || o.Given() || o.MinSupport+o.MinConfidence > 0) {
		return option.Errorf("{ontology} has its table, rule and thresholds; change it with variscope background rules")
	}
	return nil
}

// Choice is how scenes are chosen.
func (o SceneChoice) Choice() Choice { return Choice{o.Method, o.N, o.Seed, o.Jitter} }
