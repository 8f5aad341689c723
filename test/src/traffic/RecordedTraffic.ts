/** The traffic of this process, whose answers are checked from the first call on. */
import { type ProcessTraffic, processTraffic } from "./ProcessTraffic.ts"
import { type RunRecord, record } from "./Recorder.ts"

/** `run`: what the answers are held against; absent: the document of the run of the tests. */
export const recordedTraffic = (run?: RunRecord): ProcessTraffic =>
  processTraffic((own) =>
    record(
      (found) => void own.problems.push(...found),
      () => !own.isInvented,
      run,
    ),
  )
