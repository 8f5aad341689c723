/** The judgements of a soak run: series that must fail, and series that must pass. */
import { describe, expect, it } from "vitest"
import { randomInts } from "../adapter-postgres/Histories.ts"
import { judgeLatency, judgeMemory, judgeStock, type Timing } from "./Judgement.ts"
import { type Point, slope, spread, within } from "./Series.ts"

const hours = 2
const runSeconds = hours * 3600

/** A sample each minute. */
const minutely = (value: (hour: number, minute: number) => number): ReadonlyArray<Point> =>
  Array.from({ length: hours * 60 }, (_, minute) => ({ seconds: minute * 60, value: value(minute / 60, minute) }))

const noise = (seed: number, width: number) => {
  const randomInt = randomInts(seed)
  return () => (randomInt(2001) / 1000 - 1) * width
}

describe("the slope of a series", () => {
  it("is that of the line, and is not disturbed by outliers", () => {
    expect(slope(minutely((hour) => 3600 * hour))).toBeCloseTo(1, 9)
    expect(slope(minutely((hour, minute) => (minute % 10 === 0 ? 10_000 : 3600 * hour)))).toBeCloseTo(1, 1)
    expect([slope([]), slope([{ seconds: 1, value: 9 }])]).toEqual([0, 0])
  })

  it("leaves a spread of nothing on a line, and that of the noise beside it", () => {
    expect(spread(minutely((hour) => 100 * hour))).toBeCloseTo(0, 9)
    const random = noise(1, 10)
    expect(spread(minutely((hour) => 100 * hour + random()))).toBeGreaterThan(4)
  })

  it("is taken of the part of the run that is asked for", () => {
    const points = minutely((hour) => hour)
    expect(within(points, runSeconds, 0.5, 1).map(({ seconds }) => seconds)).toEqual(
      points.slice(60).map(({ seconds }) => seconds),
    )
  })
})

describe("memory", () => {
  const problemsOf = (value: (hour: number, minute: number) => number) =>
    judgeMemory("api", minutely(value), runSeconds).problems

  it.each<readonly [string, (hour: number, minute: number) => number]>([
    ["a leak of 12 MiB per hour", (hour) => 200 + 12 * hour],
    [
      "a leak of 30 MiB per hour below noise of 10 MiB",
      (
        (random) => (hour: number) =>
          200 + 30 * hour + random()
      )(noise(2, 10)),
    ],
    ["a leak below the teeth of collections", (hour, minute) => 200 + 40 * hour + 30 * ((minute % 7) / 7)],
    ["a step of 8 MiB every quarter of an hour", (_, minute) => 200 + 8 * Math.floor(minute / 15)],
    ["a leak that starts after an hour", (hour) => 200 + 40 * Math.max(0, hour - 1)],
  ])("fails for %s", (_, value) => {
    expect(problemsOf(value)).toEqual([
      expect.stringMatching(/^api: \d+ MiB, [\d.]+ % more per hour in the second half; at most 5 %/u),
    ])
  })

  it.each<readonly [string, (hour: number, minute: number) => number]>([
    ["a level", () => 200],
    [
      "noise of 20 MiB",
      (
        (random) => () =>
          200 + random()
      )(noise(3, 20)),
    ],
    ["a start that grows and a level after it", (hour) => 200 - 80 * Math.exp(-6 * hour)],
    ["one step in the first half", (hour) => (hour < 0.7 ? 200 : 260)],
    ["one step in the second half", (hour) => (hour < 1.7 ? 200 : 230)],
    ["the teeth of collections", (_, minute) => 200 + 40 * ((minute % 11) / 11)],
    ["a growth of 4 % per hour", (hour) => 200 + 8 * hour],
    ["memory that falls", (hour) => 300 - 30 * hour],
  ])("passes for %s", (_, value) => {
    expect(problemsOf(value)).toEqual([])
  })

  it("is not judged in a run of minutes, which is said", () => {
    const points = Array.from({ length: 20 }, (_, n) => ({ seconds: n, value: 200 + 20 * n }))
    expect(judgeMemory("api", points, 20)).toEqual({
      problems: [],
      notes: ["api: 490 MiB; too short to judge its growth"],
    })
  })
})

describe("latencies", () => {
  /** Two requests a second; of each hundred one is slow. */
  const timings = (slow: (part: number) => number): ReadonlyArray<Timing> =>
    Array.from({ length: 2 * runSeconds }, (_, n) => {
      const seconds = n / 2
      return { seconds, operation: "quote", millis: n % 50 === 0 ? slow(seconds / runSeconds) : 5 }
    })
  const problemsOf = (slow: (part: number) => number) => judgeLatency("quote", timings(slow), runSeconds).problems

  it.each<readonly [string, (part: number) => number]>([
    ["a step in the last quarter", (part) => (part < 0.75 ? 40 : 100)],
    ["a rise over the whole run", (part) => 20 + 200 * part],
  ])("fail for %s", (_, slow) => {
    expect(problemsOf(slow)).toEqual([expect.stringMatching(/^quote: p99 .+; at most 2 times as much is allowed$/u)])
  })

  it.each<readonly [string, (part: number) => number]>([
    ["a level", () => 40],
    ["a slow start", (part) => (part < 0.2 ? 400 : 40)],
    [
      "noise",
      (
        (random) => () =>
          60 + random()
      )(noise(4, 20)),
    ],
    ["twice as much of very little", (part) => (part < 0.75 ? 8 : 20)],
    ["a step down", (part) => (part < 0.5 ? 100 : 40)],
  ])("pass for %s", (_, slow) => {
    expect(problemsOf(slow)).toEqual([])
  })

  it("are not judged by a few requests, which is said", () => {
    const few = timings((part) => 1000 * part).slice(0, 100)
    expect(judgeLatency("quote", few, 50)).toEqual({
      problems: [],
      notes: ["quote: 100 requests, too few to judge their latency"],
    })
  })
})

describe("what traffic must not accumulate", () => {
  const problemsOf = (value: (hour: number, minute: number) => number) =>
    judgeStock("jobs", minutely(value), runSeconds, { floor: 50 }).problems

  it.each<readonly [string, (hour: number, minute: number) => number]>([
    ["jobs of which some are never done", (hour) => 100 * hour],
    ["a step that stays", (hour) => (hour < 1.2 ? 10 : 300)],
  ])("fails for %s", (_, value) => {
    expect(problemsOf(value)).toEqual([expect.stringMatching(/^jobs: .+: it accumulates$/u)])
  })

  it.each<readonly [string, (hour: number, minute: number) => number]>([
    ["nothing", () => 0],
    ["a level that comes and goes", (_, minute) => 100 * (minute % 3)],
    ["a burst after a kill", (_, minute) => (minute % 30 === 0 ? 400 : 5)],
    ["a few more", (hour) => 10 * hour],
  ])("passes for %s", (_, value) => {
    expect(problemsOf(value)).toEqual([])
  })

  it("is not judged by a few samples or before it has its level, which is said", () => {
    const points = minutely((hour) => 1000 * hour)
    expect(judgeStock("jobs", points.slice(0, 8), 480, { floor: 50 }).notes).toEqual([
      "jobs: 8 samples of 480 s, too few to judge",
    ])
    expect(judgeStock("jobs", points.slice(0, 60), 3600, { floor: 50, secondsMin: 3601 })).toMatchObject({
      problems: [],
    })
    expect(judgeStock("jobs", points.slice(0, 60), 3600, { floor: 50, secondsMin: 3600 }).problems).toHaveLength(1)
  })
})
