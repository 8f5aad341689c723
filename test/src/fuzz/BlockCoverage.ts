/** Which characters of some sources this process has executed, by the profiler of its JavaScript engine. */
import { type Profiler, Session } from "node:inspector"

/** What was executed since the last one: how often, by script and character. */
export type Sample = ReadonlyMap<string, Float64Array>

export interface BlockCoverage {
  readonly sample: () => Sample
  /** Whether anything in the sample was never added. */
  readonly isNew: (sample: Sample) => boolean
  readonly add: (sample: Sample) => void
  /** The number of characters that were executed in what was added. */
  readonly size: () => number
}

type Taken = Profiler.TakePreciseCoverageReturnType

/** How often each character of a script was executed. */
const painted = ({ functions }: Taken["result"][number]): Float64Array => {
  const end = Math.max(...functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset)))
  const counts = new Float64Array(end)
  // Functions and blocks come before what is within them.
  for (const { ranges } of functions) {
    for (const { count, endOffset, startOffset } of ranges) counts.fill(count, startOffset, endOffset)
  }
  return counts
}

const hasNew = (counts: Float64Array, known: Uint8Array = new Uint8Array(0)): boolean => {
  for (let at = 0; at < counts.length; at += 1) if ((counts[at] ?? 0) > 0 && (known[at] ?? 0) === 0) return true
  return false
}

/** Returns one for each character that was executed in either. A script's end is known when its last function was called. */
const joined = (counts: Float64Array, known: Uint8Array = new Uint8Array(0)): Uint8Array => {
  const both = new Uint8Array(Math.max(counts.length, known.length))
  both.set(known)
  for (let at = 0; at < counts.length; at += 1) if ((counts[at] ?? 0) > 0) both[at] = 1
  return both
}

/**
 * Counts from the time that this module is loaded until the end: the engine counts the blocks of a function only if it compiles it while it
 * counts, and of the others, and of those from before a stop, only the calls.
 */
const session = new Session()
session.connect()
session.post("Profiler.enable")
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })

/** Ends the counting, which slows everything down. No coverage that is made later has blocks. */
export const stopCounting = (): void => {
  session.post("Profiler.stopPreciseCoverage")
  session.disconnect()
}

/** Covers the scripts whose address fits. One at a time: each sample takes the counts of all. */
export const blockCoverage = (sources: RegExp): BlockCoverage => {
  // What was counted before would otherwise be in the first sample.
  session.post("Profiler.takePreciseCoverage")
  const covered = new Map<string, Uint8Array>()
  return {
    sample: () => {
      const found = new Map<string, Float64Array>()
      session.post("Profiler.takePreciseCoverage", (error: Error | null, { result }: Taken) => {
        if (error !== null) throw error
        for (const script of result) if (sources.test(script.url)) found.set(script.scriptId, painted(script))
      })
      return found
    },
    isNew: (sample) => [...sample].some(([script, counts]) => hasNew(counts, covered.get(script))),
    add: (sample) => {
      for (const [script, counts] of sample) covered.set(script, joined(counts, covered.get(script)))
    },
    size: () => [...covered.values()].reduce((sum, known) => sum + known.reduce((all, one) => all + one, 0), 0),
  }
}
