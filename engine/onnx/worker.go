package onnx

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/worker"
)

// workerArguments are those of a worker process.
var workerArguments = []string{"worker", "--pipe"}

// serving tells that ServeWorker was called, so that another process of this executable will serve
// and not start the program.
var serving atomic.Bool

// ServeWorker is called first in main, and in TestMain of programs that start workers. In a worker
// process it computes what it is told to and ends the process; in every other process it returns
// at once.
func ServeWorker() {
	if !slices.Equal(os.Args[1:], workerArguments) {
		serving.Store(true)
		return
	}
	out, err := keepOutput()
	if err == nil {
		err = worker.Serve(os.Stdin, out, func(flag string, on device.Device) (engine.Library, string, error) {
			r, err := Load(flag, on)
			if err != nil {
				return nil, "", err
			}
			return r, r.LibraryPath(), nil
		})
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "variscope: %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Workers are worker processes of this program with the library that FindLibrary finds for flag;
// orders from elsewhere are computed on those of devices that are of their kind; bounds bound them.
// This process does not load it. The program must call ServeWorker first in main.
func Workers(flag string, devices []device.Device, bounds worker.Bounds) (*worker.Pool, error) {
	if !serving.Load() {
		return nil, errors.New("this program starts no workers: main does not call onnx.ServeWorker")
	}
	return worker.New(worker.Options{
		Command: workerCommand, Library: flag, Devices: devices, Bounds: bounds,
		Whole: func(path string) ([]byte, error) {
			data, _, err := readFile(path)
			return data, err
		},
		Graph: func(path string) (model.Graph, error) { return Network(path) },
	})
}

// workerCommand is this program as a worker, in a folder without files. What a GPU's driver
// compiles it keeps in one folder.
func workerCommand(on device.Device) (*exec.Cmd, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program's file: %w", err)
	}
	command := exec.Command(executable, workerArguments...)
	command.Dir = filepath.Dir(executable)
	hide(command)
	if cache := worker.CacheFolder(); on.IsGPU() && cache != "" {
		if err := os.MkdirAll(cache, 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of the GPU's driver: %w", err)
		}
		command.Env = os.Environ()
		for _, name := range []string{"CUDA_CACHE_PATH", "MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH"} {
			command.Env = append(command.Env, name+"="+cache)
		}
	}
	return command, nil
}
