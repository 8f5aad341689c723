/** Records a tape: what goes out, what comes back, and which of the former the service had told before. */
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

/** What the service makes has digits in it and some length; names of states have not. */
const looksMade = (text: string) => text.length >= 6 && /\d/u.test(text)

/** Headers that a tape keeps; of the others the sender makes its own. */
const kept = ["idempotency-key", "request-id"]

export const recorder = (): Recorder => {
  const steps: Array<TapeStep> = []
  const made = new Map<string, string>()
  const given = new Set<string>()

  const bind = (text: string): string => {
    const known = made.get(text)
    if (known === undefined) given.add(text)
    return known ?? text
  }
  const bindPath = (path: string): string => {
    const [place = "", query] = path.split("?")
    const bound = place
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
    const known = made.get(token)
    // A token that no answer told stays off the tape.
    return known === undefined ? "nobody" : { token: known }
  }

  return {
    call: ({ body, headers, method, path }, answer) => {
      const step = steps.length
      const sent = body === undefined ? {} : { body: mapTexts(body, bind) }
      const of = kept.flatMap((name) => {
        const value = headers.get(name)
        return value === null ? [] : [[name, bind(value)] as const]
      })
      steps.push({
        _tag: "Call",
        method,
        path: bindPath(path),
        as: sender(headers),
        headers: Object.fromEntries(of),
        ...sent,
        answer: answer.body === undefined ? { status: answer.status } : { status: answer.status, body: answer.body },
      })
      for (const [at, text] of texts(answer.body)) {
        if (looksMade(text) && !given.has(text) && !made.has(text)) made.set(text, refer(step, at))
      }
    },
    advance: (millis) => void steps.push({ _tag: "Advance", millis }),
    tape: () => ({ format: "countersign tape 1", steps: [...steps] }),
  }
}
