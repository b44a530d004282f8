package onnx

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
// Blocks from 1 MB up get mappings of their own, and free memory at the top of the heap goes back
// above 1 MB: without this, glibc raises both limits by itself and keeps what sessions have freed.
static void variscope_return_memory(void) {
	mallopt(M_MMAP_THRESHOLD, 1000000);
	mallopt(M_TRIM_THRESHOLD, 1000000);
}
#else
static void variscope_return_memory(void) {}
#endif
*/
import "C"

func returnMemory() { C.variscope_return_memory() }
