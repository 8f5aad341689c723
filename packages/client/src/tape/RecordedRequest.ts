/** A request as a recorder sees it: its path, the headers that its sender chose, and its whole body. */
import { Base64 } from "effect/encoding"
import type { Json, TapePart } from "./Tape.ts"

/** The body of a request: JSON, a form, or another text. */
export interface RecordedContent {
  readonly body?: Json
  readonly text?: string
  readonly form?: ReadonlyArray<TapePart>
}

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly isOutside: boolean
  readonly headers: Headers
  readonly content: RecordedContent
}

/** Headers of the transport, of tracing, and those that a replay sets itself. */
const ownHeaders =
  /^(?:authorization|accept|accept-encoding|accept-language|connection|content-length|content-type|cookie|expect|host|keep-alive|origin|referer|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|traceparent|tracestate|b3|x-b3-.*|x-forwarded-.*)$/iu

/** The headers that a replay must send. The type of a body is among them if it is neither JSON nor a form. */
export const recordedHeaders = ({ content, headers }: RecordedRequest): ReadonlyArray<readonly [string, string]> => {
  const type = headers.get("content-type")
  return [
    ...[...headers].filter(([name]) => !ownHeaders.test(name)),
    ...(content.text === undefined || type === null ? [] : [["content-type", type] as const]),
  ]
}

/** Parses JSON; `undefined` if the text is empty or is not JSON. */
export const parseJson = (text: string): Json | undefined => {
  try {
    return text === "" ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

const partOf = async ([name, value]: readonly [string, File | string]): Promise<TapePart> => {
  if (typeof value === "string") return { name, value }
  const base64 = Base64.encode(new Uint8Array(await value.arrayBuffer()))
  return { name, fileName: value.name, type: value.type, base64 }
}

/** Reads the body of a copy of a request. */
export const contentOf = async (request: Request): Promise<RecordedContent> => {
  const type = request.headers.get("content-type") ?? ""
  if (/^multipart\/form-data/iu.test(type)) {
    const form = await request
      .clone()
      .formData()
      .catch(() => undefined)
    if (form !== undefined) return { form: await Promise.all([...form].map(partOf)) }
  }
  const text = await request.text()
  const body = /^application\/json/iu.test(type) ? parseJson(text) : undefined
  if (body !== undefined) return { body }
  return text === "" ? {} : { text }
}
