package signal

import "golang.org/x/sys/cpu"

// wideLanes tells whether the processor scans four numbers at a time.
var wideLanes = cpu.X86.HasAVX2

// scanLanes scans channels of size numbers each, one behind the other from x on: state runs on from
// channel to channel. The order of additions, and so every bit, is that of scan32 and
// channelTotals.add: lane l has the entries l mod 4, those after the last whole group of four go to
// lane 0. There is at least one channel.
//
//go:noescape
func scanLanes(x *float32, channels, size int, state *lanesState)
