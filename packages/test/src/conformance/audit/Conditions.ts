/**
 * The conditions under which sets were applied: each must have held, in an order of the sets in which all of them do.
 * Source: D-518; architecture, "A change set is the only way to write" (guards).
 */
import { type Owner, sees } from "@countersign/core/store"
import { equal, never } from "../Law.ts"
import type { AuditedAccount } from "./Accounts.ts"
import { type AppliedSet, nameOf, type versionsIn } from "./Applied.ts"

type Versions = ReturnType<typeof versionsIn>

/** For each set those that must come after it, because they replace a version that it depends on, or depend on one that it writes. */
const followersIn = (applied: ReadonlyArray<AppliedSet>, versions: Versions): Map<AppliedSet, Set<AppliedSet>> => {
  const followers = new Map<AppliedSet, Set<AppliedSet>>()
  const order = (first: AppliedSet | undefined, second: AppliedSet | undefined) => {
    if (first === undefined || second === undefined || first === second) return
    followers.set(first, (followers.get(first) ?? new Set()).add(second))
  }
  const missing: Array<string> = []
  for (const all of versions.values()) for (const [index, { by }] of all.entries()) order(all[index - 1]?.by, by)
  for (const by of applied) {
    for (const guard of by.set.guards) {
      const all = versions.get(nameOf(guard))
      if (all?.[guard.version - 1] === undefined) missing.push(`${nameOf(guard)} ${guard.version}`)
      order(all?.[guard.version - 1]?.by, by)
      order(by, all?.[guard.version]?.by)
    }
  }
  never("a set that guards a version that does not exist is a conflict", missing)
  return followers
}

/** A set of a cycle, if there is one. */
const cycleIn = (followers: ReadonlyMap<AppliedSet, ReadonlySet<AppliedSet>>): AppliedSet | undefined => {
  const done = new Set<AppliedSet>()
  const open = new Set<AppliedSet>()
  const visit = (set: AppliedSet): AppliedSet | undefined => {
    if (open.has(set)) return set
    if (done.has(set)) return undefined
    open.add(set)
    for (const next of followers.get(set) ?? []) {
      const found = visit(next)
      if (found !== undefined) return found
    }
    open.delete(set)
    done.add(set)
    return undefined
  }
  for (const set of followers.keys()) {
    const found = visit(set)
    if (found !== undefined) return found
  }
  return undefined
}

const ordered = (applied: ReadonlyArray<AppliedSet>, versions: Versions): void => {
  const followers = followersIn(applied, versions)
  const late: Array<string> = []
  for (const [first, all] of followers) {
    for (const second of all) {
      if (second.end < first.begin) late.push(`${first.set.operationId} after ${second.set.operationId}`)
    }
  }
  never("a set that guards or updates a version is a conflict once another set has replaced it", late)
  const skewed = cycleIn(followers)
  never("of two sets that each guard what the other one updates, one is a conflict", skewed ? [skewed.set] : [])
}

const counted = (applied: ReadonlyArray<AppliedSet>): void => {
  for (const { facts, set } of applied) {
    const byKey = Map.groupBy(set.counters, ({ key }) => key)
    for (const [key, changes] of byKey) {
      const value = facts.counters[key]
      if (value === undefined) continue
      const exceeded = changes.filter(({ delta, max }) => delta > 0 && max !== undefined && value > max)
      if (changes.every(({ delta }) => delta >= 0)) never("no commit raises a counter above its maximum", exceeded)
      const total = changes.reduce((sum, { delta }) => sum + delta, 0)
      for (const { expected } of changes) {
        if (expected !== undefined) equal("a counter with an unexpected value is a conflict", value, expected + total)
      }
    }
  }
}

const inTime = (applied: ReadonlyArray<AppliedSet>): void =>
  never(
    "a decision that is not valid any more is a conflict",
    applied.filter(({ businessNow, set }) => set.validUntil !== undefined && businessNow >= set.validUntil),
  )

/** The owners of what the sets have written. */
const ownersIn = (
  applied: ReadonlyArray<AppliedSet>,
  versions: Versions,
  accounts: ReadonlyArray<AuditedAccount>,
): ReadonlyMap<string, Owner> => {
  const owners = new Map<string, Owner>()
  for (const [name, [{ record }]] of versions) owners.set(name, record)
  for (const { account } of accounts) owners.set(`account ${account.id}`, account)
  for (const { caller, set } of applied) {
    const { platformId } = caller
    for (const { customerId, id } of set.jobs) owners.set(`job ${id}`, { platformId, customerId })
    for (const { customerId, id } of set.events) owners.set(`event ${id}`, { platformId, customerId })
  }
  return owners
}

const confined = (
  applied: ReadonlyArray<AppliedSet>,
  versions: Versions,
  accounts: ReadonlyArray<AuditedAccount>,
): void => {
  const owners = ownersIn(applied, versions, accounts)
  const seen = (by: AppliedSet, name: string) => {
    const owner = owners.get(name)
    return owner === undefined || sees(by.caller, owner) ? [] : [`${name} by ${by.set.operationId}`]
  }
  const foreign = applied.flatMap((by) => {
    const { claims, events, finishes, guards, inserts, jobs, ledgerAccounts, releases, returns, transfers, updates } =
      by.set
    const names = [
      ...[...inserts, ...updates, ...guards].map(nameOf),
      ...[...claims, ...releases].map(({ record }) => nameOf(record)),
      ...ledgerAccounts.map(({ id }) => `account ${id}`),
      ...transfers.flatMap(({ from, to }) => [`account ${from}`, `account ${to}`]),
      ...events.map(({ id }) => `event ${id}`),
      ...[...jobs, ...finishes, ...returns].map(({ id }) => `job ${id}`),
    ]
    return names.flatMap((name) => seen(by, name))
  })
  never("no set is applied that depends on or writes what its caller cannot see", foreign)
}

export const auditConditions = (
  applied: ReadonlyArray<AppliedSet>,
  versions: Versions,
  accounts: ReadonlyArray<AuditedAccount>,
): void => {
  ordered(applied, versions)
  counted(applied)
  inTime(applied)
  confined(applied, versions, accounts)
}
