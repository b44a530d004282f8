package corrupted

// Files say where changed images are written, and how.
type Files struct {
	Out    string `label:"Folder" help:"Folder to write the changed images to, a folder each; without it a workspace gets suites that are computed as they are read." type:"path" placeholder:"DIR" study:"-"`
	Format string `name:"layout" aliases:"format" label:"Format" help:"folder (PNG files in class folders) or idx (gray images of one size)." enum:"folder,idx" names:"PNG files in class folders|IDX (gray images of one size)" default:"folder"`
	Frost  string `label:"Photographs of frost" help:"Folder of photographs of frost for the images that are written; without it frost is synthetic, and its folders are called so." type:"existingdir" placeholder:"DIR"`
}
