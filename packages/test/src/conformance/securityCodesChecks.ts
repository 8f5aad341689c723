/**
 * What every layer of `SecurityCodes` has to do: the last code sent is right once, and cannot be guessed.
 * Source: wire contract 5.12; D-322, D-444, D-528; ports/SecurityCodes.ts.
 */
import { type SecurityCodeRequest, SecurityCodes } from "@countersign/core/ports"
import { Effect, type Layer, Redacted } from "effect"
import type { ReceivedMessage } from "./otpSenderChecks.ts"
import { checksOf, fail, type PortCheck } from "./PortChecks.ts"

/** Requests for a provider's test system, and how its codes are read and how long they last. */
export interface SecurityCodesConformanceOptions {
  /** At least one request of each purpose that the provider's test system supports, with different addresses. */
  readonly requests: ReadonlyArray<SecurityCodeRequest>
  /** Everything that the test system has delivered up to now. */
  readonly received: Effect.Effect<ReadonlyArray<ReceivedMessage>>
  /** Finds the code in a message. Default: the only run of 4 to 12 digits. */
  readonly codeIn?: (text: string) => string | undefined
  /** How long a code is valid on the business clock (ms), if the provider uses it. */
  readonly lifetimeMillis?: number
}

/** This number of wrong codes makes every provider refuse the right one. */
const guessesMax = 100

const onlyDigits = (text: string): string | undefined => /(?<!\d)\d{4,12}(?!\d)/u.exec(text)?.[0]

/** A code that differs in one digit. */
const otherCode = (code: string): string => code.slice(0, -1) + String((Number(code.at(-1)) + 1) % 10)

export const securityCodesChecks = <E>(
  layer: Layer.Layer<SecurityCodes, E>,
  { codeIn = onlyDigits, lifetimeMillis, received, requests }: SecurityCodesConformanceOptions,
): ReadonlyArray<PortCheck> => {
  const make = checksOf(SecurityCodes, layer)
  type Port = SecurityCodes["Service"]
  const each = (title: string, body: (codes: Port, request: SecurityCodeRequest) => Effect.Effect<void>): PortCheck =>
    make(title, (codes) => Effect.forEach(requests, (request) => body(codes, request), { discard: true }))

  /** Sends a code and returns it from its message. */
  const sent = Effect.fnUntraced(function* (codes: Port, request: SecurityCodeRequest) {
    const before = (yield* received).length
    yield* codes.send(request)
    const arrived = (yield* received).slice(before)
    const [message] = arrived
    const code = message?.to === request.address ? codeIn(message.text) : undefined
    if (arrived.length !== 1 || code === undefined)
      return yield* fail("not one message with a code to its address", arrived)
    return code
  })
  const check = (codes: Port, request: SecurityCodeRequest, code: string) => codes.check(request, Redacted.make(code))
  const require = Effect.fnUntraced(function* (expected: boolean, what: string, checked: Effect.Effect<boolean>) {
    if ((yield* checked) !== expected) return yield* fail(`expected ${expected}`, what)
  })

  return [
    each("the code that was sent is right, once", (codes, request) =>
      Effect.gen(function* () {
        const code = yield* sent(codes, request)
        yield* require(true, "the code that was sent", check(codes, request, code))
        yield* require(false, "the same code again", check(codes, request, code))
      }),
    ),

    each("of concurrent checks of one code, one is right", (codes, request) =>
      Effect.gen(function* () {
        const code = yield* sent(codes, request)
        const asked = Array.from({ length: 4 }, () => check(codes, request, code))
        const right = (yield* Effect.all(asked, { concurrency: "unbounded" })).filter((isRight) => isRight)
        if (right.length !== 1) return yield* fail("right", right.length)
      }),
    ),

    each("a wrong code and an empty one are wrong, and the right one is right after them", (codes, request) =>
      Effect.gen(function* () {
        const code = yield* sent(codes, request)
        for (const wrong of ["", otherCode(code)]) yield* require(false, "a wrong code", check(codes, request, wrong))
        yield* require(true, "the code that was sent", check(codes, request, code))
      }),
    ),

    each("a new code replaces the one before", (codes, request) =>
      Effect.gen(function* () {
        const first = yield* sent(codes, request)
        const last = yield* sent(codes, request)
        if (first !== last) yield* require(false, "the code before", check(codes, request, first))
        yield* require(true, "the last code", check(codes, request, last))
      }),
    ),

    each("a code is right for its customer, purpose and address only", (codes, request) =>
      Effect.gen(function* () {
        const code = yield* sent(codes, request)
        const others = [
          { ...request, customerId: "Customer:00000000-0000-7000-8000-00000000ffff" },
          { ...request, purpose: request.purpose === "sca" ? ("email" as const) : ("sca" as const) },
          { ...request, address: request.address.includes("@") ? "nobody@example.com" : "+14155550199" },
        ]
        for (const other of others) yield* require(false, JSON.stringify(other), check(codes, other, code))
        yield* require(true, "its own request", check(codes, request, code))
      }),
    ),

    each("a code cannot be guessed, in sequence or at the same time", (codes, request) =>
      Effect.gen(function* () {
        for (const concurrency of [1, "unbounded" as const]) {
          const code = yield* sent(codes, request)
          const guesses = Array.from({ length: guessesMax }, () => check(codes, request, otherCode(code)))
          yield* Effect.all(guesses, { concurrency, discard: true })
          yield* require(false, `the right code after ${guessesMax} wrong ones`, check(codes, request, code))
        }
      }),
    ),

    make("a code expires", (codes, bench) =>
      Effect.gen(function* () {
        if (lifetimeMillis === undefined) return
        for (const request of requests) {
          const early = yield* sent(codes, request)
          bench.advanceTo(bench.now() + lifetimeMillis - 1)
          yield* require(true, "a code at the end of its life", check(codes, request, early))
          const late = yield* sent(codes, request)
          bench.advanceTo(bench.now() + lifetimeMillis)
          yield* require(false, "an expired code", check(codes, request, late))
        }
      }),
    ),

    make("neither a code nor an address reaches a log", (codes, bench) =>
      Effect.gen(function* () {
        for (const request of requests) {
          const code = yield* sent(codes, request)
          yield* check(codes, request, otherCode(code))
          const found = [code, otherCode(code), request.address].filter((secret) => bench.logged().includes(secret))
          if (found.length > 0) return yield* fail("the log contains it", found)
        }
      }),
    ),
  ]
}
