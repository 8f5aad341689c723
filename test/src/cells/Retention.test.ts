/** Simulated runs in four cells whose sweep of what has expired is wrong: the auditor finds it. Source: D-056, D-235, D-514. */
import { afterAll, describe, expect, it } from "vitest"
import { placedIn, schemaOf } from "../../../packages/adapter-postgres/src/cells/Cells.ts"
import { functions } from "../../../packages/adapter-postgres/src/functions/Functions.ts"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { simulate } from "../simulation/Simulation.ts"
import type { Pay } from "../simulation/World.ts"

const cells = 4
const database = TestDatabase.create(8)
afterAll(async () => (await database).close())

/** A short run that goes on until the retention has ended. */
const seed = 5

const sweepOf = (cell: number) => functions.forget.replace("countersign.", `${schemaOf(cell, cells)}.`)

/** Replaces a part of the sweep of a cell. Returns what restores it. */
const plant = async (cell: number, part: string, wrong: string): Promise<() => Promise<void>> => {
  const { pool } = await database
  const { rows } = await pool.query<{ readonly text: string }>(
    `select pg_get_functiondef('${sweepOf(cell)}(bigint, bigint, int)'::regprocedure) as text`,
  )
  const text = rows[0]?.text ?? ""
  expect(text).toContain(part)
  await pool.query(text.replace(part, wrong))
  return async () => void (await pool.query(text))
}

type Planted = (pay: Pay) => ReadonlyArray<readonly [cell: number, part: string, wrong: string]>

const ownCell = (pay: Pay) => placedIn(cells)(pay.customerId)

const faults: ReadonlyArray<readonly [name: string, planted: Planted, found: RegExp]> = [
  [
    "a cell whose events are never deleted",
    (pay) => [[ownCell(pay), "expired.expires_at <= business_now", "false"]],
    /^Webhook:\S+ is older than its retention and is listed$/u,
  ],
  [
    "cells that delete events of unfinished deliveries",
    () => Array.from({ length: cells }, (_, cell) => [cell, "delivery.queue = 'webhook'", "false"] as const),
    /^Webhook:\S+ was deleted before its delivery was finished$/u,
  ],
  [
    "a cell that deletes external accounts by time",
    (pay) => {
      const cell = ownCell(pay)
      return [
        [cell, "  return (deleted", `  delete from ${schemaOf(cell, cells)}.external_account;\n  return (deleted`],
      ]
    },
    /^ExternalAccount:\S+ was deleted by time$/u,
  ],
]

describe("the auditor of retention", { timeout: 300_000 }, () => {
  it.each(faults)("finds %s", async (_, planted, found) => {
    const restores: Array<() => Promise<void>> = []
    const change = (pay: Pay) => {
      const { advance } = pay.clock
      const planting: typeof advance = async (duration) => {
        if (duration === "31 days") for (const one of planted(pay)) restores.push(await plant(...one))
        await advance(duration)
      }
      Object.assign(pay, { clock: { ...pay.clock, advance: planting } })
    }
    const { problems } = await simulate(seed, { change, store: await TestDatabase.emptiedWorld(await database, cells) })
    for (const restore of restores) await restore()
    expect(restores.length).toBeGreaterThan(0)
    expect(problems).toContainEqual(expect.stringMatching(found))
    expect(problems.filter((problem) => !found.test(problem))).toEqual([])
  })
})
