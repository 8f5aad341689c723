/** What a scenario that stopped says: where it stopped, and what it had made. Source: D-472. */
import { expect, it } from "vitest"
import { scenarioFailed, scenarioRunning } from "../../../packages/core/src/decision/scenario/ScenarioDecision.ts"

it("says that another scenario runs", () => {
  expect(scenarioRunning).toEqual({
    code: "CONFLICT",
    message: "A scenario is running already: wait until it has ended.",
    details: { reason: "SCENARIO_RUNNING" },
  })
})

it("says where a scenario stopped, with which status, and what stays", () => {
  const stop = { message: "no money.", operation: "POST /quotes", status: 409, made: ["Customer:1", "Quote:2"] }
  expect(scenarioFailed("agent-approval", stop)).toEqual({
    code: "CONFLICT",
    message: "The scenario agent-approval stopped at POST /quotes: no money. What it had made stays: 2 records.",
    details: { reason: "SCENARIO_FAILED", made: stop.made, operation: "POST /quotes", status: 409 },
  })
})

it("says that a scenario that stopped before its first request had made nothing", () => {
  expect(scenarioFailed("x", { message: "away.", made: [] })).toStrictEqual({
    code: "CONFLICT",
    message: "The scenario x stopped: away. It had made nothing.",
    details: { reason: "SCENARIO_FAILED", made: [] },
  })
})

it("shows 200 characters of a message and the first 50 records", () => {
  const made = Array.from({ length: 51 }, (_, at) => `Customer:${at}`)
  const { details, message } = scenarioFailed("x", { message: "m".repeat(201), made })
  expect(message).toBe(`The scenario x stopped: ${"m".repeat(200)} What it had made stays: 51 records.`)
  expect(details).toMatchObject({ made: made.slice(0, 50) })
})
