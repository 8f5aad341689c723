/**
 * The sessions of the console while the time is advanced: the person who asks for it stays signed in, others do not.
 * Source: D-457.
 */
import { type Caller, Clocks, ConsoleSessions, tenant } from "@countersign/core"
import type { RailOutcome } from "@countersign/core/ports"
import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { Clock, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { pullFrom } from "../../../packages/test/src/harness/TransferCalls.ts"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"

const hour = 3_600_000

/** Answers each time that the outcome follows in a second, so that an advance ends after its maximum of steps. */
const pull = () => Effect.map(Clock.currentTimeMillis, (now): RailOutcome => ({ _tag: "Later", at: now + 1000 }))
const bounds = Layer.succeed(Clocks.bounds, { wallMillisMax: 20_000, stepsMax: 10, jobsMax: 1000 })
const ports = Layer.mergeAll(SandboxRates.layer, SandboxVerifier.layer, SuccessfulRails.layer({ pull }), bounds)

/** A platform with two people on its console. */
const opened = async () => {
  const pay = await agentHarness({}, { ports })
  const list = <K extends "ApiToken" | "ConsoleSession">(kind: K) =>
    pay.run(
      Effect.gen(function* () {
        const { data } = yield* (yield* Store).list(kind, {}, { limit: 10, order: "asc" })
        return data
      }),
    )
  const [token] = await list("ApiToken")
  if (token === undefined) throw new Error("no token")
  const caller = { ...tenant(pay.platformId), tokenId: token.id, permissions: token.data.permissions }
  const signIn = async (name: string): Promise<Caller> => {
    await pay.run(
      ConsoleSessions.use((all) => all.signIn(name, "http://localhost")),
      caller,
    )
    const session = (await list("ConsoleSession")).find(({ data }) => data.approverName === name)
    return { ...caller, approver: { id: session?.data.approverId ?? "", name, proof: "SECRET" } }
  }
  /** When each session began to be idle. */
  const activeAt = async () =>
    Object.fromEntries((await list("ConsoleSession")).map(({ data }) => [data.approverName, data.activeAt]))
  const advance = (caller: Caller, seconds: number) =>
    pay.run(
      Clocks.use((clocks) => clocks.advance({ seconds })),
      caller,
    )
  return { pay, signIn, activeAt, advance, [Symbol.asyncDispose]: () => pay[Symbol.asyncDispose]() }
}

it("moves the session of the person who advances the time, and no other", async () => {
  await using all = await opened()
  const tia = await all.signIn("Tia Time")
  await all.signIn("Oda Other")
  const before = await all.activeAt()
  await all.advance(tia, 3600)
  expect(await all.activeAt()).toEqual({ ...before, "Tia Time": Number(before["Tia Time"]) + hour })
})

it("moves no session when a program advances the time", async () => {
  await using all = await opened()
  await all.signIn("Tia Time")
  const before = await all.activeAt()
  await all.advance({ ...tenant(all.pay.platformId), permissions: ["MANAGE"] }, 3600)
  expect(await all.activeAt()).toEqual(before)
})

it("moves the session as far as the time when the advance stops early", async () => {
  await using all = await opened()
  const tia = await all.signIn("Tia Time")
  const before = await all.activeAt()
  await pullFrom(all.pay, "000", 100)
  expect(await all.advance(tia, 3600)).toMatchObject({ isComplete: false, stopReason: "TOO_MUCH_WORK", steps: 10 })
  expect(await all.activeAt()).toEqual({ "Tia Time": Number(before["Tia Time"]) + 10_000 })
})
