/**
 * The part of the auditor for verifications: each customer and each verification has the state of its last event, a repetition opens no other
 * verification, a decided customer has the verification that decided it, and no owner is lost or added twice.
 * Source: wire contract 5.11, 5.12 and 6.1; D-083.
 */
import type { BeneficialOwnerResource, VerificationResource } from "@countersign/core/models"
import type { Answers, VerifiedCustomer } from "./Answers.ts"
import { bodyOf } from "./ClientRequests.ts"
import { type EventsOf, nameOf, stateProblems } from "./RecordEvents.ts"
import type { Pay } from "./World.ts"

const open = ["RESOLVE_ERRORS", "IN_PROGRESS", "PENDING_MANUAL_REVIEW"]
const decided = ["APPROVED", "REJECTED"]

const verificationArrows: { readonly [from: string]: ReadonlyArray<string> } = Object.fromEntries(
  ["", ...open].map((from) => [from, [...open, ...decided].filter((to) => to !== from)]),
)

/** A customer on hold has no event: afterwards it may have any status but that of a rejected one. */
const customerArrows: { readonly [from: string]: ReadonlyArray<string> } = Object.fromEntries(
  ["", "PENDING", "APPROVED"].map((from) => [from, ["PENDING", ...decided]]),
)

const verificationProblems = (
  eventsOf: EventsOf,
  { id, verificationStatus }: VerificationResource,
): ReadonlyArray<string> =>
  stateProblems(id, {
    events: eventsOf(id, "VERIFICATION.").map((event) => [event, nameOf(event)] as const),
    first: "",
    last: verificationStatus,
    mayBecome: verificationArrows,
  })

const customerProblems = (
  eventsOf: EventsOf,
  id: string,
  status: string,
  { first }: VerifiedCustomer,
  verifications: ReadonlyArray<VerificationResource>,
): ReadonlyArray<string> => {
  const events = eventsOf(id, "CUSTOMER.KY").map((event) => [event, nameOf(event).slice(4)] as const)
  const isSilent = status === "HOLD" || status === "UNVERIFIED"
  const last = isSilent ? (events.at(-1)?.[1] ?? "") : status
  const hasReason = first === status || verifications.some(({ verificationStatus }) => verificationStatus === status)
  return [
    ...stateProblems(id, { events, first: "", last, mayBecome: customerArrows }),
    ...(decided.includes(status) && !hasReason ? [`${id} is ${status} without a verification that decided it`] : []),
  ]
}

const ownerProblems = (
  id: string,
  { owners: known, unknownOwners }: VerifiedCustomer,
  owners: ReadonlyArray<BeneficialOwnerResource>,
): ReadonlyArray<string> => {
  const ids = new Set<string>(owners.map((owner) => owner.id))
  const unknown = [...ids].filter((each) => !known.has(each))
  return [
    ...(ids.size === owners.length ? [] : [`an owner of ${id} is listed twice`]),
    ...[...known].filter((each) => !ids.has(each)).map((each) => `${each} was answered and does not exist`),
    ...(unknown.length <= unknownOwners ? [] : unknown.map((each) => `${each} exists without a request`)),
  ]
}

export const verifiedCustomerProblems = async (
  pay: Pay,
  answers: Answers,
  eventsOf: EventsOf,
): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  const dataOf = async <A>(path: string) =>
    bodyOf(await pay.send("GET", `${path}&limit=100`))["data"] as ReadonlyArray<A>
  for (const [id, known] of answers.verified) {
    const customer = bodyOf(await pay.send("GET", `/customers/${id}`))
    const status = String(customer["kybStatus"] ?? customer["kycStatus"])
    const verifications = await dataOf<VerificationResource>(`/verifications?customerId=${id}`)
    const opened = verifications.filter(({ verificationStatus }) => open.includes(verificationStatus))
    problems.push(
      ...verifications.flatMap((each) => verificationProblems(eventsOf, each)),
      ...customerProblems(eventsOf, id, status, known, verifications),
      ...(opened.length <= 1 ? [] : [`${id} has ${opened.length} open verifications`]),
      ...(verifications.length <= known.requests
        ? []
        : [`${id} has ${verifications.length} verifications, and ${known.requests} were requested`]),
    )
    if (known.isBusiness) {
      const owners = await dataOf<BeneficialOwnerResource>(`/beneficial-owners?customerId=${id}`)
      problems.push(...ownerProblems(id, known, owners))
    }
  }
  return problems
}
