/**
 * A short history of a stablecoin: a mint and a burn, each of which the provider begins once.
 * Source: wire contract areas 1.6; D-390.
 */
import { ExternalAccounts, StablecoinOperations, StablecoinProviderAccounts, Stablecoins } from "@countersign/core"
import { StablecoinProvider } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import type * as Operation from "../../../packages/core/src/operation/Operation.ts"
import * as SandboxStablecoins from "../../../packages/core/src/sandbox/SandboxStablecoins.ts"
import type { AgentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Retry } from "./PlatformHistory.ts"

/** The provider of the sandbox, which remembers what it has begun and has received nothing else. */
export const countingProvider = () => {
  const begun: Array<string> = []
  const layer = Layer.effect(
    StablecoinProvider,
    Effect.map(StablecoinProvider, (sandbox) => ({
      ...sandbox,
      begin: (instruction) =>
        Effect.suspend(() => {
          begun.push(instruction.reference)
          return sandbox.begin(instruction)
        }),
      inquire: (instruction) =>
        Effect.suspend(() =>
          begun.includes(instruction.reference)
            ? sandbox.inquire(instruction)
            : Effect.succeed({ _tag: "NotReceived" as const }),
        ),
    })),
  ).pipe(Layer.provide(SandboxStablecoins.layer))
  return { begun, layer }
}

const keyed = (key: string): Operation.Keyed => ({ key, method: "POST", path: "/stablecoins", body: key })

const account = {
  provider: "BRALE",
  apiClientId: "provider_client_100",
  apiClientSecret: "provider_secret_456",
} as const
const acme = { providerTokenIdentifier: "ACME", networkTokenIdentifier: "btkn1acme", network: "SPARK" } as const

/** Links an account, registers a token and adds a wallet, before any fault. */
export const prepare = async (pay: AgentWorld) => {
  await pay.run(StablecoinProviderAccounts.use((all) => all.link(account, keyed("link"))))
  const registered = await pay.run(Stablecoins.use((all) => all.register(acme, keyed("register"))))
  const wallet = {
    customerId: pay.customerId,
    currency: "BTC",
    accountInfo: {
      accountType: "SPARK_WALLET",
      address: "spark1pgssy75lcn5suv6c0k3v0mq3xedcpfw2au2rjh5r4rxly9euvxr2h584rg25200",
    },
  } as const
  const created = await pay.run(ExternalAccounts.use((accounts) => accounts.create(wallet)))
  return { stablecoinId: registered.body.id, walletId: created.body.id }
}

export const begin = async (
  pay: AgentWorld,
  { stablecoinId, walletId }: Awaited<ReturnType<typeof prepare>>,
  retry: Retry,
): Promise<ReadonlyArray<string>> => {
  const amount = "1000000"
  const mint = { amount, fundingSource: { type: "WIRE" }, destination: { accountId: walletId } } as const
  const burn = {
    amount,
    source: { type: "EXTERNAL_ACCOUNT" },
    destination: { type: "EXTERNAL_ACCOUNT", externalAccountId: pay.sources["000"] ?? "", rail: "ACH_CREDIT" },
  } as const
  const minted = StablecoinOperations.use((all) => all.mint(stablecoinId, mint, keyed("mint")))
  const burned = StablecoinOperations.use((all) => all.burn(stablecoinId, burn, keyed("burn")))
  return [(await retry(() => pay.run(minted))).body.id, (await retry(() => pay.run(burned))).body.id]
}

/** Asserts that each operation has completed, and that the provider began it once. */
export const checkEnd = async (
  pay: AgentWorld,
  begun: ReadonlyArray<string>,
  operations: ReadonlyArray<string>,
): Promise<void> => {
  expect(begun).toEqual(operations)
  for (const id of operations) {
    expect(await pay.run(StablecoinOperations.use((all) => all.get(id)))).toMatchObject({ status: "COMPLETED" })
  }
}
