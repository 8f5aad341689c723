/** What can be wrong with the database of a live deployment. Source: D-534. */
import { isLoopback } from "@countersign/adapter-http"
import { Clock, Effect } from "effect"
import * as Database from "../../Database.ts"
import type { ServeOptions } from "../../ServeFlags.ts"
import type { StoreLocation } from "../../StoreLocation.ts"
import { type Finding, ok, problem, skipped, warning } from "../Finding.ts"
import { type DatabaseFacts, readFacts } from "./DatabaseFacts.ts"

const skewMillisMax = 2000

/** The pool of a process (10), its own sessions beside a pooler (3), and those of the adapters in its ports. */
const sessionsOfProcess = 16

/** Decides from the facts. `at` is the time (ms) of this machine in the middle of the question. */
export const databaseFindings = (
  facts: DatabaseFacts,
  at: number,
  { migrate }: Pick<ServeOptions, "migrate">,
): ReadonlyArray<Finding> => {
  const skew = Math.round(facts.now - at)
  const isNear = facts.address === null || isLoopback(facts.address)
  const free = facts.sessionsMax - facts.sessions
  return [
    Math.abs(skew) <= skewMillisMax
      ? ok("database time", "the database's clock is that of this machine")
      : problem(
          "database time",
          `the database's clock differs by ${skew} ms from this machine's`,
          "synchronize both with NTP",
        ),
    facts.isEncrypted === true || isNear
      ? ok("database TLS", isNear ? "the server is this machine" : "the session is encrypted")
      : problem("database TLS", "the session is not encrypted", "add ?sslmode=verify-full to COUNTERSIGN_STORE"),
    facts.mayMigrate
      ? ok("database role", "the role may migrate the schema")
      : (migrate === "run" ? problem : warning)(
          "database role",
          "the role may not migrate the schema",
          "grant CREATE on the database, or let its owner run `countersign migrate` and set COUNTERSIGN_MIGRATE=check",
        ),
    ...(facts.isSuperuser
      ? [warning("database role", "the role is a superuser", "make a role of its own that owns the database")]
      : []),
    free >= sessionsOfProcess
      ? ok(
          "database load",
          `${free} of ${facts.sessionsMax} sessions are free; a process uses up to ${sessionsOfProcess}`,
        )
      : problem(
          "database load",
          `${free} of ${facts.sessionsMax} sessions are free, and a process uses up to ${sessionsOfProcess}`,
          "raise max_connections or the limit of the role, or put a pooler before it",
        ),
    facts.unsafeSettings.length === 0
      ? ok("durability", "a commit that was answered survives a loss of power")
      : problem(
          "durability",
          `an answered payment may be lost: ${facts.unsafeSettings.join(", ")} of the database is off`,
          "switch it on",
        ),
    ...(facts.isReplica ? [problem("database", "the server is a replica", "name the primary")] : []),
    ...(facts.encoding === "UTF8"
      ? []
      : [problem("database", `its encoding is ${facts.encoding}`, "make the database with encoding UTF8")]),
  ]
}

export const checkDatabase = Effect.fnUntraced(function* (
  options: Pick<ServeOptions, "migrate">,
  location: StoreLocation | undefined,
): Effect.fn.Return<ReadonlyArray<Finding>> {
  if (location?._tag !== "Server") return []
  return yield* Effect.gen(function* () {
    const connection = yield* Database.open(location)
    const before = yield* Clock.currentTimeMillis
    const facts = yield* Effect.tryPromise(() => readFacts(connection))
    const after = yield* Clock.currentTimeMillis
    return databaseFindings(facts, (before + after) / 2, options)
  }).pipe(
    Effect.scoped,
    // The check of the store says why.
    Effect.catch(() => Effect.succeed([skipped("database", "it cannot be asked")])),
  )
})
