//go:build !windows

package onnx

/*
#cgo linux LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// The first two members of OrtApiBase (onnxruntime_c_api.h) have had this form in every version.
typedef struct {
	const void *(*get_api)(uint32_t version);
	const char *(*get_version)(void);
} variscope_api_base;

static const char *variscope_library_version(void *handle) {
	const variscope_api_base *(*base)(void) = (const variscope_api_base *(*)(void))dlsym(handle, "OrtGetApiBase");
	if (base == NULL || base() == NULL) return NULL;
	return base()->get_version();
}
*/
import "C"

import (
	"strings"
	"sync"
	"unsafe"
)

// opened are the paths of the libraries that were accepted. Their handles are never closed: the
// library stays in memory, so that initialising it does not load it again and destroying the
// environment does not unmap code that a thread may still run.
var opened sync.Map // path -> struct{}

// checkLibrary opens a library and asks for its version. It returns what is wrong with it, "" when
// it can be used.
func checkLibrary(path string) string {
	if _, ok := opened.Load(path); ok {
		return ""
	}
	if problem := incomplete(path); problem != "" {
		return problem
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	handle := C.dlopen(name, C.RTLD_LAZY|C.RTLD_LOCAL)
	if handle == nil {
		return "it cannot be loaded (" + strings.TrimPrefix(C.GoString(C.dlerror()), path+": ") + ")"
	}
	version := C.variscope_library_version(handle)
	if version == nil {
		C.dlclose(handle)
		return "it is not ONNX Runtime"
	}
	problem := versionProblem(C.GoString(version))
	if problem != "" {
		C.dlclose(handle)
		return problem
	}
	opened.Store(path, struct{}{})
	return ""
}
