package main

// measured are the figures of docs/scale.md, which names the commands that gave them.
var measured = costs{desk: 0.005, byte: 16e-9, send: 1.5e-9, crew: 0.005, gap: 0.0035, trips: 2}

// check is what the formula is held against: workers with one core each and their coordinator, all on two cores.
type check struct {
	study     study
	workers   int
	spent     float64 // processor time of a unit in all processes, in milliseconds
	perSecond float64 // units
}

// The studies that were measured. Their rates are those of one core here, without others.
var (
	usual = study{"CNN5, 31 transformations", 6, 10_240, 31, 68_000, 0.06, 66.8e3, 0.2e6, 1.14e6}
	small = study{"CNN5, 3 transformations", 16, 10_240, 3, 68_000, 0.06, 66.8e3, 0.2e6, 0.11e6}
	large = study{"VGG-13 of half width, 31 transformations", 1, 1024, 31, 940, 0.3, 9.4e6, 0.79e6, 1.14e6}
)

var checks = []check{
	{usual, 1, 146.5, 7.88},
	{usual, 2, 139.9, 12.27},
	{small, 1, 25.8, 36.72},
	{small, 2, 27.6, 53.80},
	{small, 4, 32.6, 50.57},
	{small, 8, 44.5, 37.94},
	{small, 16, 56.8, 31.60},
	{large, 2, 8461, 0.24},
}
