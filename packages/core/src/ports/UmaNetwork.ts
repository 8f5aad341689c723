/**
 * The UMA network: resolves addresses to receivers and lists the providers. Read-only. The default has no network. Payments go
 * through `Rails`, to an account of type `UMA_ADDRESS`.
 * Source: wire contract 5.10 and 8.2; D-250, D-251.
 */
import { Context, Effect } from "effect"
import type { ErrorCode } from "../foundation/errors/ErrorCodes.ts"

import type { CurrencyCode } from "../foundation/money/Currencies.ts"

import type { CustomerInfoFieldName } from "../model/platform/PlatformSetting.ts"
import type { UmaReceiver } from "../model/receiver/FoundReceiver.ts"

/** A failure of the counterparty; clients receive the message. */
export interface UmaTrouble {
  readonly _tag: "Trouble"
  readonly code: Extract<
    ErrorCode,
    | "UNSUPPORTED_UMA_VERSION"
    | "LNURLP_REQUEST_FAILED"
    | "NO_COMPATIBLE_UMA_VERSION"
    | "COUNTERPARTY_PUBKEY_FETCH_ERROR"
    | "PARSE_LNURLP_RESPONSE_ERROR"
    | "SENDER_NOT_ACCEPTED"
    | "LOOKUP_REQUEST_FAILED"
    | "NOT_IMPLEMENTED"
  >
  readonly message: string
}

/** The receiver behind an address, that the address has no receiver, or what the counterparty's server did wrong. */
export type UmaAnswer =
  | { readonly _tag: "Found"; readonly receiver: UmaReceiver }
  | { readonly _tag: "NotFound" }
  | UmaTrouble

/** A provider of UMA addresses under a domain. */
export interface UmaProvider {
  readonly name: string
  readonly domain: string
  readonly logoUrl?: string
  readonly lei?: string
  /** ISO 3166-1 alpha-2. */
  readonly regions: ReadonlyArray<string>
  readonly currencies: ReadonlyArray<CurrencyCode>
  /** Whether payments to it are allowed. */
  readonly isAllowed: boolean
}

/** The information that the network needs of the parties of payments in a currency. */
export interface UmaRequirements {
  readonly currency: CurrencyCode
  /** Of the platform's own customer. */
  readonly customer: ReadonlyArray<UmaInformation>
  /** Of the other side. */
  readonly counterparty: ReadonlyArray<UmaInformation>
}
/** A name of information about a customer, such as `FULL_NAME`. */
export type UmaInformation = typeof CustomerInfoFieldName.Type

export const UmaNetwork = Context.Reference<{
  /** Resolves an address. `sender` is the UMA address of the paying customer, if it has one. */
  readonly find: (address: string, sender: string | undefined) => Effect.Effect<UmaAnswer>
  readonly providers: Effect.Effect<ReadonlyArray<UmaProvider>>
  /** Absent: the network needs nothing that platforms could tell in advance. */
  readonly requirements?: Effect.Effect<ReadonlyArray<UmaRequirements>>
  /** The domain of a simulated network's scenario addresses. Absent: the network is real. */
  readonly scenarioDomain?: string
}>("@countersign/core/UmaNetwork", {
  defaultValue: () => ({
    find: () =>
      Effect.succeed({
        _tag: "Trouble",
        code: "NOT_IMPLEMENTED",
        message: "This deployment pays to no UMA addresses but those of the platform's own customers.",
      }),
    providers: Effect.succeed([]),
  }),
})
