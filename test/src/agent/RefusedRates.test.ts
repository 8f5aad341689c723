/** A transfer that is refused whatever the policy says asks for no exchange rate. Source: D-294, D-296. */
import { ExchangeRates } from "@countersign/core/ports"
import { SandboxRails, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer, Result } from "effect"
import { expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { attempt } from "./AgentSteps.ts"

it("asks rates for a possible transfer only", async () => {
  const asked: Array<string> = []
  const rates = Layer.succeed(ExchangeRates, {
    rate: (from, to) =>
      Effect.sync(() => {
        asked.push(`${from} ${to}`)
        return { from, to, numerator: 1n, denominator: 1n }
      }),
  })
  const ports = Layer.mergeAll(SandboxRails.layer, SandboxVerifier.layer, rates)
  await using pay = await agentWorld({ spendingLimits: { currency: "EUR", perTransactionLimit: 1000 } }, { ports })
  expect(Result.isFailure(await attempt(pay, -5))).toBe(true)
  expect(asked).toEqual([])
  expect(Result.isSuccess(await attempt(pay, 5))).toBe(true)
  expect(asked).toContain("USD EUR")
})
