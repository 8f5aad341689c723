/** A world that writes a transcript of its requests: their answers, what is committed, what ports are asked, and what webhooks are delivered. */
import type { CurrentCaller } from "@countersign/core"
import { ConsolePermissions, OwnershipRegions, type QuotePullCriterion } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer, Result } from "effect"
import { harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import type { Services } from "../../../packages/test/src/harness/World.ts"
import { basic, bearer, callersOf, type Signature } from "../confinement/Callers.ts"
import type { Asked, StepWorld } from "../confinement/ConfinedWorld.ts"
import { permissions } from "../confinement/Row.ts"
import { rowOf } from "../confinement/Table.ts"
import { signing, stamp } from "../wallet/People.ts"
import { makeLines } from "./Lines.ts"
import { type NextAnswers, watchPorts } from "./WatchedPorts.ts"
import { watchStore } from "./WatchedStore.ts"

export type Written = StepWorld &
  AsyncDisposable & {
    /** What was written before the steps. */
    readonly setUp: ReadonlyArray<string>
    /** Returns what was written since it was last called. */
    readonly written: () => ReadonlyArray<string>
    /** Runs an effect of a service, as a bank or an operator does, and writes its answer or its refusal. */
    readonly report: <A, E>(
      name: string,
      effect: Effect.Effect<A, E, Services | CurrentCaller>,
    ) => Promise<A | undefined>
    /** Answers of a port's operation, such as `Rails.push`, which it gives before its own. */
    readonly answerNext: (operation: string, ...answers: ReadonlyArray<unknown>) => void
  }

export interface TranscriptOptions {
  readonly isAlone?: boolean
  /** Ports and settings that replace those of the world. */
  readonly ports?: Layer.Layer<never>
  readonly quotePull?: QuotePullCriterion
}

const currencies = ["USD", "USDC", "USDB"]

/** Headers that differ in each answer, or are the same in all. */
const unwritten = new Set(["x-request-id", "content-length", "date"])

export const transcriptWorld = async (options: TranscriptOptions = {}): Promise<Written> => {
  const { isAlone = false, ports: own = Layer.empty, ...rest } = options
  const next: NextAnswers = new Map()
  const lines = makeLines()
  const ports = Layer.mergeAll(
    Sandbox.layer,
    Layer.succeed(ConsolePermissions, [...permissions]),
    Layer.succeed(OwnershipRegions, ["EU"]),
  ).pipe(Layer.merge(own))
  const pay = await harness({
    tape: false,
    scaRegions: ["EU"],
    ...rest,
    ports: watchPorts(
      ports,
      (operation, question, answer) => lines.add("    ask", operation, question, "->", answer),
      next,
    ),
    around: watchStore(lines),
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

  const report: Written["report"] = async (name, effect) => {
    lines.add("RUN", name)
    const result = await pay.run(Effect.result(effect))
    await settle()
    if (Result.isSuccess(result)) {
      lines.add("  answer", result.success)
      return result.success
    }
    lines.add("  refusal", result.failure)
    return undefined
  }

  const answerNext: Written["answerNext"] = (operation, ...answers) => {
    next.set(operation, [...(next.get(operation) ?? []), ...answers])
  }

  return {
    pay,
    callers,
    call,
    prepare,
    report,
    answerNext,
    setUp: lines.take(),
    written: lines.take,
    [Symbol.asyncDispose]: pay[Symbol.asyncDispose],
  }
}
