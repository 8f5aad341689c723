/** A provider of checks that remembers what it has begun, and the same provider with one fault. */
import { type BeneficiaryResult, type KycLink, type VerificationOutcome, Verifier } from "@countersign/core/ports"
import { Clock, Effect, Layer, Redacted } from "effect"

export const verifierFaults = [
  "begins a check for each question",
  "names times by the system's clock",
  "changes a match after a day",
  "changes a decision about a person",
  "invents a status",
  "logs identification numbers",
  "asks for corrections without a reason",
  "names errors of an approved customer",
  "names errors of strangers",
  "decides about strangers",
  "changes a decided verification",
  "repeats a link",
  "gives links by the system's clock",
  "gives links without an address",
  "throws",
] as const
export type VerifierFault = (typeof verifierFaults)[number]

const delayMillis = 60_000
const dayMillis = 24 * 60 * 60 * 1000

export const faultyVerifier = (fault?: VerifierFault) => {
  let begun = 0
  let links = 0
  const since = new Map<string, number>()
  const firstAt = (key: string, now: number): number => {
    const at = since.get(key) ?? now
    since.set(key, at)
    return at
  }

  /** Accounts of an odd number take a minute. */
  const verifyBeneficiary = ({
    accountId = "creation",
    accountInfo,
  }: Parameters<Verifier["Service"]["verifyBeneficiary"]>[0]) =>
    Effect.map(Clock.currentTimeMillis, (now): BeneficiaryResult => {
      const key = `${accountId} ${accountInfo["accountNumber"]}`
      if (!since.has(key) || fault === "begins a check for each question") begun += 1
      const at = firstAt(key, now)
      const isSlow = Number(accountInfo["accountNumber"]) % 2 === 1
      if (isSlow && now < at + delayMillis) {
        return { _tag: "Later", at: fault === "names times by the system's clock" ? Date.now() : at + delayMillis }
      }
      const isOther = fault === "changes a match after a day" && now >= at + dayMillis
      return { _tag: "Result", status: isOther ? "NOT_MATCHED" : "MATCHED" }
    })

  const checkPerson = Effect.fnUntraced(function* (key: string, identifier: Redacted.Redacted | undefined) {
    const number = identifier === undefined ? "" : Redacted.value(identifier)
    yield* Effect.logInfo("check", fault === "logs identification numbers" ? number : identifier)
    if (fault === "throws") return yield* Effect.die(new Error("no connection"))
    if (fault === "invents a status") return "FINE" as "APPROVED"
    const now = yield* Clock.currentTimeMillis
    const isOther = fault === "changes a decision about a person" && now >= firstAt(key, now) + dayMillis
    return isOther ? "REJECTED" : "APPROVED"
  })

  const stranger = "Customer:stranger"
  const outcomeOf = (customerId: string, now: number): Omit<VerificationOutcome, "owners"> => {
    const about = fault === "names errors of strangers" ? stranger : customerId
    const errors = [
      { resourceId: about, type: "POOR_QUALITY_DOCUMENT" as const, reason: "The document cannot be read." },
    ]
    const isPoor = customerId.endsWith("1")
    if (isPoor) {
      return { status: "RESOLVE_ERRORS", errors: fault === "asks for corrections without a reason" ? [] : errors }
    }
    const isOther = fault === "changes a decided verification" && now >= firstAt(customerId, now) + dayMillis
    return {
      status: isOther ? "REJECTED" : "APPROVED",
      errors: fault === "names errors of an approved customer" ? errors : [],
    }
  }

  const layer = Layer.succeed(Verifier, {
    verifyBeneficiary,
    checkCustomer: ({ fullName = "", identifier }) => checkPerson(fullName, identifier),
    checkOwner: ({ identifier, ownerId }) => checkPerson(ownerId, identifier),
    verifyCustomer: ({ customerId, owners }) =>
      Effect.map(Clock.currentTimeMillis, (now): VerificationOutcome => {
        const ids = fault === "decides about strangers" ? [stranger] : owners.map(({ ownerId }) => ownerId)
        return { ...outcomeOf(customerId, now), owners: ids.map((ownerId) => ({ ownerId, kycStatus: "APPROVED" })) }
      }),
    kycLink: () =>
      Effect.map(Clock.currentTimeMillis, (now): KycLink => {
        links += fault === "repeats a link" ? 0 : 1
        const path = `/kyc/${links}`
        return {
          kycUrl: fault === "gives links without an address" ? path : `https://provider.example${path}`,
          expiresAt: (fault === "gives links by the system's clock" ? Date.now() : now) + 60 * 60 * 1000,
          provider: "OTHER",
        }
      }),
  })
  return { layer, begun: Effect.sync(() => begun) }
}
