/** Loaded into the processes of a run whose coverage is counted: writes it each second, because a worker is ended by a signal. */
import { takeCoverage } from "node:v8"

setInterval(takeCoverage, 1000).unref()
for (const end of ["SIGTERM", "disconnect", "exit"]) process.on(end, () => takeCoverage())
