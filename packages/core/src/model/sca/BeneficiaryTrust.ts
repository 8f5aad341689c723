/**
 * The trust of a customer in one of its external accounts: the open request that a confirmation answers, and the effect on the account.
 * Source: wire contract areas 1.3.2 and 1.3.3; D-381.
 */
import { Schema } from "effect"
import type { Refusal } from "../../foundation/errors/ServiceError.ts"
import type { RecordOf } from "../record/Record.ts"
import { ScaFactor } from "./ScaProfile.ts"

/** What a confirmation decides: to trust the account, or to end the trust. */
export const TrustPurpose = Schema.Literals(["BENEFICIARY_TRUST", "BENEFICIARY_UNTRUST"])
export type TrustPurpose = typeof TrustPurpose.Type

/** The stored request. The provider keeps the code. */
export const TrustRequest = Schema.Struct({
  purpose: TrustPurpose,
  expiresAt: Schema.Int,
  /** Absent: the provider issued none, so that the confirmation needs no proof. */
  challenge: Schema.optionalKey(Schema.Struct({ id: Schema.String, factor: ScaFactor })),
})
export type TrustRequest = typeof TrustRequest.Type

/** The fields of an external account that hold its trust. Only an active account of a customer has them. */
export const trustFields = {
  /** Whether payments of its owner to the account need no challenge of their own. */
  isTrusted: Schema.optionalKey(Schema.Literal(true)),
  /** The open request. A new one replaces it. */
  trustRequest: Schema.optionalKey(TrustRequest),
}

interface Trusting {
  readonly isTrusted?: true
  readonly trustRequest?: TrustRequest
}

/** Returns the account without its trust and its open request. */
export const withoutTrust = <A extends Trusting>({ isTrusted: _isTrusted, trustRequest: _request, ...account }: A) =>
  account

/** Returns the account after a confirmed request. */
export const withTrust = <A extends Trusting>(account: A, purpose: TrustPurpose) => ({
  ...withoutTrust(account),
  ...(purpose === "BENEFICIARY_TRUST" ? { isTrusted: true as const } : {}),
})

/** Whether the account already is what a request of this purpose would make it. */
export const isAlready = ({ isTrusted = false }: { readonly isTrusted?: boolean }, purpose: TrustPurpose): boolean =>
  isTrusted === (purpose === "BENEFICIARY_TRUST")

/** Whether a payment of this customer to the account needs no challenge of its own. */
export const isTrustedBy = (
  account: RecordOf<"ExternalAccount", Trusting> | undefined,
  customerId: string | undefined,
): boolean => account?.data.isTrusted === true && account.customerId === customerId

/** Refuses the deletion of a trusted account. Source: wire contract areas 1.3.5. */
export const trustedRefusal = ({ isTrusted }: Trusting): Refusal | undefined =>
  isTrusted === true
    ? { code: "BENEFICIARY_TRUSTED", message: "The customer trusts this account: end the trust first." }
    : undefined
