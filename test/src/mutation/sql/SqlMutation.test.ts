/**
 * Mutation testing of the database functions: each mutant replaces its function in a database, and some check must notice it. Run by
 * `npm run mutate -- sql`; COUNTERSIGN_TEST_SQL_MUTANTS has a part of the names of functions, and of how many mutants one is run.
 */
import { setTimeout } from "node:timers/promises"
import { Migrations, PoolConnection } from "@countersign/adapter-postgres"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { withReleasedNames } from "../../../../packages/adapter-postgres/src/functions/Functions.ts"
import { fill } from "../../../../packages/adapter-postgres/src/functions/SqlTemplate.ts"
import type { FunctionCheck } from "../../adapter-postgres/FunctionParts.ts"
import * as TestDatabase from "../../adapter-postgres/TestDatabase.ts"
import { sqlChecks } from "./SqlChecks.ts"
import { functionFiles, mutantsOf, type SqlMutant } from "./SqlMutants.ts"
import { explained } from "./SqlSurvivors.ts"

const [only = "", every = "1", lanes = "2"] = (process.env["COUNTERSIGN_TEST_SQL_MUTANTS"] ?? "").split(",")

/** A mutant that waits for a lock, or runs in circles, has been noticed. */
const checkMillis = 20_000
const statementMillis = 10_000

const passes = async ({ run }: FunctionCheck): Promise<boolean> => {
  const end = new AbortController()
  const timeout = setTimeout(checkMillis, false, { signal: end.signal }).catch(() => false)
  try {
    return await Promise.race([run().then(() => true), timeout])
  } catch {
    return false
  } finally {
    end.abort()
  }
}

/** One database, in which one mutant after another is checked. */
const lane = async () => {
  const database = await TestDatabase.create(8)
  const admin = database.another(1)
  await admin.query(`alter database ${database.name} set statement_timeout = ${statementMillis}`)
  await Effect.runPromise(Migrations.run(database.connection))
  const create = (file: string) => admin.query(withReleasedNames(fill(file)))
  const fresh = async () => {
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    )
    const pool = database.another(10)
    return sqlChecks(PoolConnection.make(pool), pool)
  }
  return { create, fresh, close: database.close }
}

it("every mutant of the database functions is noticed", { timeout: 86_400_000 }, async () => {
  const all = functionFiles.flatMap((original) => mutantsOf(original).map((mutant) => ({ mutant, original })))
  const chosen = all.filter(({ mutant }, n) => mutant.where.includes(only) && n % Number(every) === 0)
  const kills = new Map<string, number>()
  const survivors: Array<SqlMutant> = []
  const counts = { killed: 0, unloadable: 0 }
  let unsound: ReadonlySet<string> = new Set()
  const queue = [...chosen]

  const workers = await Promise.all(Array.from({ length: Number(lanes) }, lane))
  const [first] = workers
  if (first === undefined) throw new Error("there is no lane")
  {
    const checks = await first.fresh()
    const failing: Array<string> = []
    for (const check of checks) if (!(await passes(check))) failing.push(check.title)
    unsound = new Set(failing)
    console.log(
      `${checks.length} checks, ${chosen.length} of ${all.length} mutants; not used: ${failing.join("; ") || "none"}`,
    )
  }
  const judge = async ({ create, fresh }: (typeof workers)[number], { mutant, original }: (typeof chosen)[number]) => {
    try {
      await create(mutant.text)
    } catch {
      counts.unloadable += 1
      return
    }
    const checks = await fresh()
    const sound = checks.filter(({ title }) => !unsound.has(title))
    const ordered = sound.toSorted((a, b) => (kills.get(b.title) ?? 0) - (kills.get(a.title) ?? 0))
    let killer: string | undefined
    for (const check of ordered) {
      if (await passes(check)) continue
      killer = check.title
      break
    }
    if (killer === undefined) {
      survivors.push(mutant)
      console.log(`survives: ${mutant.where} ${mutant.change}`)
    } else {
      counts.killed += 1
      kills.set(killer, (kills.get(killer) ?? 0) + 1)
    }
    await create(original)
  }
  await Promise.all(
    workers.map(async (worker) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await judge(worker, next)
      await worker.close()
    }),
  )
  const named = survivors.map(({ change, where }) => `${where} ${change}`)
  const unexplained = named.filter(
    (name) => !explained.some(({ mutants }) => mutants.some((each) => name.includes(each))),
  )
  console.log(
    `${counts.killed} of ${chosen.length - counts.unloadable} noticed, ${survivors.length} survive, ${counts.unloadable} do not load`,
  )
  expect(unexplained).toEqual([])
})
