//go:build !amd64

package signal

// wideLanes is false where there is no kernel for the processor; scanLanes is then never called.
const wideLanes = false

func scanLanes(*float32, int, int, *lanesState) {
	panic("signal: no kernel for this processor")
}
