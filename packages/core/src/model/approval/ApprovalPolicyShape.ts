/**
 * What is wrong with an approval policy, beyond its schema: a policy that nobody can satisfy, or whose rows hide each other.
 * Source: D-532.
 */
import type { ApprovalDestination, ApprovalPolicy, ApprovalRow } from "./ApprovalPolicy.ts"
import { approverKey, approverName } from "./Approver.ts"
import { isNamedBy } from "./NamedDestination.ts"

/** Returns the members of the named groups, once each, as their names are compared. A name that is not valid is nobody's. */
export const membersOf = (
  { groups }: Pick<ApprovalPolicy, "groups">,
  names: ReadonlyArray<string>,
): ReadonlyMap<string, string> =>
  new Map(
    names
      .flatMap((group) => (Object.hasOwn(groups, group) ? (groups[group] ?? []) : []))
      .flatMap((text) => {
        const name = approverName(text)
        return name === undefined ? [] : [[approverKey(name), name] as const]
      }),
  )

/** Whether every destination of `later` is one of `earlier`. */
const coversDestination = (
  earlier: ApprovalDestination | undefined,
  later: ApprovalDestination | undefined,
): boolean => {
  if (earlier === undefined) return true
  if (later === undefined || earlier.is !== later.is) return false
  if (earlier.is === "ONE_OF") return later.is === "ONE_OF" && later.ids.every((id) => isNamedBy(earlier.ids, id))
  if (later.is === "ONE_OF") return false
  return earlier.is === "NEW" ? earlier.days >= later.days : earlier.days <= later.days
}

/** Whether every amount of `later` is one of `earlier`. Amounts of two currencies are not compared. */
const coversAmount = (earlier: ApprovalRow["from"], later: ApprovalRow["from"]): boolean =>
  earlier === undefined ||
  earlier.amount === 0 ||
  (later !== undefined && earlier.currency === later.currency && earlier.amount <= later.amount)

const problemsOfRow = (policy: ApprovalPolicy, row: ApprovalRow, index: number): ReadonlyArray<string> => {
  const { approvers, escalates, expiresAfterSeconds, needed } = row
  const before = policy.rows.slice(0, index)
  const hiding = before.find(
    (other) => coversDestination(other.destination, row.destination) && coversAmount(other.from, row.from),
  )
  const groups = [approvers, ...(escalates === undefined ? [] : [escalates.to])]
  const unknown = groups.filter((group) => !Object.hasOwn(policy.groups, group))
  const members = membersOf(policy, [approvers]).size
  return [
    ...(before.some(({ name }) => name === row.name) ? ["another row has the same name"] : []),
    ...unknown.map((group) => `there is no group ${group}`),
    ...(unknown.length === 0 && members < needed
      ? [`${approvers} has ${members} approvers, and ${needed} must approve`]
      : []),
    ...(hiding === undefined ? [] : [`it is never reached, because ${hiding.name} covers all that it covers`]),
    ...(escalates !== undefined && expiresAfterSeconds !== undefined && escalates.afterSeconds >= expiresAfterSeconds
      ? ["it expires before it escalates"]
      : []),
  ].map((problem) => `row ${row.name}: ${problem}`)
}

/** Returns what is wrong with the policy; the service must not start with it. */
export const problemsOfApprovalPolicy = (policy: ApprovalPolicy): ReadonlyArray<string> => [
  ...Object.entries(policy.groups).flatMap(([group, names]) => {
    const keys = names.map((text) => approverName(text)).map((name) => name && approverKey(name))
    return names.flatMap((text, index) => {
      if (keys[index] === undefined) return [`group ${group}: ${JSON.stringify(text)} is not a name of an approver`]
      return keys.indexOf(keys[index]) === index ? [] : [`group ${group}: ${text} is listed twice`]
    })
  }),
  ...policy.rows.flatMap((row, index) => problemsOfRow(policy, row, index)),
]
