/** Records a tape: requests and responses, with references in place of values that the service generated. */
import { mapTexts, refer, texts } from "./References.ts"
import type { Json, Tape, TapeSender, TapeStep } from "./Tape.ts"

export interface Recorder {
  readonly call: (request: RecordedRequest, answer: RecordedAnswer) => void
  readonly advance: (millis: number) => void
  readonly tape: () => Tape
}

interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Json | undefined
}

interface RecordedAnswer {
  readonly status: number
  readonly body: Json | undefined
}

/** Whether a text looks generated: it has digits and six characters or more, which names of states do not have. */
const looksGenerated = (text: string) => text.length >= 6 && /\d/u.test(text)

/** The recorded headers; a replay sends its own for all others. */
const recordedHeaders = ["idempotency-key", "request-id"]

export const recorder = (): Recorder => {
  const steps: Array<TapeStep> = []
  const references = new Map<string, string>()
  const inputs = new Set<string>()

  const bind = (text: string): string => {
    const reference = references.get(text)
    if (reference === undefined) inputs.add(text)
    return reference ?? text
  }
  const bindPath = (path: string): string => {
    const [location = "", query] = path.split("?")
    const bound = location
      .split("/")
      .map((segment) => bind(decodeURIComponent(segment)))
      .join("/")
    if (query === undefined) return bound
    const values = [...new URLSearchParams(query)].map(([name, value]) => `${name}=${bind(value)}`)
    return `${bound}?${values.join("&")}`
  }
  const sender = (headers: Headers): TapeSender => {
    const authorization = headers.get("authorization")
    if (authorization === null) return "nobody"
    if (authorization.startsWith("Basic ")) return "platform"
    const token = authorization.replace(/^Bearer /iu, "")
    const reference = references.get(token)
    // A token that no response contained is not recorded.
    return reference === undefined ? "nobody" : { token: reference }
  }

  return {
    call: ({ body, headers, method, path }, answer) => {
      const step = steps.length
      const sent = body === undefined ? {} : { body: mapTexts(body, bind) }
      const recorded = recordedHeaders.flatMap((name) => {
        const value = headers.get(name)
        return value === null ? [] : [[name, bind(value)] as const]
      })
      steps.push({
        _tag: "Call",
        method,
        path: bindPath(path),
        as: sender(headers),
        headers: Object.fromEntries(recorded),
        ...sent,
        answer: answer.body === undefined ? { status: answer.status } : { status: answer.status, body: answer.body },
      })
      for (const [at, text] of texts(answer.body)) {
        if (looksGenerated(text) && !inputs.has(text) && !references.has(text)) references.set(text, refer(step, at))
      }
    },
    advance: (millis) => void steps.push({ _tag: "Advance", millis }),
    tape: () => ({ format: "countersign tape 1", steps: [...steps] }),
  }
}
