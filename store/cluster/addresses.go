package cluster

// Addresses are those of this machine under which others may reach it, the likeliest first; the last one is for this machine alone.
func Addresses() []string { return hosts("") }
