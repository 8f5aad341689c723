/** What an advance tells of its way: own work only, by time and kind, and no endless list. Source: D-456. */
import { expect, it } from "vitest"
import * as StopLog from "../../../packages/core/src/service/time/StopLog.ts"

const job = (kind: string, platformId = "own") => ({ kind, platformId })

it("counts the attempts of the own platform by time and kind", () => {
  const log = StopLog.make("own", 0)
  log.attempted(job("b"))
  log.attempted(job("a"))
  log.attempted(job("b"))
  log.attempted(job("c", "another"))
  log.reached(1000)
  log.attempted(job("c", "another"))
  log.reached(2000)
  log.attempted(job("a"))
  expect(log.result()).toEqual({
    stops: [
      {
        at: "1970-01-01T00:00:00Z",
        jobs: [
          { kind: "a", attempts: 1 },
          { kind: "b", attempts: 2 },
        ],
      },
      { at: "1970-01-01T00:00:02Z", jobs: [{ kind: "a", attempts: 1 }] },
    ],
    stopsOmitted: 0,
  })
})

it("lists the first hundred times and counts the others", () => {
  const log = StopLog.make("own", 0)
  for (let n = 1; n <= 103; n++) {
    log.reached(n * 1000)
    log.attempted(job("a"))
  }
  const { stops, stopsOmitted } = log.result()
  expect([stops.length, stops.at(-1)?.at, stopsOmitted]).toEqual([100, "1970-01-01T00:01:40Z", 3])
})
