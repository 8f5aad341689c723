/**
 * The limits of a server's connections and requests: what one client, one tenant and all together may use, with defaults.
 * Source: D-315. Options of `startNodeServer`, `makeWebHandler` and `embed`, and `--limit NAME=NUMBER` of `countersign serve`.
 */

interface Limit {
  readonly byDefault: number
  readonly meaning: string
}

/** The rows of the table in the guide for operations. */
export const serverLimits = {
  connectionsMax: {
    byDefault: 10_000,
    meaning: "Open connections. A new one takes the place of the longest idle one; if none is idle, it gets a 503",
  },
  connectionsPerAddressMax: {
    byDefault: 1_000,
    meaning: "Open connections of one address, or of one /64 network of IPv6. Trusted proxies are exempt",
  },
  pipelinedRequestsMax: {
    byDefault: 16,
    meaning: "Unanswered requests of one connection. The next one gets a 503 and ends the connection",
  },
  requestsInFlightMax: {
    byDefault: 1_024,
    meaning:
      "Requests that the process handles at once, and as many that wait for a turn. More get a 503. Waiting for a client's body does not count",
  },
  requestsInFlightPerTenantMax: {
    byDefault: 256,
    meaning: "The same for one platform with all its agents, and, before the credential is known, for one address",
  },
  headerBytesMax: { byDefault: 16_384, meaning: "Size of a request's line and headers, and of its trailers" },
  headersMax: { byDefault: 100, meaning: "Header lines of a request" },
  headersTimeoutMillis: { byDefault: 15_000, meaning: "Time for a client to send its headers" },
  requestTimeoutMillis: { byDefault: 60_000, meaning: "Time for a client to send its whole request" },
  bodyGraceMillis: { byDefault: 5_000, meaning: "Time after which a body must have arrived at the minimum rate" },
  bodyBytesPerSecondMin: { byDefault: 240, meaning: "Minimum rate of a body, on average since its start" },
  bodyBytesMax: {
    byDefault: 268_435_456,
    meaning: "Bytes of all bodies that are incomplete. Beyond it the longest waiting one is cut",
  },
  stallTimeoutMillis: {
    byDefault: 30_000,
    meaning: "Time without progress after which a response that its client does not read is cut",
  },
  unsentBytesMax: {
    byDefault: 67_108_864,
    meaning: "Bytes of all responses that their clients have not read. Beyond it the longest waiting one is cut",
  },
  changeStreamsMax: {
    byDefault: 1_024,
    meaning: "Streams of changes (`GET /operator/changes`) that are open at once. More get a 429",
  },
  changeStreamsPerTenantMax: { byDefault: 64, meaning: "The same for one platform" },
  keepAliveTimeoutMillis: { byDefault: 65_000, meaning: "Time that an idle connection stays open" },
} as const satisfies Readonly<Record<string, Limit>>

/** A key of `serverLimits`; its ending names the unit: a count (`Max`), bytes or milliseconds. */
export type LimitName = keyof typeof serverLimits

export type ServerLimits = { readonly [Name in LimitName]: number }

/** Each of them has a default. */
export type ServerLimitOptions = { readonly [Name in LimitName]?: number | undefined }

const names = Object.keys(serverLimits) as ReadonlyArray<LimitName>

const isLimitName = (name: string): name is LimitName => Object.hasOwn(serverLimits, name)

/** Limits are positive integers; the longest timer is about 24 days. */
const isLimit = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 2_147_483_647

/** Returns the names of limits whose values are not positive integers. */
const invalidLimits = (options: ServerLimitOptions): ReadonlyArray<LimitName> =>
  names.filter((name) => options[name] !== undefined && !isLimit(options[name]))

/** Returns all limits. Throws if one is not a positive integer. */
export const limitsOf = (options: ServerLimitOptions = {}): ServerLimits => {
  const [invalid] = invalidLimits(options)
  if (invalid !== undefined) throw new Error(`${invalid} must be a positive integer`)
  return Object.fromEntries(names.map((name) => [name, options[name] ?? serverLimits[name].byDefault])) as ServerLimits
}

/** The limits that a listener on a server of your own applies. The others are the server's. */
export type ListenerLimitOptions = Pick<
  ServerLimitOptions,
  | "bodyBytesMax"
  | "requestsInFlightMax"
  | "requestsInFlightPerTenantMax"
  | "changeStreamsMax"
  | "changeStreamsPerTenantMax"
>

/** Parses `NAME=NUMBER`; `undefined` if it is not a limit. */
export const parseLimit = (text: string): ServerLimitOptions | undefined => {
  const [, name = "", digits = ""] = /^(\w+)=(\d{1,10})$/u.exec(text) ?? []
  return isLimitName(name) && isLimit(Number(digits)) ? { [name]: Number(digits) } : undefined
}
