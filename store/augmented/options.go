package augmented

// Files say which training set is augmented, where it is written, and how.
type Files struct {
	Augment string `label:"Folder" help:"Folder that takes a folder with the training set, augmented as the score recommends." type:"path" placeholder:"DIR"`
	Train   string `help:"Training set for --augment: a path, or a suite of the workspace."`
	Format  string `name:"layout" aliases:"format" label:"Format" help:"Of the training set: folder (PNG files in class folders) or idx (gray images of one size)." enum:"folder,idx" default:"folder"`
}
