package augmented

// Files say which training set is augmented, where it is written, and how.
type Files struct {
	Augment string `label:"Folder" help:"Folder that takes a folder with the training set, augmented as the score recommends." type:"path" placeholder:"DIR" study:"written"`
	Train   string `help:"Training set for --augment: a path, or a suite of the workspace." study:"name"`
	// Methods and P are those of the sets, one each.
	Methods []Method  `name:"augmentation" label:"Sets" help:"Sets to write: guided (padded as the score recommends), and what the D-Score paper [5] compares with it: rhf, rvf (horizontal, vertical flip), rhv (both), rr (rotation by 0 to 180°), rpr (random padding, resized back)." enum:"guided,rhf,rvf,rhv,rr,rpr" default:"guided" placeholder:"M"`
	P       []float64 `name:"p" help:"Probabilities of guided sets, a set each (default: the recommended one)." min:"0" max:"1" placeholder:"P" window:"-"`
	Format  string    `name:"layout" aliases:"format" label:"Format" help:"Of the training set: folder (PNG files in class folders) or idx (gray images of one size)." enum:"folder,idx" names:"PNG files in class folders|IDX (gray images of one size)" default:"folder"`
}
