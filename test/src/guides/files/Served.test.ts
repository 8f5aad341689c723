/** The guide of bank files: what a module of `countersign serve --ports` gives has the rails, the exchange and the reconciliation. */
import { MemoryBankFileStore } from "@countersign/adapter-bank-files"
import { BankExchange, BankReconciliation, Rails } from "@countersign/core/ports"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { temporaryFolder } from "../../adapter-bank-files/BankWorld.ts"
import { bankPorts } from "./Served.ts"

it("one layer has the rails, the exchange and the reconciliation of both banks", async () => {
  await using folder = await temporaryFolder()
  const found = Effect.gen(function* () {
    const [exchange, reconciliation] = [yield* BankExchange, yield* BankReconciliation]
    yield* Rails
    return [exchange?.everyMillis, reconciliation?.banks.map(({ name }) => name)]
  })
  const names = await Effect.runPromise(Effect.provide(found, bankPorts(folder.path, MemoryBankFileStore.make())))
  expect(names).toEqual([expect.any(Number), ["dollars", "euros"]])
})
