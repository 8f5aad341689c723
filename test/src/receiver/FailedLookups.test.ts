/**
 * Failures of the UMA network: while an address is looked up, and afterwards while a platform or an agent asks for a quote.
 * Source: wire contract 5.10 and 8.2; D-251.
 */
import { UmaNetwork, type UmaTrouble } from "@countersign/core/ports"
import { SandboxUma } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { at, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import { withQuotingAgent } from "../agent/AgentQuoteSteps.ts"

const address = "$success.usd@uma.sandbox.example"

/** The sandbox's network, until `fail` is called. */
const network = () => {
  let trouble: UmaTrouble | undefined
  const ports = Layer.effect(
    UmaNetwork,
    Effect.map(UmaNetwork, (sandbox) => ({
      ...sandbox,
      find: (...asked: Parameters<typeof sandbox.find>) =>
        trouble === undefined ? sandbox.find(...asked) : Effect.succeed(trouble),
    })),
  ).pipe(Layer.provide(SandboxUma.layer))
  const fail = (code: UmaTrouble["code"]) => {
    trouble = { _tag: "Trouble", code, message: "It said so." }
  }
  return { ports, fail }
}

const failures = [
  ["UNSUPPORTED_UMA_VERSION", 412],
  ["LNURLP_REQUEST_FAILED", 424],
  ["NO_COMPATIBLE_UMA_VERSION", 424],
  ["COUNTERPARTY_PUBKEY_FETCH_ERROR", 424],
  ["PARSE_LNURLP_RESPONSE_ERROR", 400],
  ["SENDER_NOT_ACCEPTED", 400],
  ["LOOKUP_REQUEST_FAILED", 400],
  ["NOT_IMPLEMENTED", 501],
] as const

// Proves: ERR-PARSE_LNURLP_RESPONSE_ERROR, ERR-SENDER_NOT_ACCEPTED, ERR-LOOKUP_REQUEST_FAILED
it.each(failures)("answers %s of the network with status %i to a lookup and to a quote", async (code, status) => {
  const { fail, ports } = network()
  await using harness = await quoteHarness({ ports })
  await harness.fund("USD", 100_000)
  const pay = await withQuotingAgent(harness)
  const lookUp = () => pay.send("GET", `/receiver/uma/${encodeURIComponent(address)}`)
  const quote = {
    lookupId: at(await lookUp(), "lookupId"),
    source: { sourceType: "ACCOUNT", accountId: await pay.accountId("USD") },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: address },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 10_000,
    senderCustomerInfo: { FULL_NAME: "Ada Lovelace" },
  }
  expect([(await pay.quote(quote)).status, (await pay.ask(quote)).status]).toEqual([201, 201])
  fail(code)
  const failed = { status, body: { code, message: "It said so." } }
  expect(await lookUp()).toMatchObject(failed)
  expect(await pay.quote(quote)).toMatchObject(failed)
  expect(await pay.ask(quote)).toMatchObject(failed)
})
