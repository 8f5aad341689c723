/**
 * The audit at the end of each check: everything that the check wrote is read, and nothing else; and what the store answered to concurrent
 * sets is possible in one order of them.
 * Source: D-518.
 */
import { tenant } from "@countersign/core"
import {
  type AnyStored,
  type DeliveredEvent,
  deliveryAttemptsMax,
  type Kind,
  limitPrefix,
  Page,
  Store,
} from "@countersign/core/store"
import { Effect } from "effect"
import { equal } from "../Law.ts"
import { accountEntries, delivery, eventsPage, history as historyOf, jobs, list, read, trialBalance } from "../Suite.ts"
import { type AuditedAccount, accountsIn, totalsIn, trialBalanceOf } from "./Accounts.ts"
import { type AppliedSet, appliedIn, platformsIn, versionsIn } from "./Applied.ts"
import { auditConditions } from "./Conditions.ts"
import { eventsIn, isKept } from "./Events.ts"
import { CurrentHistory, type History } from "./History.ts"
import { auditClaims, shownJobs, unfinishedIn } from "./Jobs.ts"
import { answersIn, heldKeysIn } from "./Keys.ts"

type Versions = ReturnType<typeof versionsIn>

/** How many events with several attempts are read one by one. */
const deliveriesMax = 3
/** Lists above this size are not walked again: the check of long lists does. */
const listedMax = 1000

const pageLimit = 100

/** All pages of a list, oldest first. A list without an end is cut. */
const allOf = <A, E, R>(
  positionOf: (one: A) => Page.Position,
  pageAt: (page: Page.PageRequest) => Effect.Effect<Pick<Page.Page<A>, "data" | "hasMore">, E, R>,
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.gen(function* () {
    const all: Array<A> = []
    for (let after: Page.Position | undefined; ; ) {
      const page = yield* pageAt({ limit: pageLimit, order: "asc", ...(after === undefined ? {} : { after }) })
      all.push(...page.data)
      const last = page.data.at(-1)
      if (!page.hasMore || last === undefined || all.length > 2 * listedMax) return all
      const { createdAt, id } = positionOf(last)
      after = { createdAt, id }
    }
  })

const auditRecords = Effect.fnUntraced(function* (versions: Versions, platform: string, samplesMax: number) {
  const caller = tenant(platform)
  const own = [...versions.values()].filter(([{ record }]) => record.platformId === platform)
  const latest = own.map((all) => (all.at(-1) ?? all[0]).record)
  for (const [kind, expected] of Map.groupBy<Kind, AnyStored>(latest, (record) => record.kind)) {
    if (expected.length > listedMax) continue
    const listed = yield* allOf(
      (record: Page.Position) => record,
      (page) => list(kind, {}, page, caller),
    )
    equal("a list has each committed record once, in its last version", listed, expected.toSorted(Page.compare("asc")))
  }
  const changed = own.filter((all) => all.length > 1).slice(-samplesMax)
  for (const all of changed) {
    const erased = all.findLastIndex(({ erasesHistory }) => erasesHistory)
    const kept = all.slice(Math.max(erased, 0)).map(({ record }) => record)
    equal("the history of a record has each committed version", yield* historyOf(all[0].record, caller), kept)
  }
})

/** Requires a read to return what all acknowledged commits have written. */
const auditReads = Effect.fnUntraced(function* (applied: ReadonlyArray<AppliedSet>, platform: string) {
  const totals = totalsIn(applied, platform)
  const counters = new Map<string, number>()
  for (const { caller, set } of applied) {
    for (const { delta, key } of set.counters) {
      // Counters of windows that have ended may be deleted.
      if (caller.platformId !== platform || key.startsWith(limitPrefix)) continue
      counters.set(key, (counters.get(key) ?? 0) + delta)
    }
  }
  const balances = [...totals.keys()]
  if (balances.length + counters.size === 0) return
  const found = yield* read({ balances, counters: [...counters.keys()] }, tenant(platform))
  equal(
    "a read returns the balances that all acknowledged commits leave",
    balances.map((id) => [id, found.balance(id)]),
    [...totals],
  )
  equal(
    "a read returns the counters that all acknowledged commits leave",
    [...counters.keys()].map((key) => [key, found.counter(key)]),
    [...counters],
  )
})

const auditEntries = Effect.fnUntraced(function* (accounts: ReadonlyArray<AuditedAccount>, samplesMax: number) {
  const moved = accounts.filter(({ sequence }) => sequence > 0 && sequence <= pageLimit).slice(-samplesMax)
  for (const { account, sets } of moved) {
    const page = yield* accountEntries({ account: account.id, limit: pageLimit }, tenant(account.platformId))
    const expected = sets.flatMap(({ by: { set }, moved }) =>
      moved.map((each) => ({ ...each, at: set.at, operationId: set.operationId })),
    )
    equal(
      "the entries of an account are the transfers of all committed sets",
      page?.entries.toReversed().map(({ amount, at, counterAccount, operationId, reference }) => ({
        amount,
        counterAccount,
        reference,
        at,
        operationId,
      })),
      expected,
    )
  }
})

const auditEvents = Effect.fnUntraced(function* (
  applied: ReadonlyArray<AppliedSet>,
  platform: string,
  { now: businessNow, sets }: History,
) {
  if (sets.every(({ set }) => set.events.length === 0)) return
  const caller = tenant(platform)
  const expected = eventsIn(applied, platform, businessNow)
  const listed = yield* allOf(
    ({ event }: DeliveredEvent) => event,
    (page) => eventsPage({}, page, caller),
  )
  const kept = listed.filter(({ event }) => isKept(event.createdAt, businessNow))
  equal(
    "each event of a committed set is listed once, as it was committed",
    kept.map(({ event }) => event),
    expected.map(({ event }) => event),
  )
  equal(
    "an event is listed with its latest attempt",
    kept.map(({ attempts, event }) => [event.id, attempts.map(({ number }) => number)]),
    expected.map(({ attempts, event }) => [event.id, attempts === 0 ? [] : [attempts]]),
  )
  for (const { attempts, event } of expected.filter((each) => each.attempts > 1).slice(-deliveriesMax)) {
    const found = yield* delivery(event.id, caller)
    const numbers = Array.from({ length: attempts }, (_, index) => index + 1).slice(-deliveryAttemptsMax)
    equal("an event has each committed attempt", found?.attempts.map(({ number }) => number) ?? [], numbers)
  }
})

const auditKeys = Effect.fnUntraced(function* (
  applied: ReadonlyArray<AppliedSet>,
  wallNow: number,
  samplesMax: number,
) {
  const store = yield* Store
  for (const { holder, key } of heldKeysIn(applied).slice(-samplesMax)) {
    const found = yield* store.resolve({ scope: "global", key })
    equal("a global key resolves to the record that holds it", found && `${found.kind} ${found.id}`, holder)
  }
  for (const { caller, key, stored } of answersIn(applied, wallNow).slice(-samplesMax)) {
    const found = yield* read({ replay: key }, caller)
    equal("the answer of a committed set is stored under its key", found.replay, stored)
  }
})

/** Requires reads to see all commits that were acknowledged so far. */
export const auditState = Effect.gen(function* () {
  const applied = appliedIn(yield* CurrentHistory)
  for (const platform of platformsIn(applied)) yield* auditReads(applied, platform)
})

/** Reads everything that the sets of a history have written, of what is read one by one up to `samplesMax`, and requires it to be equal. */
export const audit = Effect.fnUntraced(function* (history: History, samplesMax: number) {
  const applied = appliedIn(history)
  // What became of an interrupted commit is not known.
  if (applied.length === 0 || history.sets.some(({ end }) => end === undefined)) return
  const versions = versionsIn(applied)
  const accounts = accountsIn(applied)
  auditConditions(applied, versions, accounts)
  auditClaims(history, applied)
  yield* auditKeys(applied, history.now, samplesMax)
  const hasJobs = history.sets.some(({ set }) => set.jobs.length > 0)
  for (const platform of platformsIn(applied)) {
    yield* auditRecords(versions, platform, samplesMax)
    yield* auditReads(applied, platform)
    yield* auditEvents(applied, platform, history)
    const law = "each unfinished job of a committed set is listed once"
    if (hasJobs) equal(law, shownJobs(yield* jobs(tenant(platform))), unfinishedIn(applied, platform))
  }
  if (accounts.length === 0) return
  yield* auditEntries(accounts, samplesMax)
  equal("the trial balance is that of all committed transfers", yield* trialBalance, trialBalanceOf(accounts))
})
