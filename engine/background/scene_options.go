package background

// SceneChoice says how testing scenes are chosen among backgrounds, and how foregrounds lie in them.
type SceneChoice struct {
	Method      Method    `help:"How scenes are chosen: keywords, intervals, nearest or random." enum:"keywords,intervals,nearest,random" default:"keywords" label:"Choose by"`
	N           int       `name:"n" help:"Scenes per target." default:"32" min:"1" max:"1000" label:"Scenes per target"`
	Jitter      bool      `help:"Draw among the three nearest (keywords) and inside the interval (intervals) in place of the nearest." when:"method=keywords|intervals" label:"Draw among the nearest"`
	Seed        uint64    `help:"Seed of random and jittered choices." default:"1"`
	MinKeywords int       `help:"Keywords at which expansion stops; 0 for no bound." default:"32" min:"0" label:"Expand to keywords"`
	Levels      int       `help:"Levels at which expansion stops." default:"5" min:"0" max:"100" label:"Levels of expansion"`
	Feather     float64   `help:"Pixels over which a foreground's edge is blended (default: none)." min:"0" max:"64" unit:"pixels"`
	Align       Alignment `help:"Where the foreground lies: keep, centre or ground (in the middle at the bottom)." enum:"keep,centre,ground" default:"keep" label:"Foreground"`
}

// Choice is how scenes are chosen.
func (o SceneChoice) Choice() Choice { return Choice{o.Method, o.N, o.Seed, o.Jitter} }

// Expansion is how far keywords are expanded.
func (o SceneChoice) Expansion() Expansion { return Expansion{o.MinKeywords, o.Levels} }
