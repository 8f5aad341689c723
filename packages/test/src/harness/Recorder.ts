/**
 * Records a tape: requests and responses, with references in place of values that the service generated.
 * Source: D-233, D-449.
 */
import {
  bindOneOff,
  type Json,
  type RecordedRequest,
  References,
  recordedHeaders,
  senderOf,
  type Tape,
  type TapeCall,
  type TapePart,
  type TapeStep,
} from "@countersign/client/tape"

export interface Recorder {
  readonly call: (request: RecordedRequest, answer: RecordedAnswer) => void
  readonly advance: (millis: number) => void
  /** Records that something happened which no request can repeat. */
  readonly gap: (reason: string) => void
  readonly tape: () => Tape
}

export interface RecordedAnswer {
  readonly status: number
  readonly body: Json | undefined
}

/** A value that a service generates has a digit and six characters or more, which names of states do not have; or its name says it. */
const looksGenerated = (path: string, text: string): boolean =>
  text.length >= 6 && (/\d/u.test(text) || /(?:^|\.)(?:id|code|token|secret|\w*(?:Id|Code|Token|Secret))$/u.test(path))

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Records after the steps of `origin`, which are those of the state that the run continues. */
export const recorder = (
  platform: { readonly clientId: string; readonly clientSecret: string },
  origin?: Tape,
): Recorder => {
  const steps: Array<TapeStep> = []
  const references = new Map<string, string>()
  const inputs = new Set<string>()
  const sealed = new Map<string, string>()
  const variables = new Map<string, string>()

  const find = (text: string): string | undefined => {
    const reference = references.get(text)
    if (reference === undefined) inputs.add(text)
    return reference
  }
  const isSealedCode = (text: string): boolean => [...sealed.values()].includes(text)
  const bind = (text: string): string => find(text) ?? (isSealedCode(text) ? text : References.literal(text))
  /** Binds a text of the path, which stays as it was encoded if the service did not generate it. */
  const bindEncoded = (text: string, plain: string): string => find(plain) ?? References.literal(text)
  const bindPath = (path: string): string => {
    const [location = "", ...query] = path.split("?")
    const bound = location.split("/").map((segment) => bindEncoded(segment, decoded(segment)))
    if (query.length === 0) return bound.join("/")
    const values = query
      .join("?")
      .split("&")
      .map((pair) => {
        const [name = "", ...value] = pair.split("=")
        if (value.length === 0) return References.literal(pair)
        const text = value.join("=")
        return `${References.literal(name)}=${bindEncoded(text, decoded(text.replaceAll("+", " ")))}`
      })
    return `${bound.join("/")}?${values.join("&")}`
  }
  const bindPart = (part: TapePart): TapePart => ("value" in part ? { ...part, value: bind(part.value) } : part)

  /** Learns which values the service generated. */
  const learn = (step: number, { answer }: TapeCall): void => {
    for (const [place, text] of References.texts(answer.body)) {
      const isGenerated = looksGenerated(answer.status < 400 ? place : "", text)
      if (isGenerated && !inputs.has(text) && !references.has(text)) references.set(text, References.refer(step, place))
    }
  }

  for (const [index, step] of (origin?.steps ?? []).entries()) {
    steps.push(step)
    if (step._tag !== "Call") continue
    for (const [, text] of References.texts(step.body)) inputs.add(text)
    learn(index, step)
  }

  return {
    call: (request, answer) => {
      const { headers, isOutside, method, path } = request
      const { status } = answer
      const { content, signatures } = bindOneOff({ request, isAccepted: status < 400, steps, sealed })
      const call: TapeCall = {
        _tag: "Call",
        method,
        path: bindPath(path),
        ...(isOutside ? { isOutside } : {}),
        as: senderOf(headers.get("authorization"), {
          referenceOf: (text) => references.get(text),
          platform,
          status,
          variables,
        }),
        headers: Object.fromEntries(
          recordedHeaders(request).map(([name, value]) => [name, signatures.get(name) ?? bind(value)]),
        ),
        ...(content.body === undefined ? {} : { body: References.mapTexts(content.body, bind) }),
        ...(content.text === undefined ? {} : { text: bind(content.text) }),
        ...(content.form === undefined ? {} : { form: content.form.map(bindPart) }),
        answer: answer.body === undefined ? { status } : { status, body: answer.body },
      }
      learn(steps.push(call) - 1, call)
    },
    advance: (millis) => {
      // Running the due jobs twice is running them once.
      if (millis > 0 || steps.at(-1)?._tag !== "Advance") steps.push({ _tag: "Advance", millis })
    },
    gap: (reason) => {
      const last = steps.at(-1)
      if (last?._tag !== "Gap" || last.reason !== reason) steps.push({ _tag: "Gap", reason })
    },
    tape: () => ({ format: "countersign tape 1", steps: [...steps] }),
  }
}
