/** What calls of a sandbox's ports and commits answer while a fault is switched on, and what is spared. D-480. */
import { MemoryStore } from "@countersign/adapter-memory"
import { type Issuer, OtpSender, type Rails, SecurityCodes, WallTime, WebhookTransport } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import type { ChangeSet } from "@countersign/core/store"
import { Effect, Exit, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import * as Coverage from "../../../packages/core/src/foundation/kit/Coverage.ts"
import { PortFaults, WithoutStoreFaults } from "../../../packages/core/src/ports/PortFaults.ts"
import * as FaultSwitches from "../../../packages/core/src/sandbox/FaultSwitches.ts"
import { cause, faultyIssuer, faultyRails, faultyWebhooks } from "../../../packages/core/src/sandbox/FaultyPorts.ts"
import * as SandboxCodes from "../../../packages/core/src/sandbox/SandboxCodes.ts"
import * as SandboxFaults from "../../../packages/core/src/sandbox/SandboxFaults.ts"
import * as SandboxOtp from "../../../packages/core/src/sandbox/SandboxOtp.ts"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { customer } from "../../../packages/test/src/conformance/Examples.ts"
import { commit } from "../../../packages/test/src/conformance/Suite.ts"

type Faults = Parameters<FaultSwitches.FaultSwitches["set"]>[0]

const switched = (faults: Faults) => {
  const switches = FaultSwitches.make()
  switches.set(faults)
  return switches
}
const done = { _tag: "Done" } as const
const unknown = { _tag: "Unknown", cause } as const
const since = 1_000_000

/** A port whose every method counts and answers. */
const counted = <S extends object>() => {
  const calls: Array<string> = []
  const port = new Proxy({} as S, {
    get: (_, name) => () =>
      Effect.sync(() => {
        calls.push(String(name))
        return done
      }),
    ownKeys: () => [],
  })
  return { calls, port }
}

/** Answers at a business time (ms). */
const at = <A>(now: number, effect: Effect.Effect<A>) =>
  Effect.runPromise(Effect.andThen(TestClock.setTime(now), effect).pipe(Effect.provide(TestClock.layer())))

describe("a fault of the rail", () => {
  const request = { reference: "Transaction:1", submittedAt: since, initiatedAt: since } as never
  type Call = (rails: Rails["Service"]) => Effect.Effect<unknown>
  const calls: ReadonlyArray<readonly [name: string, call: Call]> = [
    ["pull", (rails) => rails.pull(request)],
    ["push", (rails) => rails.push(request)],
    ["inquire", (rails) => rails.inquire({ request } as never)],
    ["refund", (rails) => rails.refund(request)],
  ]
  const cancel: Call = (rails) => rails.cancel(request)
  const asked = async (faults: Faults, call: Call, now = since) => {
    const { calls, port } = counted<Rails["Service"]>()
    const named = Object.fromEntries(
      ["pull", "push", "inquire", "refund", "cancel"].map((name) => [name, Reflect.get(port, name)]),
    ) as never
    const switches = switched(faults)
    const exit = await at(now, Effect.exit(call(faultyRails(named, switches))))
    return {
      answer: Exit.isSuccess(exit) ? exit.value : "a defect",
      isCalled: calls.length === 1,
      met: switches.met("rail"),
    }
  }

  it.each([...calls, ["cancel", cancel] as const])(
    "of %s does not exist before one is switched on",
    async (_, call) => {
      expect(await asked({ issuer: { kind: "ERROR" } }, call)).toEqual({ answer: done, isCalled: true, met: 0 })
    },
  )

  it.each([...calls, ["cancel", cancel] as const])(
    "of %s breaks off, loses the answer, or refuses",
    async (_, call) => {
      expect(await asked({ rail: { kind: "ERROR" } }, call)).toEqual({ answer: "a defect", isCalled: false, met: 1 })
      expect(await asked({ rail: { kind: "UNKNOWN" } }, call)).toEqual({ answer: unknown, isCalled: true, met: 1 })
      const refused = { _tag: "Refused", reason: "BANK_REJECTED" }
      expect(await asked({ rail: { kind: "REJECT" } }, call)).toEqual({ answer: refused, isCalled: false, met: 1 })
      const named = await asked({ rail: { kind: "REJECT", reason: "ACCOUNT_INVALID" } }, call)
      expect(named.answer).toEqual({ ...refused, reason: "ACCOUNT_INVALID" })
    },
  )

  it.each(calls)("of %s is slow until its time, counted from the first request", async (_, call) => {
    for (const [faults, millis] of [
      [{ rail: { kind: "SLOW" } }, 60_000],
      [{ rail: { kind: "SLOW", slowSeconds: 2 } }, 2_000],
    ] as const) {
      const later = { _tag: "Later", at: since + millis }
      expect(await asked(faults, call, since + millis - 1)).toEqual({ answer: later, isCalled: false, met: 1 })
      expect(await asked(faults, call, since + millis)).toEqual({ answer: done, isCalled: true, met: 0 })
    }
  })

  it("of a cancellation is never slow", async () => {
    expect(await asked({ rail: { kind: "SLOW" } }, cancel)).toEqual({ answer: done, isCalled: true, met: 0 })
  })

  it("of a payment that was delivered is not a refusal, and is slow from its delivery", async () => {
    const delivered: Call = (rails) =>
      rails.inquire({ request: { reference: "Transaction:1", submittedAt: 0, deliveredAt: since } } as never)
    expect(await asked({ rail: { kind: "REJECT" } }, delivered)).toEqual({ answer: done, isCalled: true, met: 0 })
    const slow = await asked({ rail: { kind: "SLOW" } }, delivered)
    expect(slow.answer).toEqual({ _tag: "Later", at: since + 60_000 })
  })
})

describe("a fault of the issuer", () => {
  const request = { reference: "Card:1", issuedAt: since, requestedAt: since } as never
  const asked = async (faults: Faults, name: "provision" | "changeState" | "collect" | "screen") => {
    const { calls, port } = counted<Issuer["Service"]>()
    const named = { [name]: Reflect.get(port, name) } as never
    const exit = await at(
      since,
      Effect.exit<unknown, never, never>(faultyIssuer(named, switched(faults))[name](request)),
    )
    return [Exit.isSuccess(exit) ? exit.value : "a defect", calls.length]
  }

  it.each([
    ["provision", { _tag: "Refused" }, 0],
    ["collect", { _tag: "Refused" }, 0],
    ["changeState", done, 1],
    ["screen", "SUSPECTED_FRAUD", 0],
  ] as const)("that refuses: %s", async (name, answer, calls) => {
    expect(await asked({ issuer: { kind: "REJECT" } }, name)).toEqual([answer, calls])
    expect(await asked({ rail: { kind: "REJECT" } }, name)).toEqual([done, 1])
  })

  it.each([
    ["provision", { _tag: "Later", at: since + 60_000 }, 0],
    ["collect", { _tag: "Later", at: since + 60_000 }, 0],
    ["changeState", done, 1],
    ["screen", done, 1],
  ] as const)("that is slow: %s", async (name, answer, calls) => {
    expect(await asked({ issuer: { kind: "SLOW" } }, name)).toEqual([answer, calls])
  })

  it("that loses answers does not concern screening, which a purchase waits for", async () => {
    expect(await asked({ issuer: { kind: "UNKNOWN" } }, "screen")).toEqual([done, 1])
    expect(await asked({ issuer: { kind: "UNKNOWN" } }, "changeState")).toEqual([unknown, 1])
  })
})

it.each([
  [{ kind: "TIMEOUT" } as const, { _tag: "Unreachable", reason: `no answer in time: ${cause}` }],
  [{ kind: "STATUS" } as const, { _tag: "Answered", status: 503, body: cause }],
  [{ kind: "STATUS", status: 410 } as const, { _tag: "Answered", status: 410, body: cause }],
])("a fault of webhooks %j answers %j, and the endpoint receives nothing", async (webhooks, answer) => {
  const { calls, port } = counted<WebhookTransport["Service"]>()
  const send = (faults: Faults) =>
    Effect.runPromise(faultyWebhooks({ send: port.send } as never, switched(faults)).send({} as never))
  expect(await send({ webhooks })).toEqual(answer)
  expect(calls).toEqual([])
  expect(await send({})).toEqual(done)
})

describe("a fault of the store", () => {
  const transport = Layer.succeed(WebhookTransport, {
    send: () => Effect.die("not expected"),
    check: () => Effect.die("not expected"),
  })
  const inner = Layer.provide(MemoryStore.layer, WallTime.layerClock)
  const faulty = Layer.provide(SandboxFaults.layer, Layer.mergeAll(Sandbox.layer, inner, transport))
  const committed = (parts: Partial<ChangeSet>, isSpared = false) =>
    Effect.gen(function* () {
      const switches = yield* PortFaults
      switches?.set({ store: { kind: "CONFLICT", commits: 1 } })
      const outcome = yield* commit(changeSet(parts))
      return [outcome._tag, switches?.met("store")]
    }).pipe(Effect.provideService(WithoutStoreFaults, isSpared), Effect.provide(Layer.fresh(faulty)), Effect.runPromise)
  const [session, token, audit] = (["ConsoleSession", "ApiToken", "AuditRecord"] as const).map(
    (kind) => ({ ...customer(1), kind, id: `${kind}:1` }) as ChangeSet["inserts"][number],
  )
  const rows: ReadonlyArray<
    readonly [what: string, records: ReadonlyArray<ChangeSet["inserts"][number] | undefined>, isSpared: boolean]
  > = [
    ["nothing", [], false],
    ["a customer", [customer(1)], false],
    ["an audit record alone", [audit], false],
    ["a session of the console", [session], true],
    ["a session and its audit record", [session, audit], true],
    ["a session and a token", [session, token], true],
    ["a session and a customer", [session, customer(1)], false],
    ["a customer and a session", [customer(1), session], false],
  ]

  it.each(rows)(
    "meets a set with %s, or spares it so that the fault can be switched off",
    async (_, records, isSpared) => {
      const inserts = records.filter((record) => record !== undefined)
      expect(await committed({ inserts })).toEqual(isSpared ? ["Committed", 0] : ["Conflict", 1])
    },
  )

  it("meets no set of what switches faults", async () => {
    expect(await committed({ inserts: [customer(1)] }, true)).toEqual(["Committed", 0])
  })
})

it("a code of the sandbox is the fixed one, and its acceptance is a leniency of the run", async () => {
  const found: Array<unknown> = []
  const unsubscribe = Coverage.subscribe((event) => found.push(event))
  const use = Effect.gen(function* () {
    const { accepted = Effect.void, draw } = yield* OtpSender
    yield* accepted
    return draw === undefined ? undefined : yield* draw({ length: 6, alphanumeric: false })
  })
  const code = await Effect.runPromise(Effect.provide(use, SandboxOtp.layer))
  unsubscribe()
  expect(code && Redacted.value(code)).toBe(SandboxOtp.sandboxOtp)
  expect(found).toEqual([{ _tag: "Leniency", name: "FIXED_OTP" }])
})

it.each([
  ["123456", [{ _tag: "Leniency", name: "FIXED_CODE" }]],
  ["000000", []],
])("the security code %s relies on the leniencies %j", async (code, leniencies) => {
  const found: Array<unknown> = []
  const unsubscribe = Coverage.subscribe((event) => found.push(event))
  const request = { customerId: "Customer:1", purpose: "email", address: "ada@example.com" } as const
  const check = SecurityCodes.use((codes) => codes.check(request, Redacted.make(code)))
  expect(await Effect.runPromise(Effect.provide(check, SandboxCodes.layer))).toBe(leniencies.length === 1)
  unsubscribe()
  expect(found).toEqual(leniencies)
})
