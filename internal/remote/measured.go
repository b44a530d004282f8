package main

// measured are the figures of docs/scale.md, which says how they were measured.
var measured = costs{desk: 0.003, byte: 4.3e-9, send: 1.5e-9, worker: 0.002, gap: 0.0002}
