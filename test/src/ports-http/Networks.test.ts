/** The ports that replace defaults of the service, asked over HTTP: `null` is `undefined`, and a lost answer is no answer. */
import {
  DepositScreening,
  DomainOwnership,
  NetworkFees,
  PortUnavailable,
  UmaNetwork,
  VaspDirectory,
} from "@countersign/core/ports"
import { httpPorts } from "@countersign/ports-http"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { expect, it } from "vitest"
import { portServer, serverSecret } from "./PortServer.ts"

const withdrawal = { currency: "USDC", network: "SOLANA", amount: 5, destinationAddress: "a" } as const
const deposit = {
  transactionId: "Transaction:1",
  currency: "USD",
  amount: 5,
  source: {},
  accountId: "InternalAccount:1",
  customerId: null,
  regionalHold: "COMPLIANCE_REVIEW",
} as const
const claim = { domain: "a.example", platformId: "Platform:1", record: { name: "_a", value: "b" } }

const asked = Effect.gen(function* () {
  const { find, providers, requirements = Effect.succeed([]) } = yield* UmaNetwork
  const { screen, transactionHash } = yield* DepositScreening
  return {
    found: yield* find("$ada@a.example", undefined),
    providers: yield* providers,
    requirements: yield* requirements,
    fees: yield* Effect.flatMap(NetworkFees, ({ estimate }) => estimate(withdrawal)),
    exchanges: yield* Effect.flatMap(VaspDirectory, ({ entries }) => entries),
    domain: yield* Effect.flatMap(DomainOwnership, ({ check }) => check(claim)),
    verdict: yield* screen(deposit),
    hash: yield* transactionHash(deposit),
  }
})

const over = (url: string) => {
  const ports = httpPorts({ url, secrets: [Redacted.make(serverSecret)] })
  const { depositScreening, domainOwnership, networkFees, umaNetwork, vaspDirectory } = ports
  return Layer.mergeAll(depositScreening, domainOwnership, networkFees, umaNetwork, vaspDirectory)
}

const answers: { readonly [path: string]: object } = {
  "/ports/uma-network/find": { outcome: "NotFound" },
  "/ports/uma-network/providers": { result: [] },
  "/ports/uma-network/requirements": { result: [{ currency: "EUR", customer: ["FULL_NAME"], counterparty: [] }] },
  "/ports/network-fees/estimate": { result: null },
  "/ports/vasp-directory/entries": { result: [{ vaspName: "An exchange" }] },
  "/ports/domain-ownership/check": { result: "PROVEN" },
  "/ports/deposit-screening/screen": { outcome: "Hold", reason: "COMPLIANCE_REVIEW" },
  "/ports/deposit-screening/transaction-hash": { result: null },
}

it("answer as their server does", async () => {
  await using server = await portServer(({ path }) => answers[path] ?? {})
  expect(await Effect.runPromise(Effect.provide(asked, over(server.url)))).toEqual({
    found: { _tag: "NotFound" },
    providers: [],
    requirements: [{ currency: "EUR", customer: ["FULL_NAME"], counterparty: [] }],
    fees: undefined,
    exchanges: [{ vaspName: "An exchange" }],
    domain: "PROVEN",
    verdict: { _tag: "Hold", reason: "COMPLIANCE_REVIEW" },
    hash: undefined,
  })
  expect(server.calls.map(({ path }) => path).toSorted()).toEqual(Object.keys(answers).toSorted())
  expect(server.calls.find(({ path }) => path.endsWith("/screen"))?.request).toEqual(deposit)
})

it("are unavailable, and credit nothing, without an answer", async () => {
  await using server = await portServer(() => ({}))
  const screened = Effect.flatMap(DepositScreening, ({ screen }) => screen(deposit))
  const exit = await Effect.runPromiseExit(Effect.provide(screened, over(server.url)))
  expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBeInstanceOf(PortUnavailable)
})
