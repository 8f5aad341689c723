/**
 * Every operation answers every request: whatever is asked, by whomever, the answer is one that the definition has; what cannot be read is
 * refused as such, what nobody may ask is 401, and neither changes anything.
 * Source: wire contract 8.1, 8.2 and 9; Spec: Authentication, Errors.
 */
import fc from "fast-check"
import { type Answer, problemsOfAnswer, problemsOfMalformed } from "./Answers.ts"
import type { Operation, Scheme } from "./Operations.ts"
import type { KnownValues } from "./Overrides.ts"
import { type GeneratedRequest, type MalformedRequest, malformed, requestOf } from "./Requests.ts"
import { type SearchOptions, search } from "./Search.ts"

type Problems = ReadonlyArray<string>

/** Who asks. */
export type RequestSender = "platform" | "agent" | "nobody"

/** Where requests are sent: a service that holds something. */
export interface RequestTarget extends AsyncDisposable {
  readonly send: (request: GeneratedRequest, as: RequestSender) => Promise<Answer>
  /** All that is kept, as a text: what is refused unread leaves it as it was. */
  readonly state?: () => Promise<string>
  /** What is wrong with what is kept, when all is done. */
  readonly problems?: () => Promise<Problems>
}

export interface EveryAnswerOptions extends SearchOptions {
  readonly operations: ReadonlyArray<Operation>
  /** What is there to be named. */
  readonly known?: KnownValues
  /** How many requests of each operation one run sends. */
  readonly requests?: number
  /** Hears of each answer. */
  readonly onAnswer?: (operation: Operation, answer: Answer) => void
}

type TestRequest =
  | { readonly kind: "Valid"; readonly request: GeneratedRequest; readonly as: RequestSender }
  | { readonly kind: "Malformed"; readonly request: MalformedRequest; readonly as: RequestSender }
  | { readonly kind: "Unknown"; readonly request: GeneratedRequest; readonly as: RequestSender }

const askerOf: { readonly [scheme in Scheme]: RequestSender } = { platform: "platform", agent: "agent", open: "nobody" }
const others: { readonly [scheme in Scheme]: ReadonlyArray<RequestSender> } = {
  platform: ["nobody", "agent"],
  agent: ["nobody", "platform"],
  open: [],
}

const asksOf = (operation: Operation, known: KnownValues): fc.Arbitrary<TestRequest> => {
  const valid = requestOf(operation, { known })
  const wrong = malformed(operation, { known })
  const as = askerOf[operation.scheme]
  const strangers = others[operation.scheme]
  const right: fc.Arbitrary<TestRequest> = valid.map((request) => ({ kind: "Valid", request, as }))
  const unreadable: ReadonlyArray<fc.Arbitrary<TestRequest>> =
    wrong === undefined ? [] : [wrong.map((request) => ({ kind: "Malformed", request, as }))]
  const unknown: ReadonlyArray<fc.Arbitrary<TestRequest>> =
    strangers.length === 0
      ? []
      : [
          fc
            .tuple(fc.oneof(valid, ...(wrong === undefined ? [] : [wrong])), fc.constantFrom(...strangers))
            .map(([request, stranger]) => ({ kind: "Unknown", request, as: stranger })),
        ]
  return fc.oneof(
    { weight: 5, arbitrary: right },
    ...unreadable.map((arbitrary) => ({ weight: 4, arbitrary })),
    ...unknown.map((arbitrary) => ({ weight: 2, arbitrary })),
  )
}

/** So many, of which each may be left out when a smaller history is looked for. */
const severalOf = (ask: fc.Arbitrary<TestRequest>, count: number): fc.Arbitrary<ReadonlyArray<TestRequest>> => {
  const none: fc.Arbitrary<TestRequest | undefined> = fc.constant(undefined)
  const left = fc.oneof({ withCrossShrink: true }, { weight: 1, arbitrary: none }, { weight: 50, arbitrary: ask })
  return fc.array(left, { minLength: count, maxLength: count }).map((asks) => asks.filter((one) => one !== undefined))
}

const problemsOf = (operation: Operation, ask: TestRequest, answer: Answer): Problems => [
  ...problemsOfAnswer(operation, answer),
  ...(ask.kind === "Malformed" ? problemsOfMalformed(ask.request, answer) : []),
  ...(ask.kind === "Unknown" && answer.status !== 401
    ? [`${ask.as} may not ask, and is answered ${answer.status}`]
    : []),
]

const told = ({ as, kind, request }: TestRequest, { body, status }: Answer, problems: Problems): string =>
  `${request.operation} (${kind}, as ${as}) ${request.method} ${request.path}\n${problems.join("\n")}\nanswered ${status} ${JSON.stringify(body)}`

/** An ask, of which operation, and the how-many-th of its asks. */
interface ScheduledRequest {
  readonly operation: Operation
  readonly ask: TestRequest
  readonly round: number
}

/** What deletes comes last; before it, one of each operation, and then the next: what one makes another finds. */
const inTurn = (a: ScheduledRequest, b: ScheduledRequest): number =>
  Number(a.operation.method === "DELETE") - Number(b.operation.method === "DELETE") || a.round - b.round

/** Those that are refused unread come first, and leave everything as it was. */
const askAll = async (
  asked: RequestTarget,
  turns: ReadonlyArray<ScheduledRequest>,
  onAnswer: EveryAnswerOptions["onAnswer"],
) => {
  const one = async ({ ask, operation }: ScheduledRequest) => {
    const answer = await asked.send(ask.request, ask.as)
    onAnswer?.(operation, answer)
    const problems = problemsOf(operation, ask, answer)
    if (problems.length > 0) throw new Error(told(ask, answer, problems))
  }
  const before = await asked.state?.()
  for (const turn of turns.filter(({ ask }) => ask.kind !== "Valid")) await one(turn)
  if (before !== (await asked.state?.())) throw new Error("what was refused unread has changed something")
  for (const turn of turns.filter(({ ask }) => ask.kind === "Valid").toSorted(inTurn)) await one(turn)
}

/** Sends requests of each of the operations to a world of its own; the problems of the smallest such history. */
export const everyAnswer = (
  open: () => Promise<RequestTarget>,
  { known = {}, onAnswer, operations, requests = 12, runs = 1, ...options }: EveryAnswerOptions,
): Promise<Problems> => {
  const asks = fc.tuple(...operations.map((operation) => severalOf(asksOf(operation, known), requests)))
  return search(
    asks,
    async (drawn) => {
      await using asked = await open()
      const turns = operations.flatMap((operation, index) =>
        (drawn[index] ?? []).map((ask, round) => ({ operation, ask, round })),
      )
      await askAll(asked, turns, onAnswer)
      const problems = (await asked.problems?.()) ?? []
      if (problems.length > 0) throw new Error(problems.join("\n"))
    },
    { runs, ...options },
  )
}
