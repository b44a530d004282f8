// Package cluster lets other machines compute the units of runs, over NATS JetStream.
//
// The coordinator is the process that has the workspace: it serves the queue itself (Serve) or uses a server that exists (Dial), and is
// attached to the engine as an executor beside the engine's own workers. A worker (Work) is a process anywhere that takes one unit after the
// other. What travels is described in package engine/wire: orders, models and packs of images by hash, results. Transformed images never do.
//
// All names of a coordinator begin with its space, so that several share a server:
//
//	stream VS_SPACE_UNITS     subjects vs.SPACE.units.KIND.UNIT   work queue; at most one message per unit, so that ordering twice changes nothing
//	stream VS_SPACE_RESULTS   subjects vs.SPACE.results.UNIT.WORKER   what workers have brought and nobody has kept yet
//	objects vs-SPACE-models, vs-SPACE-images, vs-SPACE-results    by SHA-256, results by unit and worker
//	subject vs.SPACE.hello    request of a worker that wants to join: a Machine, answered by a welcome
//	subject vs.SPACE.beat.WORKER       what a worker does, every two seconds
//	subject vs.SPACE.trouble.WORKER    why a worker could not compute a unit
//	subject vs.SPACE.to.WORKER         the coordinator asks a worker to leave
//	subject vs.SPACE.withdrawn         units that nobody needs any more
//
// KIND is pure for units whose name holds the processor's level, and mixed for runs that allow any (signal.Mixed). A consumer per kind
// delivers them: a unit that was taken and neither brought nor kept alive for AckWait goes to another worker, as often as it takes. A unit fails
// after three faults (see faults), with the last reason that a worker gave. Results are named by the unit's key, so one that comes twice or late changes nothing.
//
// Safety: the embedded server speaks TLS alone, with a certificate of its own whose hash the join line holds, and takes a token. A worker makes a
// secret of its own for every start; its id is the secret's hash (identity). It may speak in its own name only, hears nothing but
// answers in its own inbox and what the coordinator says to it or to all, and may do what it needs: fetch, bring, tell. The coordinator
// answers in workers' inboxes alone. A worker executes described units; it takes no code and no paths, tries every
// model in a child process first, and bounds what it fetches and how long a unit may take.
//
// What remains: who has the join line can make as many secrets as it likes, bring wrong numbers that have the right form, answer orders that it does not
// carry out, overwrite results that others are bringing (the names of objects cannot be told apart by the server), and have the
// server send what it has stored to subjects that it may not use itself: such messages are told by their headers and passed over here, but the server itself
// obeys them, so that streams may be emptied or removed. That can spoil a run's numbers or hold it up; it runs no code anywhere
// and reaches nothing of a workspace beside the models and images in the queue. On a server of somebody else (Dial) permissions are that server's:
// where it has none for each worker, workers can speak in each other's names.
package cluster
