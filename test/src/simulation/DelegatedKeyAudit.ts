/**
 * The part of the auditor for delegated keys: each has the state that the answers say, one is active at a time, and a purchase by the
 * wallet's card is approved while a key is active and never without one.
 * Source: wire contract 4.1 and 4.11; D-177, D-261.
 */
import type { DelegatedKeyResource } from "@countersign/core/models"
import type { AcceptedChange } from "./AcceptedChange.ts"
import type { Answers } from "./Answers.ts"
import type { DelegatedKeyAnswers } from "./DelegatedKeyAnswers.ts"
import type { Pay } from "./World.ts"

/** Whether a key was active during all of it, may have been active during some of it, or was not. */
const keyDuring = (
  { activated, revoked }: DelegatedKeyAnswers,
  { begunAt, endedAt }: AcceptedChange,
): "CERTAIN" | "POSSIBLE" | "NONE" => {
  const possible = [...activated].filter(
    ([id, activation]) => activation.begunAt < endedAt && (revoked.get(id)?.endedAt ?? endedAt) > begunAt,
  )
  const isCertain = possible.some(
    ([id, activation]) => activation.endedAt <= begunAt && (revoked.get(id)?.begunAt ?? endedAt) >= endedAt,
  )
  if (isCertain) return "CERTAIN"
  return possible.length === 0 ? "NONE" : "POSSIBLE"
}

const purchaseProblems = (known: DelegatedKeyAnswers): ReadonlyArray<string> =>
  known.purchases.flatMap((purchase) => {
    const key = keyDuring(known, purchase)
    const { declineReason } = purchase
    if (declineReason === undefined && key === "NONE")
      return ["a purchase was approved without an active delegated key"]
    return declineReason === "FUNDING_SOURCE_UNAVAILABLE" && key === "CERTAIN"
      ? ["a purchase was declined in spite of an active delegated key"]
      : []
  })

const stateOf = ({ activated, revoked }: DelegatedKeyAnswers, id: string): DelegatedKeyResource["status"] => {
  if (revoked.has(id)) return "REVOKED"
  return activated.has(id) ? "ACTIVE" : "PENDING"
}

const listProblems = (
  known: DelegatedKeyAnswers,
  listed: ReadonlyArray<DelegatedKeyResource>,
): ReadonlyArray<string> => {
  const ids = new Set(listed.map(({ id }) => id))
  const unknown = listed.filter(({ id }) => !known.registered.has(id))
  const active = listed.filter(({ status }) => status === "ACTIVE")
  return [
    ...listed.flatMap(({ id, status }) =>
      status === stateOf(known, id) ? [] : [`${id} is ${status}, and should be ${stateOf(known, id)}`],
    ),
    ...[...known.registered].filter((id) => !ids.has(id)).map((id) => `${id} was registered and is not listed`),
    ...(unknown.length <= known.unknownRegistrations
      ? []
      : unknown.map(({ id }) => `${id} is listed and nobody registered it`)),
    ...(active.length <= 1 ? [] : [`${active.length} delegated keys of one funding source are active`]),
    ...(new Set(listed.map(({ publicKey }) => publicKey)).size === listed.length
      ? []
      : ["two delegated keys are the same"]),
  ]
}

export const delegatedKeyProblems = async (pay: Pay, { delegated }: Answers): Promise<ReadonlyArray<string>> => {
  const { body } = await pay.send("GET", `/auth/delegated-keys?accountId=${pay.wallet.accountId}`)
  const listed = (body as { readonly data: ReadonlyArray<DelegatedKeyResource> }).data
  return [...purchaseProblems(delegated), ...listProblems(delegated, listed)]
}
