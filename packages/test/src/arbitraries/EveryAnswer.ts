/**
 * Checks that every operation responds to every request as its definition says, for every caller. A malformed request is
 * rejected as such, an unauthorized one gets 401, and neither changes any state.
 * Source: wire contract 8.1, 8.2 and 9; Spec: Authentication, Errors.
 */
import fc from "fast-check"
import { type Answer, problemsOfAnswer, problemsOfMalformed } from "./Answers.ts"
import type { Operation, Scheme } from "./Operations.ts"
import type { KnownValues } from "./Overrides.ts"
import { type GeneratedRequest, type MalformedRequest, malformed, requestOf } from "./Requests.ts"
import { type SearchOptions, search } from "./Search.ts"

type Problems = ReadonlyArray<string>

/** The credentials with which a request is sent. */
export type RequestSender = "platform" | "agent" | "nobody"

/** The service that receives the requests. It should contain records, so that requests can succeed. */
export interface RequestTarget extends AsyncDisposable {
  readonly send: (request: GeneratedRequest, as: RequestSender) => Promise<Answer>
  /** Returns the whole state as text. Malformed and unauthorized requests must not change it. */
  readonly state?: () => Promise<string>
  /** Returns the problems of the state after all requests. */
  readonly problems?: () => Promise<Problems>
}

/** The operations to send requests of, how many, and with which values. A run here is a whole history, and the default is one. */
export interface EveryAnswerOptions extends SearchOptions {
  readonly operations: ReadonlyArray<Operation>
  /** Values that requests may use: identifiers of existing records, currencies and others. */
  readonly known?: KnownValues
  /** How many requests of each operation one run sends; 12 by default. */
  readonly requests?: number
  /** Receives each response. */
  readonly onAnswer?: (operation: Operation, answer: Answer) => void
}

type TestRequest =
  | { readonly kind: "Valid"; readonly request: GeneratedRequest; readonly as: RequestSender }
  | { readonly kind: "Malformed"; readonly request: MalformedRequest; readonly as: RequestSender }
  | { readonly kind: "Unauthorized"; readonly request: GeneratedRequest; readonly as: RequestSender }

const authorizedSender: { readonly [scheme in Scheme]: RequestSender } = {
  platform: "platform",
  agent: "agent",
  open: "nobody",
}
const unauthorizedSenders: { readonly [scheme in Scheme]: ReadonlyArray<RequestSender> } = {
  platform: ["nobody", "agent"],
  agent: ["nobody", "platform"],
  open: [],
}

const requestsOf = (operation: Operation, known: KnownValues): fc.Arbitrary<TestRequest> => {
  const valid = requestOf(operation, { known })
  const wrong = malformed(operation, { known })
  const as = authorizedSender[operation.scheme]
  const senders = unauthorizedSenders[operation.scheme]
  const accepted: fc.Arbitrary<TestRequest> = valid.map((request) => ({ kind: "Valid", request, as }))
  const malformedRequests: ReadonlyArray<fc.Arbitrary<TestRequest>> =
    wrong === undefined ? [] : [wrong.map((request) => ({ kind: "Malformed", request, as }))]
  const unauthorized: ReadonlyArray<fc.Arbitrary<TestRequest>> =
    senders.length === 0
      ? []
      : [
          fc
            .tuple(fc.oneof(valid, ...(wrong === undefined ? [] : [wrong])), fc.constantFrom(...senders))
            .map(([request, sender]) => ({ kind: "Unauthorized", request, as: sender })),
        ]
  return fc.oneof(
    { weight: 5, arbitrary: accepted },
    ...malformedRequests.map((arbitrary) => ({ weight: 4, arbitrary })),
    ...unauthorized.map((arbitrary) => ({ weight: 2, arbitrary })),
  )
}

/** Generates `count` requests. Shrinking may leave out each of them. */
const severalOf = (ask: fc.Arbitrary<TestRequest>, count: number): fc.Arbitrary<ReadonlyArray<TestRequest>> => {
  const none: fc.Arbitrary<TestRequest | undefined> = fc.constant(undefined)
  const left = fc.oneof({ withCrossShrink: true }, { weight: 1, arbitrary: none }, { weight: 50, arbitrary: ask })
  return fc.array(left, { minLength: count, maxLength: count }).map((asks) => asks.filter((one) => one !== undefined))
}

const problemsOf = (operation: Operation, ask: TestRequest, answer: Answer): Problems => [
  ...problemsOfAnswer(operation, answer),
  ...(ask.kind === "Malformed" ? problemsOfMalformed(ask.request, answer) : []),
  ...(ask.kind === "Unauthorized" && answer.status !== 401
    ? [`${ask.as} is not authorized, but the response is ${answer.status}`]
    : []),
]

const messageOf = ({ as, kind, request }: TestRequest, { body, status }: Answer, problems: Problems): string =>
  `${request.operation} (${kind}, as ${as}) ${request.method} ${request.path}\n${problems.join("\n")}\nresponse: ${status} ${JSON.stringify(body)}`

/** A request with its operation and its number among the requests of this operation. */
interface ScheduledRequest {
  readonly operation: Operation
  readonly ask: TestRequest
  readonly round: number
}

const asksForFaults = new Set(["sandboxFaults.sandboxSetFaults", "sandboxFaults.sandboxClearFaults"])

/** Deletions are sent later than what they delete, and the requests for faults after all that a fault could fail. */
const turnOf = ({ method, name }: Operation): number => {
  if (asksForFaults.has(name)) return 2
  return method === "DELETE" ? 1 : 0
}

/** Sorts by turn, and then round by round with one request per operation, so that one finds what another created. */
const byRound = (a: ScheduledRequest, b: ScheduledRequest): number =>
  turnOf(a.operation) - turnOf(b.operation) || a.round - b.round

/** Sends the malformed and unauthorized requests first and checks that they change no state; then the valid ones. */
const sendAll = async (
  target: RequestTarget,
  requests: ReadonlyArray<ScheduledRequest>,
  onAnswer: EveryAnswerOptions["onAnswer"],
) => {
  const one = async ({ ask, operation }: ScheduledRequest) => {
    const answer = await target.send(ask.request, ask.as)
    onAnswer?.(operation, answer)
    const problems = problemsOf(operation, ask, answer)
    if (problems.length > 0) throw new Error(messageOf(ask, answer, problems))
  }
  const before = await target.state?.()
  for (const request of requests.filter(({ ask }) => ask.kind !== "Valid")) await one(request)
  if (before !== (await target.state?.())) throw new Error("a malformed or unauthorized request changed the state")
  for (const request of requests.filter(({ ask }) => ask.kind === "Valid").toSorted(byRound)) await one(request)
}

/** Sends requests of each operation to a new target; returns the problems of the smallest history that has any. */
export const everyAnswer = (
  open: () => Promise<RequestTarget>,
  { known = {}, onAnswer, operations, requests = 12, runs = 1, ...options }: EveryAnswerOptions,
): Promise<Problems> => {
  const histories = fc.tuple(...operations.map((operation) => severalOf(requestsOf(operation, known), requests)))
  return search(
    histories,
    async (history) => {
      await using target = await open()
      const scheduled = operations.flatMap((operation, index) =>
        (history[index] ?? []).map((ask, round) => ({ operation, ask, round })),
      )
      await sendAll(target, scheduled, onAnswer)
      const problems = (await target.problems?.()) ?? []
      if (problems.length > 0) throw new Error(problems.join("\n"))
    },
    { runs, ...options },
  )
}
