/**
 * What every layer of `Rails` has to do: execute each instruction once, and never contradict a final outcome.
 * Source: D-321, D-444; ports/Rails.ts.
 */
import { randomUUID } from "node:crypto"
import { type InquiryOutcome, type RailInstruction, type RailOutcome, Rails } from "@countersign/core/ports"
import { Effect, type Layer } from "effect"
import { checksOf, fail, type PortBench, type PortCheck, settled } from "./PortChecks.ts"

/** Instructions for a rail's test system, and how many it has executed. */
export interface RailsConformanceOptions {
  /** Instructions with all kinds of outcomes that the rail's test system offers. Each check gives them under new references. */
  readonly instructions: ReadonlyArray<RailInstruction>
  /** How many instructions the rail has executed, for example as the bank's test system lists them. */
  readonly executed: Effect.Effect<number>
  /** For a simulation without a memory: it knows the outcome of whatever it is asked about, and counts nothing. */
  readonly isStateless?: boolean
}

type Port = Rails["Service"]

const renewed = (asked: RailInstruction, now: number): RailInstruction => {
  const own = { reference: `Transaction:${randomUUID()}`, submittedAt: now }
  return asked._tag === "Push"
    ? { _tag: "Push", request: { ...asked.request, ...own } }
    : { _tag: "Pull", request: { ...asked.request, ...own } }
}

const instruct = (rails: Port, asked: RailInstruction) =>
  asked._tag === "Push" ? rails.push(asked.request) : rails.pull(asked.request)

const accountOf = (asked: RailInstruction) => (asked._tag === "Push" ? asked.request.destination : asked.request.source)

const isFinal = ({ _tag }: InquiryOutcome): boolean => _tag !== "Later" && _tag !== "Unknown" && _tag !== "NotReceived"

/** Fails if a final outcome is followed by another one. A delivered push may be returned. */
const agree = (first: RailOutcome, next: InquiryOutcome) => {
  if (!isFinal(first) || next._tag === "Unknown" || next._tag === first._tag) return Effect.void
  return first._tag === "Done" && next._tag === "Returned" ? Effect.void : fail("another outcome", { first, next })
}

export const railsChecks = <E>(
  layer: Layer.Layer<Rails, E>,
  { executed, instructions, isStateless = false }: RailsConformanceOptions,
): ReadonlyArray<PortCheck> => {
  const make = checksOf(Rails, layer)
  const check = (
    title: string,
    body: (rails: Port, asked: RailInstruction, bench: PortBench) => Effect.Effect<void>,
  ): PortCheck =>
    make(title, (rails, bench) =>
      Effect.forEach(instructions, (asked) => body(rails, renewed(asked, bench.now()), bench), { discard: true }),
    )
  const unmoved = Effect.fnUntraced(function* <A>(question: string, ask: () => Effect.Effect<A>) {
    const before = yield* executed
    const answer = yield* ask()
    const after = yield* executed
    return after === before ? answer : yield* fail(`${question} executed an instruction`, { before, after })
  })
  const settledInquiry = (rails: Port, asked: RailInstruction, bench: PortBench) => settled(bench, rails.inquire(asked))

  return [
    check(
      "an inquiry about what the rail has not received moves nothing and does not count as received",
      (rails, asked) =>
        Effect.gen(function* () {
          for (let n = 0; n < 2; n++) {
            const { _tag } = yield* unmoved("an inquiry", () => rails.inquire(asked))
            if (!isStateless && _tag !== "NotReceived" && _tag !== "Unknown") return yield* fail("received", _tag)
          }
        }),
    ),

    check("an inquiry about an instruction has its outcome and moves nothing again", (rails, asked) =>
      Effect.gen(function* () {
        const before = yield* executed
        const first = yield* instruct(rails, asked)
        const isLost = first._tag === "Unknown" && (yield* executed) === before
        for (let n = 0; n < 2; n++) {
          const known = yield* unmoved("an inquiry", () => rails.inquire(asked))
          if (known._tag === "NotReceived" && !isLost) return yield* fail("not received after the instruction", first)
          yield* agree(first, known)
        }
      }),
    ),

    ...[1, "unbounded" as const].map((concurrency) =>
      check(
        concurrency === 1
          ? "an instruction that is repeated is executed once, and has one outcome"
          : "an instruction that arrives twice at the same time is executed once, and has one outcome",
        (rails, asked, bench) =>
          Effect.gen(function* () {
            const before = yield* executed
            const twice = [instruct(rails, asked), instruct(rails, asked)]
            const [first, next] = yield* Effect.all(twice, { concurrency })
            const end = yield* settledInquiry(rails, asked, bench)
            const count = (yield* executed) - before
            if (count > 1) return yield* fail("executed more than once", { count, first, next })
            // The second of two that overlap may not know the outcome of the first.
            const isComparable = concurrency === 1 || (next !== undefined && isFinal(next))
            if (first !== undefined && next !== undefined && isComparable) yield* agree(first, next)
            for (const outcome of [first, next]) if (outcome !== undefined) yield* agree(outcome, end)
          }),
      ),
    ),

    check(
      "instructions that differ in their references alone are each executed, unless they are refused",
      (rails, asked, bench) =>
        Effect.gen(function* () {
          const before = yield* executed
          const both = [asked, renewed(asked, bench.now())]
          const outcomes = yield* Effect.forEach(both, (each) => settled(bench, instructOrAsk(rails, each)))
          if (isStateless) return
          const count = (yield* executed) - before
          const done = outcomes.filter(({ _tag }) => _tag === "Done" || _tag === "Returned").length
          const open = outcomes.filter((outcome) => !isFinal(outcome)).length
          if (count < done || count > done + open) return yield* fail("not executed as answered", { count, outcomes })
        }),
    ),

    check(
      "an outcome that is not known yet names the business time at which to ask, and a final one stays",
      (rails, asked, bench) =>
        Effect.gen(function* () {
          const first = yield* settled(bench, instructOrAsk(rails, asked))
          for (const days of [1, 100]) {
            bench.advanceTo(bench.now() + days * 24 * 60 * 60 * 1000)
            const next = yield* unmoved("an inquiry", () => rails.inquire(asked))
            if (first._tag !== "NotReceived") yield* agree(first, next)
          }
          const { askAgainAt } = { askAgainAt: undefined, ...first }
          if (askAgainAt !== undefined && !Number.isSafeInteger(askAgainAt)) return yield* fail("no time (ms)", first)
        }),
    ),

    check(
      "a cancellation that is repeated has one outcome, and agrees with that of the instruction",
      (rails, asked, bench) =>
        Effect.gen(function* () {
          const { reference, submittedAt } = asked.request
          const direction = asked._tag === "Push" ? "push" : "pull"
          const cancel = rails.cancel({ reference, direction, account: accountOf(asked), submittedAt })
          const first = yield* instruct(rails, asked)
          const cancelled = yield* cancel
          if (first._tag === "Done" && cancelled._tag === "Done")
            return yield* fail("cancelled what was delivered", first)
          yield* agree(cancelled, yield* unmoved("a repeated cancellation", () => cancel))
          if (isStateless) return
          const end = yield* settledInquiry(rails, asked, bench)
          if (cancelled._tag === "Done" && end._tag === "Done")
            return yield* fail("delivered after its cancellation", end)
          if (cancelled._tag === "Refused" && end._tag === "Cancelled")
            return yield* fail("cancelled after a refusal", end)
        }),
    ),

    check("asking about a refund, or whether an account can be pulled, moves nothing", (rails, asked, bench) =>
      Effect.gen(function* () {
        const account = accountOf(asked)
        const { amount, reference } = asked.request
        yield* unmoved("inspectPull", () => rails.inspectPull(account, amount, { _tag: "Transfer" }))
        yield* instruct(rails, asked)
        if (asked._tag === "Pull") return
        const refund = () => rails.refund({ reference, destination: account, amount, initiatedAt: bench.now() })
        const first = yield* unmoved("refund", () => settled(bench, Effect.suspend(refund)))
        yield* agree(first, yield* unmoved("refund", refund))
      }),
    ),
  ]
}

/** Instructs at first and asks afterwards, as the service does. */
const instructOrAsk = (rails: Port, asked: RailInstruction): Effect.Effect<InquiryOutcome> => {
  let isInstructed = false
  return Effect.suspend((): Effect.Effect<InquiryOutcome> => {
    if (isInstructed) return rails.inquire(asked)
    isInstructed = true
    return instruct(rails, asked)
  })
}
