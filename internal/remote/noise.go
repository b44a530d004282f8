package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
)

// suffixes are the forms of suites that are written, by shape: IDX and the CIFAR binary.
var suffixes = map[string]string{"28x28x1": "-images-idx3-ubyte", "32x32x3": ".bin"}

// writeNoise writes a suite of n images of ten classes in turn, path with a suffix that tells its
// form.
func writeNoise(path, shape string, n int) error {
	if suffixes[shape] == "" {
		return fmt.Errorf("-shape takes 28x28x1 or 32x32x3, and not %q", shape)
	}
	if n < 1 {
		return fmt.Errorf("-images takes a number from 1, and not %d", n)
	}
	random := rand.NewChaCha8([32]byte{1})
	if shape == "32x32x3" {
		data := make([]byte, n*(1+3*32*32))
		_, _ = random.Read(data) // it never fails
		for i := range n {
			data[i*(1+3*32*32)] = byte(i % 10)
		}
		return os.WriteFile(path+suffixes[shape], data, 0o644)
	}
	pixels := make([]byte, n*28*28)
	_, _ = random.Read(pixels)
	labels := make([]byte, n)
	for i := range labels {
		labels[i] = byte(i % 10)
	}
	if err := os.WriteFile(path+"-labels-idx1-ubyte", idx(labels, 0x801, n), 0o644); err != nil {
		return err
	}
	return os.WriteFile(path+suffixes[shape], idx(pixels, 0x803, n, 28, 28), 0o644)
}

// idx puts the header of an IDX file before its bytes.
func idx(data []byte, magic uint32, sizes ...int) []byte {
	file := binary.BigEndian.AppendUint32(nil, magic)
	for _, n := range sizes {
		file = binary.BigEndian.AppendUint32(file, uint32(n))
	}
	return append(file, data...)
}
