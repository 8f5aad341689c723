/**
 * Binds the texts of kept requests to the answers that contained them before, also where both are masked, by their digests.
 * Source: D-233, D-479.
 */
import {
  bindOneOff,
  type Json,
  References,
  recordedHeaders,
  type TapeCall,
  type TapeSender,
  type TapeStep,
} from "@countersign/client/tape"
import type { RequestHistory } from "@countersign/core"
import { isMarker, type JournalCall, journalCall, markerParts } from "./JournalCall.ts"
import { type JournalVariables, journalVariables } from "./JournalVariables.ts"

/** A request bound to the answers of others. */
export interface BoundRequest extends JournalCall {
  readonly step: TapeStep
  /** The records and secrets that it names. */
  readonly names: ReadonlySet<string>
}

export interface Bound {
  readonly requests: ReadonlyArray<BoundRequest>
  readonly variables: JournalVariables
}

const id = /^([A-Z]\w*):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u
const timestamp = /^\d{4}-\d{2}-\d{2}T/u
const referableMin = 6
const secretMember = /(?:^|\.)clientSecret$/u

/** As `looksGenerated` of a recorder: a value that the service made. */
const looksGenerated = (place: string, text: string): boolean =>
  isMarker(text) ||
  (text.length >= referableMin &&
    (/\d/u.test(text) || /(?:^|\.)(?:id|code|token|secret|\w*(?:Id|Code|Token|Secret))$/u.test(place)))

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The key of a text that no mask hides anywhere. */
export const shownKey = (text: string): string => `shown ${text}`

/** Returns the same key for the same text, whether it is shown or masked. */
const keysBy = ({ digestOf, entries }: RequestHistory) => {
  const masked = new Set(
    entries.flatMap(({ digests: { credential, received, sent } }) => [
      ...Object.values(sent),
      ...Object.values(received),
      ...(credential === undefined ? [] : [credential]),
    ]),
  )
  const known = new Map<string, string>()
  const keyOfShown = (text: string): string => {
    const shown = shownKey(text)
    if (masked.size === 0 || text.length < referableMin || timestamp.test(text) || /\s/u.test(text)) return shown
    const digest = digestOf(text)
    return masked.has(digest) ? digest : shown
  }
  return (text: string): string => {
    if (isMarker(text)) return markerParts(text).digest === "" ? text : markerParts(text).digest
    const key = known.get(text) ?? keyOfShown(text)
    known.set(text, key)
    return key
  }
}

export const bindJournal = (history: RequestHistory): Bound => {
  const keyOf = keysBy(history)
  const variables = journalVariables()
  const references = new Map<string, { readonly step: number; readonly path: string }>()
  const inputs = new Set<string>()
  const sealed = new Map<string, string>()
  const credentials = new Map(history.entries.map(({ digests, request }) => [request.id, digests.credential]))
  const steps: Array<TapeStep> = []

  const isSealedCode = (text: string): boolean => [...sealed.values()].includes(text)

  const binder = (names: Set<string>) => {
    const bind = (text: string, at: string): string => {
      const key = keyOf(text)
      if (isMarker(text) || id.test(text)) names.add(key)
      const found = references.get(key)
      if (found !== undefined) return References.refer(found.step, found.path)
      const [, kind] = id.exec(text) ?? []
      if (isMarker(text)) {
        const place = markerParts(text).at
        const description = `\`${place}\`, which the journal has masked and no kept answer contained`
        return variables.refer(key, place.split(".").at(-1) ?? place, { reason: "MASKED", description })
      }
      if (kind !== undefined && at !== "header.idempotency-key") {
        const description = `${text}, which no kept answer contained before`
        return variables.refer(key, `${kind}Id`, { reason: "NOT_ANSWERED", description })
      }
      inputs.add(key)
      return isSealedCode(text) ? text : References.literal(text)
    }
    const bindEncoded = (text: string, plain: string, at: string): string => {
      const bound = bind(plain, at)
      return bound === References.literal(plain) ? References.literal(text) : bound
    }
    const bindPath = (path: string): string => {
      const [location = "", ...query] = path.split("?")
      const bound = location
        .split("/")
        .map((segment) => bindEncoded(segment, decoded(segment), "path"))
        .join("/")
      if (query.length === 0) return bound
      const pairs = query
        .join("?")
        .split("&")
        .map((pair) => {
          const [name = "", ...value] = pair.split("=")
          const text = value.join("=")
          if (value.length === 0) return References.literal(pair)
          return `${References.literal(name)}=${bindEncoded(text, decoded(text.replaceAll("+", " ")), "query")}`
        })
      return `${bound}?${pairs.join("&")}`
    }
    return { bind, bindPath }
  }

  const credentialOf = ({ id: own, sentAgainFrom }: JournalCall["kept"]["request"]): string | undefined => {
    const digest = credentials.get(own)
    if (digest !== undefined || sentAgainFrom === undefined) return digest
    const from = history.entries.find(({ request }) => request.id === sentAgainFrom)
    return from === undefined ? undefined : credentialOf(from.request)
  }
  const senderOf = (request: JournalCall["kept"]["request"], names: Set<string>): TapeSender => {
    const { caller } = request
    if (caller.kind === "NOBODY") return "nobody"
    // A person on the console acts for the platform.
    if (caller.kind === "APPROVER" || history.configuredTokens.has(caller.id ?? "")) return "platform"
    const found = references.get(credentialOf(request) ?? "")
    const who = `${caller.kind === "AGENT" ? "agent" : "API token"} ${caller.id ?? ""}`
    if (found !== undefined && caller.kind === "AGENT") {
      names.add(credentialOf(request) ?? "")
      return { token: References.refer(found.step, found.path) }
    }
    const clientId = found?.path.replace(/clientSecret$/u, "clientId") ?? ""
    const step = found === undefined ? undefined : steps[found.step]
    const hasId = step?._tag === "Call" && typeof References.at(step.answer.body, clientId) === "string"
    return found !== undefined && secretMember.test(found.path) && hasId
      ? { clientId: References.refer(found.step, clientId), clientSecret: References.refer(found.step, found.path) }
      : { variable: variables.header(caller.id ?? "", `the Authorization header of the ${who}`) }
  }

  /** Learns which values the service made. */
  const learn = (step: number, body: Json | undefined, status: number): void => {
    for (const [path, text] of References.texts(body)) {
      if (!looksGenerated(status < 400 ? path : "", text)) continue
      const key = keyOf(text)
      if (!inputs.has(key) && !references.has(key)) references.set(key, { step, path })
    }
  }

  const requests = history.entries.map((kept, index): BoundRequest => {
    const call = journalCall(kept)
    const names = new Set<string>()
    if (call.gap !== undefined) {
      const step: TapeStep = { _tag: "Gap", reason: call.gap }
      steps.push(step)
      for (const text of kept.request.path.split(/[/?&=]/u).map(decoded)) if (id.test(text)) names.add(keyOf(text))
      return { ...call, step, names }
    }
    const { bind, bindPath } = binder(names)
    const isAccepted = call.answer.status < 400
    const { content, signatures } = bindOneOff({ request: call.request, isAccepted, steps, sealed })
    const step: TapeCall = {
      _tag: "Call",
      method: call.request.method,
      path: bindPath(call.request.path),
      as: senderOf(kept.request, names),
      headers: Object.fromEntries(
        recordedHeaders(call.request).map(([name, value]) => [
          name,
          signatures.get(name) ?? bind(decoded(value), `header.${name}`),
        ]),
      ),
      ...(content.body === undefined ? {} : { body: References.mapTexts(content.body, (text) => bind(text, "body")) }),
      answer: call.answer,
    }
    steps.push(step)
    learn(index, call.answer.body, call.answer.status)
    return { ...call, step, names }
  })
  return { requests, variables }
}
