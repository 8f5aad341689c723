/**
 * A kept request as a recorder would have seen it. In place of each mask is a marker with the digest of the text that the mask hides.
 * Source: D-479.
 */
import { type Json, maskedText, parseJson, type RecordedRequest } from "@countersign/client/tape"
import type { KeptRequest } from "@countersign/core/ports"

export interface JournalCall {
  readonly kept: KeptRequest
  readonly request: RecordedRequest
  readonly answer: { readonly status: number; readonly body?: Json; readonly isBodyUnknown?: boolean }
  /** Why no program can repeat it. */
  readonly gap: string | undefined
}

type Digests = Readonly<Record<string, string>>

/** No text of JSON that a person writes begins with it. */
const markerBegin = "\u0001"
export const isMarker = (text: string): boolean => text.startsWith(markerBegin)
/** The place of a marker is its name; the digest, if it is known, identifies the text. */
const marker = (at: string, digests: Digests): string => `${markerBegin}${digests[at] ?? ""}${markerBegin}${at}`
export const markerParts = (text: string): { readonly digest: string; readonly at: string } => {
  const [, digest = "", at = ""] = text.split(markerBegin)
  return { digest, at }
}

const withMarkers = (value: Json, digests: Digests, at: string): Json => {
  if (typeof value === "string") return value.includes(maskedText) ? marker(at, digests) : value
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((inside, index) => withMarkers(inside, digests, `${at}.${index}`))
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, withMarkers(inside, digests, `${at}.${name}`)]),
  )
}

/** The markers of masked path segments, in their order: a path does not say the names of its parameters. */
const pathWithMarkers = (path: string, digests: Digests, members: ReadonlyArray<string>): string => {
  const [location = "", ...query] = path.split("?")
  const names = [...members.filter((name) => name.startsWith("path."))]
  const segments = location
    .split("/")
    .map((segment) =>
      segment.includes(maskedText) ? encodeURIComponent(marker(names.shift() ?? "path", digests)) : segment,
    )
  if (query.length === 0) return segments.join("/")
  const pairs = query
    .join("?")
    .split("&")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=")
      return value.join("=").includes(maskedText)
        ? `${name}=${encodeURIComponent(marker(`query.${name}`, digests))}`
        : pair
    })
  return `${segments.join("/")}?${pairs.join("&")}`
}

const headersOf = (headers: Readonly<Record<string, string>>, digests: Digests): Headers => {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    // A marker is no header's value, so it is encoded.
    sent.set(name, value.includes(maskedText) ? encodeURIComponent(marker(`header.${name}`, digests)) : value)
  }
  return sent
}

const jsonOf = (text: string | undefined, isCut: boolean | undefined): Json | undefined =>
  text === undefined || isCut === true ? undefined : parseJson(text)

const gapOf = ({ request: { notSendable, operation, requestBody } }: KeptRequest): string | undefined => {
  if (notSendable?.reason === "UPLOAD") return `${operation} uploaded a file, which the journal does not keep`
  if (notSendable?.reason === "STREAM") return `${operation} opened a stream`
  if (requestBody !== undefined && (requestBody.text === undefined || requestBody.isCut)) {
    return `the journal has not kept the whole body of ${operation}`
  }
  return notSendable?.reason === "CUT" ? `the journal has not kept the whole request of ${operation}` : undefined
}

export const journalCall = (kept: KeptRequest): JournalCall => {
  const { method, notSendable, path, requestBody, requestHeaders, responseBody, status } = kept.request
  const { received, sent } = kept.digests
  const body = jsonOf(requestBody?.text, requestBody?.isCut)
  const answered = jsonOf(responseBody?.text, responseBody?.isCut)
  const isBodyUnknown = responseBody !== undefined && answered === undefined
  return {
    kept,
    request: {
      method,
      path: pathWithMarkers(path, sent, notSendable?.members ?? []),
      isOutside: false,
      headers: headersOf(requestHeaders, sent),
      content: body === undefined ? {} : { body: withMarkers(body, sent, "body") },
    },
    answer: {
      status,
      ...(answered === undefined ? {} : { body: withMarkers(answered, received, "body") }),
      ...(isBodyUnknown ? { isBodyUnknown } : {}),
    },
    gap: gapOf(kept),
  }
}
