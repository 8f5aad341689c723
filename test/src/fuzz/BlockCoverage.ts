/** Which characters of some sources this process has executed, by the profiler of its JavaScript engine. */
import { type Profiler, Session } from "node:inspector"

/** What was executed since the last one: how often, by script and character. */
export type Sample = ReadonlyMap<string, Float64Array>

export interface BlockCoverage extends Disposable {
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

/** Covers the scripts whose address fits. One at a time: the profiler counts for all who ask. */
export const blockCoverage = (sources: RegExp): BlockCoverage => {
  const session = new Session()
  session.connect()
  session.post("Profiler.enable")
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })
  const covered = new Map<string, Set<number>>()
  return {
    sample: () => {
      const found = new Map<string, Float64Array>()
      session.post("Profiler.takePreciseCoverage", (error: Error | null, { result }: Taken) => {
        if (error !== null) throw error
        for (const script of result) if (sources.test(script.url)) found.set(script.scriptId, painted(script))
      })
      return found
    },
    isNew: (sample) =>
      [...sample].some(([script, counts]) => {
        const known = covered.get(script)
        return counts.some((count, at) => count > 0 && known?.has(at) !== true)
      }),
    add: (sample) => {
      for (const [script, counts] of sample) {
        const known = covered.get(script) ?? new Set()
        covered.set(script, known)
        for (const [at, count] of counts.entries()) if (count > 0) known.add(at)
      }
    },
    size: () => [...covered.values()].reduce((sum, known) => sum + known.size, 0),
    [Symbol.dispose]: () => {
      session.post("Profiler.stopPreciseCoverage")
      session.disconnect()
    },
  }
}
