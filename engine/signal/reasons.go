package signal

// The codes of the reasons why a model's signals on a suite under a family cannot be used.
const (
	NoSignals   = "no_signals"   // there are none yet
	Stale       = "stale"        // they are for other settings of the model, or an older suite
	Incomplete  = "incomplete"   // a run did not come to its end
	PackageOnly = "package_only" // a round package brought matrices alone
	NotHere     = "not_here"     // the workspace does not have the model
	Unreadable  = "unreadable"   // the model's settings cannot be read
	DamagedFile = "damaged_file" // a file of signals is damaged or gone
	Damaged     = "damaged"      // files of signals are missing or hold what cannot be
	Absent      = "absent"       // they lack a position or modality, which the model may not have
	NoImages    = "no_images"    // the choice of images leaves none
)

// EndsByRun tells whether signals can be used after a run, where they could not for a reason with
// this code.
func EndsByRun(code string) bool {
	return code == NoSignals || code == Stale || code == Incomplete || code == DamagedFile
}
