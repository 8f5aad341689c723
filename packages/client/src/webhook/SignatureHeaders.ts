/**
 * Reads the signatures of a webhook from its headers. Input of any shape gives a refusal, never an exception.
 * Source: wire contract 6.2 (the specified header); https://www.standardwebhooks.com; D-331.
 */
import { Result } from "effect"
import { Base64, Hex } from "effect/encoding"
import { WebhookRefused } from "./WebhookRefused.ts"

/** Limits of what is read: a rotation needs two entries. */
const headerLengthMax = 8192
const entriesMax = 8

export const parseJson = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns the DER signature of the specified header as hex. The JSON form is the default of the service, the plain form a choice of a deployment. */
export const specifiedSignature = (header: string | null | undefined): Result.Result<string, WebhookRefused> => {
  const text = header?.trim() ?? ""
  const { s, v } = text.startsWith("{") ? (parseJson(text) ?? {}) : { s: text, v: "1" }
  const bytes = v === "1" && typeof s === "string" && s !== "" ? Result.getOrUndefined(Base64.decode(s)) : undefined
  return bytes === undefined
    ? Result.fail(new WebhookRefused("INVALID_SIGNATURE_HEADER"))
    : Result.succeed(Hex.encode(bytes))
}

/** A named signature: by the id of its key, or by the version of its scheme. */
export interface NamedSignature {
  readonly name: string
  readonly signature: Uint8Array
}

/** Returns the entries `name,base64` of a header, which spaces separate. */
export const namedSignatures = (
  header: string | null | undefined,
): Result.Result<ReadonlyArray<NamedSignature>, WebhookRefused> => {
  const text = header ?? ""
  const entries = text.length > headerLengthMax ? [] : text.split(" ").filter((entry) => entry !== "")
  const found = entries.slice(0, entriesMax).flatMap((entry) => {
    const comma = entry.indexOf(",")
    const signature = Result.getOrUndefined(Base64.decode(entry.slice(comma + 1)))
    return comma < 1 || signature === undefined || signature.length === 0
      ? []
      : [{ name: entry.slice(0, comma), signature }]
  })
  return found.length === 0 ? Result.fail(new WebhookRefused("INVALID_SIGNATURE_HEADER")) : Result.succeed(found)
}

/** What the signatures of an attempt cover beside the body. */
export interface Attempt {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
}

/** Returns the id and the time of an attempt. */
export const attemptOf = (
  id: string | null | undefined,
  timestamp: string | null | undefined,
): Result.Result<Attempt, WebhookRefused> =>
  id !== null && id !== undefined && /^[\x21-\x7e]{1,255}$/u.test(id) && /^[1-9]\d{0,11}$/u.test(timestamp ?? "")
    ? Result.succeed({ id, timestamp: Number(timestamp) })
    : Result.fail(new WebhookRefused("INVALID_TIMESTAMP"))

/** Returns the signed bytes of an attempt: `id.timestamp.body`. */
export const attemptBytes = ({ id, timestamp }: Attempt, body: Uint8Array): Uint8Array => {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}
