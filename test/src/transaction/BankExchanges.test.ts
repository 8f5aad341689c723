/** The exchange with banks that the workers of a service run. Source: D-535. */
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { BankExchange } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"

const platform = { clientId: "demo", clientSecret: "demo-secret" }

/** A service whose exchange runs these cycles one after another, and then does nothing. */
const exchanging = async (cycles: ReadonlyArray<BankExchange["cycle"]>, workers = true) => {
  let count = 0
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const exchange: BankExchange = {
    everyMillis: 1,
    cycle: (report) =>
      Effect.suspend(() => {
        count += 1
        if (count > cycles.length) resolve()
        return cycles[count - 1]?.(report) ?? Effect.void
      }),
  }
  const ports = Layer.merge(Sandbox.layer, Layer.succeed(BankExchange, exchange))
  const payments = await embed({ store: MemoryStore.layer, ports, sandbox: true, platforms: [platform], workers })
  return { payments, ended, count: () => count }
}

it("goes on after a cycle that fails, and after an outcome that is about no transaction", async () => {
  const reached: Array<string> = []
  const unknown = { reference: "Transaction:00000000-0000-7000-8000-000000000001", platformId: "PlatformConfig:1" }
  const { ended, payments } = await exchanging([
    () => Effect.die(new Error("the folder is gone")),
    (report) =>
      Effect.andThen(
        report(unknown, { _tag: "Done" }),
        Effect.sync(() => reached.push("reported")),
      ),
  ])
  await ended
  await payments.dispose()
  expect(reached).toEqual(["reported"])
})

it("does not run in a process without workers", async () => {
  const { count, payments } = await exchanging([], false)
  await payments.run(Effect.void)
  await payments.dispose()
  expect(count()).toBe(0)
})
