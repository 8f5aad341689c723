/**
 * The limits of use: how often a secret may be guessed, a code may be sent and the service may be called.
 * Source: wire contract 5.12 (lockout, resets) and 11 (3, 11); D-335.
 */
import * as Table from "../../foundation/kit/Table.ts"

/** What is counted, for what, and how many are allowed within a window. */
export interface UseLimit {
  readonly counts: string
  /** What each count belongs to. */
  readonly per: string
  /** The largest number within the window; `null`: none unless the deployment sets one. */
  readonly count: number | null
  readonly windowSeconds: number
  /** `commit`: counted in the commit of the attempt. `process`: counted by each process. `both`: and added up in the store. */
  readonly kept: "commit" | "process" | "both"
  readonly message: string
}

const minute = 60
const day = 24 * 60 * minute

const rowsOf = <const Rows extends Record<string, UseLimit>>(rows: Rows): { readonly [K in keyof Rows]: UseLimit } =>
  rows

/** The keys are `details.reason` of a 429. A deployment can set other counts. */
export const UseLimits = Table.make(
  "UseLimits",
  rowsOf({
    CONTACT_CODE_CHECKS: {
      counts: "wrong codes that confirm a contact",
      per: "contact of a customer",
      count: 10,
      windowSeconds: day,
      kept: "commit",
      message: "Too many wrong codes today.",
    },
    ONE_TIME_CODE_CHECKS: {
      counts: "wrong one-time codes",
      per: "credential of a wallet",
      count: 10,
      windowSeconds: 15 * minute,
      kept: "commit",
      message: "Too many wrong codes for this credential.",
    },
    FACTOR_RESETS: {
      counts: "resets of a lost factor",
      per: "customer",
      count: 5,
      windowSeconds: day,
      kept: "commit",
      message: "Too many resets within a day.",
    },
    CODE_SENDS_TO_RECIPIENT: {
      counts: "codes that are sent",
      per: "e-mail address or telephone number, and platform",
      count: 50,
      windowSeconds: day,
      kept: "commit",
      message: "Too many codes were sent to this recipient today.",
    },
    CODE_SENDS_FOR_CUSTOMER: {
      counts: "codes that are sent",
      per: "customer",
      count: 100,
      windowSeconds: day,
      kept: "commit",
      message: "Too many codes were sent for this customer today.",
    },
    CODE_SENDS_TO_PREFIX: {
      counts: "codes that are sent by text message",
      per: "prefix of the telephone number, and platform",
      count: 5000,
      windowSeconds: day,
      kept: "commit",
      message: "Too many codes were sent to numbers of this prefix today.",
    },
    CODE_SENDS_OF_PLATFORM: {
      counts: "codes that are sent",
      per: "platform",
      count: 50_000,
      windowSeconds: day,
      kept: "commit",
      message: "The platform has sent too many codes today.",
    },
    CODE_PRICE_OF_PLATFORM: {
      counts: "the price of sent codes, in cents by the table of prices",
      per: "platform",
      count: 200_000,
      windowSeconds: day,
      kept: "commit",
      message: "The codes that the platform has sent today have reached their price limit.",
    },
    WRONG_CLIENT_SECRETS: {
      counts: "wrong client secrets",
      per: "client id and source",
      count: 20,
      windowSeconds: minute,
      kept: "both",
      message: "Too many wrong secrets for this client id.",
    },
    WRONG_DEVICE_CODES: {
      counts: "wrong device codes",
      per: "source",
      count: 20,
      windowSeconds: minute,
      kept: "both",
      message: "Too many wrong device codes.",
    },
    WRONG_INVITATION_CODES: {
      counts: "unknown codes of invitations",
      per: "platform",
      count: 20,
      windowSeconds: minute,
      kept: "both",
      message: "Too many unknown codes of invitations.",
    },
    WRONG_CREDENTIALS: {
      counts: "wrong client secrets, agent tokens and device codes",
      per: "source",
      count: 200,
      windowSeconds: minute,
      kept: "both",
      message: "Too many wrong credentials.",
    },
    READS: {
      counts: "GET requests",
      per: "API token or agent",
      count: null,
      windowSeconds: minute,
      kept: "process",
      message: "Too many reads.",
    },
    WRITES: {
      counts: "other requests",
      per: "API token or agent",
      count: null,
      windowSeconds: minute,
      kept: "process",
      message: "Too many writes.",
    },
    READS_OF_PLATFORM: {
      counts: "GET requests",
      per: "platform with its agents",
      count: null,
      windowSeconds: minute,
      kept: "process",
      message: "Too many reads of this platform.",
    },
    WRITES_OF_PLATFORM: {
      counts: "other requests",
      per: "platform with its agents",
      count: null,
      windowSeconds: minute,
      kept: "process",
      message: "Too many writes of this platform.",
    },
  }),
)
/** The name of a limit of use: `details.reason` of a 429. */
export type UseLimitName = (typeof UseLimits.keys)[number]

/** Limits that the interface fixes. */
type FixedLimit = "ONE_TIME_CODE_CHECKS" | "FACTOR_RESETS"

/** The counts of a deployment, in place of those of the table. */
export type UseLimitCounts = { readonly [Name in Exclude<UseLimitName, FixedLimit>]?: number }

/** Returns the largest number within a window; `undefined`: none. */
export const countOf = (name: UseLimitName, counts: Partial<Record<UseLimitName, number>>): number | undefined =>
  counts[name] ?? UseLimits.get(name).count ?? undefined
