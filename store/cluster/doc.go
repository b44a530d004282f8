// Package cluster lets other machines compute the units of runs, over NATS.
//
// The coordinator is the process that has the workspace: it serves NATS itself (Serve) or uses a
// server that exists (Dial), and is attached to the engine as an executor beside the engine's own
// workers. A worker (Work) is a process anywhere that asks for units and brings their results.
// What travels is described in package engine/wire: orders, models and packs of images by hash,
// results. Transformed images never do.
//
// Subjects begin with the coordinator's space, so that several share a server. Workers ask, and
// are answered in their inboxes:
//
//	vs.SPACE.hello               a worker wants to join: a Machine, answered by a welcome
//	vs.SPACE.from.WORKER.beat    what a worker does, every two seconds
//	vs.SPACE.from.WORKER.ask     a worker has room: the units that it has, answered by an order
//	vs.SPACE.from.WORKER.file    a piece of a model or pack
//	vs.SPACE.from.WORKER.brought a result is there; answered once it is kept, or refused
//	vs.SPACE.from.WORKER.trouble why a worker could not compute a unit
//	vs.SPACE.to.WORKER.piece     the coordinator asks for a piece of a result
//	vs.SPACE.to.WORKER.leave     the coordinator asks a worker to leave
//	vs.SPACE.withdrawn           units that nobody needs any more
//
// Nothing is queued: a worker holds what it was given until its result is kept, and asks again
// whatever was not answered. Units of a model go to the worker that has it (engine.Job.Next). A
// unit that no sign of life has named for AckWait goes to another worker, as often as it takes; it
// fails after three faults (see faults). A coordinator that begins anew learns from the signs of
// life what is on its way. Results are named by the unit's key: late or twice changes nothing.
//
// Safety: the embedded server speaks TLS alone, with a certificate whose hash the join line holds,
// and takes a token. A worker's id is the hash of a secret that it makes at its start (identity).
// It may speak in its own name only, and hears nothing but answers in its own inbox and what the
// coordinator says to it or to all. The coordinator answers in the inbox of who asks alone. A
// worker executes described units; it takes no code and no paths, tries every model first, and
// bounds what it fetches and how long a unit may take.
//
// What remains: who has the join line can make as many secrets as it likes and bring wrong numbers
// that have the right form. That can spoil a run's numbers or hold it up; it runs no code anywhere
// and reaches nothing of a workspace beside the models and images of the run at work. On a server
// of somebody else (Dial) permissions are that server's: where it has none for each worker,
// workers can speak in each other's names.
package cluster
