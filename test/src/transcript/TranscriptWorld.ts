/** A world that writes a transcript of its requests: their answers, what is committed, what ports are asked, and what webhooks are delivered. */
import { bodyOf, type Caller, type CurrentCaller, ServiceError } from "@countersign/core"
import { ConsolePermissions, OwnershipRegions, type Verifier } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer, Result } from "effect"
import { type HarnessOptions, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import type { Services } from "../../../packages/test/src/harness/World.ts"
import { basic, bearer, callersOf, type Signature } from "../confinement/Callers.ts"
import type { Asked, StepWorld } from "../confinement/ConfinedWorld.ts"
import { permissions } from "../confinement/Row.ts"
import { rowOf } from "../confinement/Table.ts"
import { signing, stamp } from "../wallet/People.ts"
import { makeLines } from "./Lines.ts"
import { type NextAnswers, watchPorts } from "./WatchedPorts.ts"
import { watchStore } from "./WatchedStore.ts"

/** Steps that also choose what ports answer, and do what a bank or an operator does without a request. */
export interface TranscriptSteps extends StepWorld {
  /**
   * The next answers of a port's operation, such as `Rails.push`, which it gives before its own; an effect is run. Without answers, those
   * that are left are taken back.
   */
  readonly answerNext: (operation: string, ...answers: ReadonlyArray<unknown>) => void
  /** Runs an effect of a service, and writes its success or failure below a name. */
  readonly run: <A, E>(
    name: string,
    effect: Effect.Effect<A, E, Services | CurrentCaller>,
    as?: Caller,
  ) => Promise<Result.Result<A, E>>
  /** Runs an effect as `run` does, and returns its success. */
  readonly report: <A, E>(name: string, effect: Effect.Effect<A, E, Services | CurrentCaller>) => Promise<A | undefined>
}

export type Written = TranscriptSteps &
  AsyncDisposable & {
    /** What was written before the steps. */
    readonly setUp: ReadonlyArray<string>
    /** Returns what was written since it was last called. */
    readonly written: () => ReadonlyArray<string>
  }

export interface TranscriptOptions {
  /** Whether the world has no second platform. */
  readonly isAlone?: boolean
  /** Ports and settings that replace those of the world, whose ports they may use. */
  readonly ports?: Layer.Layer<never, never, Verifier>
  readonly harness?: HarnessOptions
  /** Steps that are not written. */
  readonly before?: (it: StepWorld) => Promise<void>
}

const currencies = ["USD", "USDC", "USDB"]

/** Headers that differ in each answer, or are the same in all. */
const unwritten = new Set(["x-request-id", "content-length", "date"])

/** Without its stack. */
const failureOf = (failure: unknown) =>
  failure instanceof ServiceError ? bodyOf(failure) : Object.fromEntries(Object.entries(Object(failure)))

export const transcriptWorld = async (options: TranscriptOptions = {}): Promise<Written> => {
  const { isAlone = false, ports: own = Layer.empty } = options
  const next: NextAnswers = new Map()
  const lines = makeLines()
  const ports = Layer.mergeAll(
    Sandbox.layer,
    Layer.succeed(ConsolePermissions, [...permissions]),
    Layer.succeed(OwnershipRegions, ["EU"]),
    Layer.provide(own, Sandbox.layer),
  )
  const pay = await harness({
    tape: false,
    scaRegions: ["EU"],
    ports: watchPorts(
      ports,
      (operation, question, answer) => lines.add("    ask", operation, question, "->", answer),
      next,
    ),
    around: watchStore(lines),
    ...options.harness,
  })
  // Each currency of the platform gives each customer an account.
  const { supportedCurrencies }: { readonly supportedCurrencies?: ReadonlyArray<{ readonly currencyCode: string }> } =
    Object((await pay.send("GET", "/config")).body)
  const few = supportedCurrencies?.filter(({ currencyCode }) => currencies.includes(currencyCode))
  await pay.send("PATCH", "/config", { body: { supportedCurrencies: few } })
  const callers = await callersOf(pay, { isAlone })
  const usual = (await pay.send("GET", "/config")).headers

  const writeAnswer = ({ body, headers, status }: Reply) => {
    const unusual = [...headers].filter(([name, value]) => !unwritten.has(name) && usual.get(name) !== value)
    lines.add("  answer", status, body, ...(unusual.length === 0 ? [] : [Object.fromEntries(unusual)]))
  }
  let delivered = 0
  const settle = async () => {
    await pay.settle()
    for (const { data, id, type } of pay.inbox.received.slice(delivered)) lines.add("  webhook", type, id, data)
    delivered = pay.inbox.received.length
  }

  let keys = 0
  const send = async (method: string, path: string, { body, form, isKeyed = false }: Asked, headers: Signature) => {
    keys += 1
    lines.request(method, path, body)
    const reply = await pay.send(method, path, {
      as: "nobody",
      headers: { ...(isKeyed ? { "idempotency-key": `transcript-${keys}` } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
      ...(form === undefined ? {} : { form }),
    })
    writeAnswer(reply)
    return reply
  }

  const ownerOf = (method: string, path: string, { agent = callers.agent }: Asked): Signature => {
    const { caller } = rowOf(method, path)
    if (caller === "nobody") return {}
    return caller === "agent" ? bearer(agent) : callers.full.headers
  }

  const call: StepWorld["call"] = async (method, path, asked = {}) => {
    const { key, payload } = asked
    const owner = ownerOf(method, path, asked)
    const first =
      key !== undefined && payload !== undefined ? { "service-wallet-signature": await stamp(key, payload) } : {}
    let reply = await send(method, path, asked, { ...owner, ...first })
    while (key !== undefined && reply.status === 202) {
      reply = await send(method, path, asked, { ...owner, ...(await signing(reply, key)) })
    }
    await settle()
    return reply
  }

  const prepare: StepWorld["prepare"] = async (method, path, body, headers) => {
    const { clientId, clientSecret } = pay.credentials
    const asked = { isKeyed: true, ...(body === undefined ? {} : { body }) }
    const reply = await send(method, path, asked, headers ?? basic(clientId, clientSecret))
    await settle()
    return reply
  }

  const run: Written["run"] = async (name, effect, as) => {
    lines.add("RUN", name)
    const result = await pay.run(Effect.result(effect), ...(as === undefined ? [] : [as]))
    if (Result.isSuccess(result)) lines.add("  success", result.success)
    else lines.add("  failure", failureOf(result.failure))
    await settle()
    return result
  }

  const steps: StepWorld = { pay, callers, call, prepare }
  await options.before?.(steps)
  return {
    ...steps,
    run,
    report: async (name, effect) => Result.getOrUndefined(await run(name, effect)),
    answerNext: (operation, ...answers) => {
      next.set(operation, answers.length === 0 ? [] : [...(next.get(operation) ?? []), ...answers])
    },
    setUp: lines.take(),
    written: lines.take,
    [Symbol.asyncDispose]: pay[Symbol.asyncDispose],
  }
}
