/**
 * Complete wallet flows over HTTP for each type of credential, with real cryptography: codes that were generated and sent, passkeys
 * and tokens under live checks, and the signed client.
 */

import { WalletChecks } from "@countersign/adapter-http"
import { OtpSender } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { type OidcProvider, oidcProvider } from "../../../packages/test/src/harness/OidcProvider.ts"
import { serviceNames } from "../names/ServiceNames.ts"
import { credentialTypes, walletFlow } from "./WalletFlow.ts"

let provider: OidcProvider
beforeAll(async () => {
  provider = await oidcProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

/** Records each code by its contact. */
const post = () => {
  const codes = new Map<string, string>()
  const layer = Layer.succeed(OtpSender, {
    send: ({ code, contact }) => Effect.sync(() => void codes.set(contact, Redacted.value(code))),
  })
  return { layer, codeOf: (contact: string) => codes.get(contact) ?? "" }
}

const keysOf = ({ baseUrl, clock, credentials, fetch }: Harness, serviceName: string) => ({
  serviceName,
  baseUrl,
  fetch,
  headers: { authorization: `Basic ${btoa(`${credentials.clientId}:${credentials.clientSecret}`)}` },
  now: clock.now,
})

// Proves: RES-CRED-01
// Proves: STATE-SESSION-01, STATE-SESSION-04, STATE-SESSION-07, STATE-SESSION-08, STATE-SESSION-12, EP-WALLET-05, EP-WALLET-06
// Proves: EP-WALLET-07, EP-WALLET-08, EP-WALLET-27, EP-WALLET-37
it.each(credentialTypes.flatMap((type) => serviceNames.map((name) => [type, name] as const)))(
  "registers, uses, refreshes, adds and revokes credentials, beginning with %s, at the service %s",
  async (type, serviceName) => {
    const { codeOf, layer } = post()
    const checks = WalletChecks.layer({ issuers: [provider.issuer] })
    await using pay = await harness({ ports: Layer.mergeAll(Sandbox.layer, checks, layer), serviceName })
    const person = { issuer: provider.issuer }
    const flow = await walletFlow(type, keysOf(pay, serviceName), {
      codeOf,
      person,
      tokenOf: provider.token,
      seed: type,
    })
    const names = new Set(flow.secrets.map(([name]) => name))
    expect(names).toContain("a private key")
    expect(names).toContain("the words")
  },
)

it("refuses a token with an invalid signature", async () => {
  const checks = WalletChecks.layer({ issuers: [provider.issuer] })
  await using pay = await harness({ ports: Layer.mergeAll(Sandbox.layer, checks) })
  const device = await pay.device({ contacts: {}, person: { issuer: provider.issuer } })
  await expect(device.register("OAUTH")).rejects.toMatchObject({ status: 401, reason: "Invalid token signature" })
})
