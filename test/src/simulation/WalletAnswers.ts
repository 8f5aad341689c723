/** What the service has answered to the clients of a simulated run about the embedded wallet: its credentials, sessions and signed requests. */
import type { CredentialType } from "@countersign/core/models"
import type { OidcPerson, PasskeyDevice } from "@countersign/test"
import type { NodeKeys } from "../flows/NodeHpke.ts"
import type { AcceptedChange } from "./AcceptedChange.ts"

export interface RegisteredCredential {
  readonly type: CredentialType
  readonly passkey?: PasskeyDevice
  readonly person?: OidcPerson
}

export interface IssuedSession {
  readonly credentialId: string
  /** `undefined`: nobody has the key, because the answer that contained it was lost. */
  keys: NodeKeys | undefined
  expiresAtMillis: number
  isRevoked: boolean
}

/** A first call that waits for its signature. */
export interface PendingCall {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly requestId: string
  readonly payload: string
  readonly expiresAtMillis: number
}

/** What a client records once a signed request was accepted. `body`: `undefined` if the answer was lost. */
export type OnAccepted = (
  body: { readonly [name: string]: unknown } | undefined,
  change: AcceptedChange,
) => void | Promise<void>

export interface AbandonedCall {
  readonly pending: PendingCall
  /** The keys that sign it at that time. */
  readonly signer: () => NodeKeys | undefined
  readonly onAccepted: OnAccepted
}

export interface SpentCall {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly headers: { readonly [name: string]: string }
}

export interface PrivacyChange extends AcceptedChange {
  readonly isPrivate: boolean
}

export const contactFields = ["email", "phoneNumber"] as const

/** A change of the customer's address or number. */
export interface ContactChange extends AcceptedChange {
  readonly field: (typeof contactFields)[number]
  readonly value: string
  /** Whether its answer was lost, so that it may not have happened. */
  readonly isPossible: boolean
}

export interface WalletAnswers {
  /** All that were accepted, by id. */
  readonly credentials: Map<string, RegisteredCredential>
  readonly deleted: Set<string>
  readonly sessions: Map<string, IssuedSession>
  /** The credential of each sign-in whose answer was lost. */
  readonly unknownSignIns: Array<string>
  readonly abandoned: Array<AbandonedCall>
  readonly spent: Array<SpentCall>
  /** How often each request id was accepted. */
  readonly accepted: Map<string, number>
  readonly privacy: Array<PrivacyChange>
  readonly contacts: Array<ContactChange>
  /** The words of all exports. */
  readonly words: Set<string>
}

export const noWalletAnswers = (): WalletAnswers => ({
  credentials: new Map(),
  deleted: new Set(),
  sessions: new Map(),
  unknownSignIns: [],
  abandoned: [],
  spent: [],
  accepted: new Map(),
  privacy: [],
  contacts: [],
  words: new Set(),
})
