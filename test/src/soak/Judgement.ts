/**
 * Judges a soak run by its series: memory that grows, latencies that rise, rows and connections that accumulate. Pure. A series that is
 * too short for a judgement gets none, and a note says so.
 * Source: D-515.
 */
import { percentiles } from "../bench/Rounds.ts"
import { mean, type Point, slope, spread, within } from "./Series.ts"

export interface Verdict {
  /** A sentence for each thing that is wrong. */
  readonly problems: ReadonlyArray<string>
  /** A sentence for each figure, and for each judgement that was not possible. */
  readonly notes: ReadonlyArray<string>
}

const limits = {
  /** How much the memory of a process may grow in an hour, of its mean. */
  growthPerHour: 0.05,
  /** Growth below this is not judged, in MiB: a collection that comes a moment earlier or later moves as much. */
  growthFloorMebibytes: 4,
  /** The least length of the judged half, so that an hour may be extrapolated from it. */
  growthSecondsMin: 600,
  growthPointsMin: 10,
  /** The p99 of the last quarter, of that of the second. */
  latencyRatio: 2,
  /** Latencies that differ by less are equal, in milliseconds. */
  latencyFloorMillis: 20,
  /** The least number of requests in each of the two quarters: ten are above a p99. */
  latencyCountMin: 1000,
  /** The least length of a run whose quarters may be compared. */
  comparedSecondsMin: 480,
  /** The mean of the last quarter, of that of the second, of what traffic must not accumulate. */
  stockRatio: 2,
  stockPointsMin: 4,
} as const

/** Judges the memory of a process in the second half of a run, in MiB. */
export const judgeMemory = (name: string, points: ReadonlyArray<Point>, runSeconds: number): Verdict => {
  const half = within(points, runSeconds, 0.5, 1)
  const seconds = (half.at(-1)?.seconds ?? 0) - (half[0]?.seconds ?? 0)
  const level = mean(half.map(({ value }) => value))
  if (seconds < limits.growthSecondsMin || half.length < limits.growthPointsMin)
    return { problems: [], notes: [`${name}: ${level.toFixed(0)} MiB; too short to judge its growth`] }
  const perSecond = slope(half)
  const part = (perSecond * 3600) / level
  // The standard error of a slope through evenly spaced points with this spread, over the whole half.
  const error = spread(half) * Math.sqrt(12 / half.length)
  const isNoise = perSecond * seconds < limits.growthFloorMebibytes + 2 * error
  const said = `${name}: ${level.toFixed(0)} MiB, ${(100 * part).toFixed(1)} % more per hour in the second half`
  return part > limits.growthPerHour && !isNoise
    ? { problems: [`${said}; at most ${100 * limits.growthPerHour} % are allowed`], notes: [] }
    : { problems: [], notes: [said] }
}

/** A request that was answered. */
export interface Timing {
  readonly seconds: number
  readonly operation: string
  readonly millis: number
}

const p99 = (timings: ReadonlyArray<Timing>): number => percentiles(timings.map(({ millis }) => millis)).p99Millis ?? 0

/** Judges the latencies of one operation: the last quarter of the run beside the second. */
export const judgeLatency = (operation: string, timings: ReadonlyArray<Timing>, runSeconds: number): Verdict => {
  const [before, after] = [within(timings, runSeconds, 0.25, 0.5), within(timings, runSeconds, 0.75, 1)]
  if (runSeconds < limits.comparedSecondsMin || Math.min(before.length, after.length) < limits.latencyCountMin)
    return { problems: [], notes: [`${operation}: ${timings.length} requests, too few to judge their latency`] }
  const [was, is] = [p99(before), p99(after)]
  const said = `${operation}: p99 ${was.toFixed(1)} ms in the second quarter, ${is.toFixed(1)} ms in the last`
  return is > limits.latencyRatio * was && is - was > limits.latencyFloorMillis
    ? { problems: [`${said}; at most ${limits.latencyRatio} times as much is allowed`], notes: [] }
    : { problems: [], notes: [said] }
}

export interface StockLimits {
  /** Differences up to this are equal. */
  readonly floor: number
  /** The run after whose first quarter the stock has its level: longer than what is in it stays. */
  readonly secondsMin?: number
}

/** Judges what traffic must not accumulate: waiting jobs, sessions of workers, connections. */
export const judgeStock = (
  name: string,
  points: ReadonlyArray<Point>,
  runSeconds: number,
  { floor, secondsMin = limits.comparedSecondsMin }: StockLimits,
): Verdict => {
  const of = (from: number, to: number) => within(points, runSeconds, from, to).map(({ value }) => value)
  const [before, after] = [of(0.25, 0.5), of(0.75, 1)]
  if (runSeconds < secondsMin || Math.min(before.length, after.length) < limits.stockPointsMin)
    return { problems: [], notes: [`${name}: ${points.length} samples of ${runSeconds} s, too few to judge`] }
  const [was, is] = [mean(before), mean(after)]
  const said = `${name}: ${was.toFixed(1)} in the second quarter, ${is.toFixed(1)} in the last`
  return is > limits.stockRatio * was && is - was > floor
    ? { problems: [`${said}: it accumulates`], notes: [] }
    : { problems: [], notes: [said] }
}

export const joined = (verdicts: ReadonlyArray<Verdict>): Verdict => ({
  problems: verdicts.flatMap(({ problems }) => problems),
  notes: verdicts.flatMap(({ notes }) => notes),
})
