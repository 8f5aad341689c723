/**
 * Makes a tape of a kept request: it repeats what led to it, and the time that passed, on a new world.
 * Source: D-479.
 */
import {
  maskedText,
  References,
  type Tape,
  type TapeCall,
  type TapeSender,
  type TapeStep,
} from "@countersign/client/tape"
import type { RequestHistory } from "@countersign/core"
import { millisOf, type RequestTapeVariable } from "@countersign/core/models"
import { type BoundRequest, bindJournal } from "./JournalBinding.ts"
import { isMarker } from "./JournalCall.ts"
import { neededRequests, replacesWorld, textsOf } from "./NeededRequests.ts"

export interface JournalTape {
  readonly tape: Tape
  readonly requests: ReadonlyArray<string>
  readonly variables: ReadonlyArray<RequestTapeVariable>
  readonly gaps: ReadonlyArray<string>
  readonly forgotten: number
}

/** A shorter time changes nothing that a request could see. */
const pauseMin = 1_000

const clockOperation = "sandboxAdvanceClock"

/** Business time (ms) after a request; the sandbox's clock has moved by then. */
const endOf = ({ answer, kept: { request } }: BoundRequest): number => {
  const moved = request.operation === clockOperation ? References.at(answer.body, "now") : undefined
  return typeof moved === "string" ? millisOf(moved) : millisOf(request.at) + request.durationMillis
}

const startsJobs = ({ kept: { request } }: BoundRequest): boolean =>
  request.commits.some(({ jobs }) => jobs.some(({ kind }) => kind !== "webhook.deliver"))

/** A time to which the clock was moved is another one in a new world: the program moves it by as much. */
const relative = (step: TapeStep, { kept: { request } }: BoundRequest): TapeStep => {
  const to = step._tag === "Call" && request.operation === clockOperation ? References.at(step.body, "to") : undefined
  if (step._tag !== "Call" || typeof to !== "string") return step
  return { ...step, body: { by: `PT${(millisOf(to) - millisOf(request.at)) / 1_000}S` } }
}

const renumbered = (step: TapeStep, numberOf: (index: number) => number): TapeStep => {
  if (step._tag !== "Call") return step
  const renumber = (text: string): string =>
    References.parts(text)
      .map((part) => {
        if (typeof part === "string") return References.literal(part)
        if ("variable" in part) return References.referVariable(part.variable)
        const number = numberOf(part.step)
        return part.isSealed ? References.referSealed(number, part.path) : References.refer(number, part.path)
      })
      .join("")
  const sender = (as: TapeSender): TapeSender => {
    if (typeof as === "string" || "variable" in as) return as
    return "token" in as
      ? { token: renumber(as.token) }
      : { clientId: renumber(as.clientId), clientSecret: renumber(as.clientSecret) }
  }
  const { answer, body, headers } = step
  const call: TapeCall = {
    ...step,
    path: renumber(step.path),
    as: sender(step.as),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, renumber(value)])),
    ...(body === undefined ? {} : { body: References.mapTexts(body, renumber) }),
    answer: {
      ...answer,
      ...(answer.body === undefined
        ? {}
        : { body: References.mapTexts(answer.body, (text) => (isMarker(text) ? maskedText : text)) }),
    },
  }
  return call
}

/** The step of a request; one that replaced the world cannot be repeated. */
const stepOf = (request: BoundRequest): TapeStep =>
  replacesWorld(request)
    ? { _tag: "Gap", reason: `${request.kept.request.operation} replaced the world by another` }
    : relative(request.step, request)

export const journalTape = (history: RequestHistory): JournalTape => {
  const { requests, variables } = bindJournal(history)
  const needed = neededRequests(requests).flatMap((index) => {
    const request = requests[index]
    return request === undefined ? [] : [{ index, request }]
  })
  const steps: Array<TapeStep> = []
  const numbers = new Map<number, number>()
  let end: number | undefined
  let isDue = false
  for (const { index, request } of needed) {
    const paused = end === undefined ? 0 : millisOf(request.kept.request.at) - end
    if (end !== undefined && (paused >= pauseMin || isDue)) {
      steps.push({ _tag: "Advance", millis: paused >= pauseMin ? paused : 0 })
      isDue = false
    }
    const step = renumbered(stepOf(request), (known) => numbers.get(known) ?? 0)
    numbers.set(index, steps.push(step) - 1)
    isDue ||= startsJobs(request)
    end = endOf(request)
  }
  const used = new Set(
    needed.flatMap(({ request }) => [
      ...textsOf(request).flatMap((text) =>
        References.parts(text).flatMap((part) =>
          typeof part !== "string" && "variable" in part ? [part.variable] : [],
        ),
      ),
      ...(request.step._tag === "Call" && typeof request.step.as === "object" && "variable" in request.step.as
        ? [request.step.as.variable]
        : []),
    ]),
  )
  return {
    tape: { format: "countersign tape 1", steps },
    requests: needed.map(({ request }) => request.kept.request.id),
    variables: [...variables.named.values()].filter(({ name }) => used.has(name)),
    gaps: steps.flatMap((step) => (step._tag === "Gap" ? [step.reason] : [])),
    forgotten: (history.entries[0]?.number ?? 1) - 1,
  }
}
