/**
 * A console session: an approver who is signed in with a platform's credentials. It ends at its expiry, after an idle time, by a sign-out,
 * and with its API token.
 * Source: D-352.
 */
import { Schema } from "effect"
import { ApproverProof } from "./Approver.ts"

/** The open challenge of a vote that the approver's passkey signs. A new one replaces it, and it is answered once. Source: D-532. */
const StepUp = Schema.Struct({
  actionId: Schema.String,
  digest: Schema.String,
  challenge: Schema.String,
  /** Unix milliseconds. */
  expiresAt: Schema.Int,
})
export type StepUp = typeof StepUp.Type

/** `CHALLENGED`: waiting for the approver's passkey. */
const ConsoleSessionStatus = Schema.Literals(["CHALLENGED", "ACTIVE", "ENDED"])

export const ConsoleSession = Schema.Struct({
  status: ConsoleSessionStatus,
  /** The API token that signed in. Its permissions bound those of the session. */
  tokenId: Schema.String,
  clientId: Schema.String,
  approverName: Schema.String,
  /** Absent before the first sign-in of an approver is complete. */
  approverId: Schema.optionalKey(Schema.String),
  proof: ApproverProof,
  /** The challenge for the passkey, and the origin of the page that asked for it; each is used once. */
  challenge: Schema.optionalKey(Schema.String),
  origin: Schema.String,
  /** The hash of the session's secret, while the session is active. */
  secretHash: Schema.optionalKey(Schema.String),
  /** Unix milliseconds. */
  expiresAt: Schema.Int,
  /** When the approver last did something, in Unix milliseconds. */
  activeAt: Schema.Int,
  stepUp: Schema.optionalKey(StepUp),
})
export type ConsoleSession = typeof ConsoleSession.Type

const minute = 60_000
/** The lifetime of a session. */
export const sessionMillis = 8 * 60 * minute
/** How long a session lasts in which the approver does nothing. */
const idleMillis = 15 * minute
/** The time in which the passkey must be shown. */
export const challengeMillis = 5 * minute
/** Activity is stored at most this often. */
export const activityMillis = minute

/** When the session ends unless the approver does something. */
const endOf = ({ activeAt, expiresAt }: ConsoleSession): number => Math.min(expiresAt, activeAt + idleMillis)

export const isActive = (session: ConsoleSession, now: number): boolean =>
  session.status === "ACTIVE" && now < endOf(session)

/** A session as the page shows it. */
export const ConsoleSessionResource = Schema.Struct({
  clientId: Schema.String,
  approver: Schema.String,
  proof: ApproverProof,
  expiresAt: Schema.Int,
  idleMillis: Schema.Int,
})
export type ConsoleSessionResource = typeof ConsoleSessionResource.Type

/** Returns the session as the console shows it, with its idle time in milliseconds. */
export const toConsoleSession = ({
  approverName,
  clientId,
  expiresAt,
  proof,
}: ConsoleSession): ConsoleSessionResource => ({ clientId, approver: approverName, proof, expiresAt, idleMillis })

/** What the browser needs to register or to use a passkey. The challenge is text, whose bytes go into WebAuthn. */
export interface ConsoleChallenge {
  readonly sessionId: string
  readonly challenge: string
  readonly approver: string
  /** Absent: the approver registers a passkey. */
  readonly credentialId?: string
}
