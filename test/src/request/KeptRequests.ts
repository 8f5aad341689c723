/** Kept requests with only what a test gives them. */
import type { RequestHistory } from "@countersign/core"
import type { RequestDetail } from "@countersign/core/models"
import type { KeptRequest, MaskedDigests } from "@countersign/core/ports"

export const uuid = (n: number): string => `01a1fdfa-4600-740d-9f0d-${n.toString(16).padStart(12, "0")}`
export const noon = "2026-11-21T12:00:00Z"
export const secondsAfter = (seconds: number): string => new Date(Date.parse(noon) + seconds * 1000).toISOString()

export const body = (value: unknown, changes: Partial<NonNullable<RequestDetail["requestBody"]>> = {}) => {
  const text = JSON.stringify(value)
  return { bytes: text.length, text, isCut: false, masked: [], ...changes }
}

export interface Sample extends Partial<RequestDetail> {
  readonly digests?: Partial<MaskedDigests>
}

export const kept = (number: number, { digests, ...changes }: Sample = {}): KeptRequest => ({
  number,
  digests: { sent: {}, received: {}, ...digests },
  request: {
    id: `Request:${number}`,
    receivedAt: noon,
    at: noon,
    method: "GET",
    path: "/x",
    operation: "any",
    caller: { kind: "API_TOKEN", id: "ApiToken:own" },
    status: 200,
    durationMillis: 0,
    isReplay: false,
    requestHeaders: {},
    responseHeaders: {},
    rules: [],
    commits: [],
    ...changes,
  },
})

/** A journal that knows a text by its length and letters, and the platform's own token. */
export const history = (...samples: ReadonlyArray<Sample>): RequestHistory => ({
  entries: samples.map((sample, index) => kept(index + 1, sample)),
  digestOf: (text) => `digest of ${text}`,
  configuredTokens: new Set(["ApiToken:own"]),
})

export const digest = (text: string): string => `digest of ${text}`

export const customer = `Customer:${uuid(1)}`
/** The creation of that customer. */
export const created: Sample = { method: "POST", path: "/customers", status: 201, responseBody: body({ id: customer }) }
