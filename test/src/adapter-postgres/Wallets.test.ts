/**
 * Wallets on PostgreSQL: each race has one winner, and no table contains a secret afterwards.
 * Source: D-140, D-141, D-143; wire contract 4.5 to 4.9.
 */

import { NodeCrypto } from "@countersign/adapter-http"
import { ExportBundle, type KeyPair, privateHex } from "@countersign/core/crypto"
import { OtpSender } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { vaultSecret } from "../../../packages/test/src/harness/World.ts"
import { fakeChecks, tokenOf } from "../wallet/FakeChecks.ts"
import { newKey, newWallet, opened, sealedCode, signed, signing, textAt } from "../wallet/People.ts"
import { proveRaces } from "../wallet/Races.ts"
import * as TestDatabase from "./TestDatabase.ts"

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(8)
}, 60_000)
afterAll(() => database.close())

// Each test has its own store, because worlds of one seed generate the same identifiers.
describe("races", { timeout: 120_000 }, () => {
  proveRaces(async () => harness({ store: await TestDatabase.emptiedWorld(database) }))
})

const dump = async (): Promise<string> => {
  const tables = await database.pool.query<{ readonly name: string }>(
    "select format('countersign.%I', tablename) as name from pg_tables where schemaname = 'countersign'",
  )
  const rows = await Promise.all(
    tables.rows.map(({ name }) =>
      database.pool.query<{ readonly row: string }>(`select t::text as row from ${name} t`),
    ),
  )
  return rows.flatMap((found) => found.rows.map(({ row }) => row)).join("\n")
}

const hexOf = (key: KeyPair): string => Redacted.value(privateHex(key))

describe("the tables", { timeout: 120_000 }, () => {
  it("contain none of the secrets that were used, in clear or in hex", async () => {
    const codes: Array<string> = []
    const sender = Layer.succeed(OtpSender, {
      send: ({ code }) => Effect.sync(() => void codes.push(Redacted.value(code))),
      // Long enough not to occur in a number by coincidence.
      draw: () => Effect.sync(() => Redacted.make(`OTPCODE${codes.length}WXYZ`)),
    })
    const ports = Layer.mergeAll(Sandbox.layer, sender, fakeChecks)
    await using pay = await harness({ store: await TestDatabase.emptiedWorld(database), ports })
    const { accountId, customerId, emailId } = await newWallet(pay)
    const key = await newKey()
    const challenge = async (id: string, code: string | undefined, type = "EMAIL_OTP") => {
      const bundle = textAt(await pay.send("POST", `/auth/credentials/${id}/challenge`), "otpEncryptionTargetBundle")
      const body = { type, encryptedOtpBundle: await sealedCode(bundle, key, code ?? codes.at(-1)) }
      return { bundle, body, reply: await pay.send("POST", `/auth/credentials/${id}/verify`, { body }) }
    }
    await challenge(emailId, "WRONGCODE123")
    const { body, reply } = await challenge(emailId, undefined)
    const verify = `/auth/credentials/${emailId}/verify`
    const session = await pay.send("POST", verify, { body, headers: await signing(reply, key) })
    const oidcToken = tokenOf({ sub: "ada-at-the-provider" })
    const oauth = await signed(pay, "POST", "/auth/credentials", key, { type: "OAUTH", accountId, oidcToken })
    const client = await newKey()
    const clientPublicKey = client.publicKey.uncompressed
    const fresh = tokenOf({ sub: "ada-at-the-provider", nonce: clientPublicKey })
    const signedIn = await pay.send("POST", `/auth/credentials/${textAt(oauth, "id")}/verify`, {
      body: { type: "OAUTH", oidcToken: fresh, clientPublicKey },
    })
    const delivered = textAt(signedIn, "encryptedSessionSigningKey")
    const held = await opened(client, delivered)
    const refreshed = await signed(pay, "POST", `/auth/sessions/${textAt(signedIn, "id")}/refresh`, held, {
      clientPublicKey,
    })
    const renewed = await opened(client, textAt(refreshed, "encryptedSessionSigningKey"))
    const exported = await signed(pay, "POST", `/internal-accounts/${accountId}/export`, renewed, { clientPublicKey })
    const sealedWords = textAt(exported, "encryptedWalletCredentials")
    const words = Redacted.value(
      await Effect.runPromise(Effect.provide(ExportBundle.open(client, sealedWords), NodeCrypto.layer())),
    )
    const number = "918273645"
    await signed(pay, "PATCH", `/customers/${customerId}`, renewed, {
      customerType: "INDIVIDUAL",
      email: "new@example.com",
      idType: "SSN",
      identifier: number,
    })
    const secrets = {
      "the vault's secret": vaultSecret,
      ...Object.fromEntries(codes.map((code, index) => [`code ${index}`, code])),
      "a wrong code": "WRONGCODE123",
      "a client's key": hexOf(key),
      "another client's key": hexOf(client),
      "a session's key": hexOf(held),
      "a refreshed session's key": hexOf(renewed),
      "a delivered bundle": delivered,
      "a refreshed bundle": textAt(refreshed, "encryptedSessionSigningKey"),
      "an exported bundle": sealedWords,
      "a sealed code": body.encryptedOtpBundle,
      words,
      "a token": oidcToken,
      "a token in JSON": JSON.stringify(oidcToken).slice(1, -1),
      "a fresh token": JSON.stringify(fresh).slice(1, -1),
      "a number": number,
    }
    const text = await dump()
    const known = [textAt(session, "id"), textAt(oauth, "id"), key.publicKey.compressed, held.publicKey.compressed]
    expect(known.filter((one) => !text.includes(one))).toEqual([])
    expect(codes.length).toBeGreaterThanOrEqual(2)
    expect(Object.values(secrets).filter((secret) => secret.length < 8)).toEqual([])
    const found = Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []))
    expect(found).toEqual([])
  })
})
