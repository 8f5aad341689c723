/** The module of ports that the guide shows has all ports of live mode, sends codes, and reads rates. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { externalPorts } from "@countersign/adapter-http"
import { ExchangeRates, OtpSender, refuseSandboxOnly, SecurityCodes } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { expect, it } from "vitest"
import { startMailReceiver } from "../../adapter-messages/MailReceiver.ts"
import { partOf } from "../../adapter-messages/MailText.ts"
import { startTextReceiver } from "../../adapter-messages/TextReceiver.ts"
import * as TestDatabase from "../../adapter-postgres/TestDatabase.ts"
import { dateOf, xmlOf } from "../../adapter-rates/Tables.ts"
import module, { livePorts } from "./Ports.ts"

it("the ports of live mode send codes in the customer's language, check them, and have rates", async () => {
  const database = await TestDatabase.create()
  const folder = await mkdtemp(join(tmpdir(), "rates-"))
  await using mail = await startMailReceiver({ security: "starttls" })
  await using gateway = await startTextReceiver()
  try {
    const ratesFile = join(folder, "rates.xml")
    await writeFile(ratesFile, xmlOf(dateOf(Date.now()), { USD: "1.25" }))
    const ports = livePorts({
      mail: {
        host: "localhost",
        port: mail.port,
        ca: mail.ca,
        auth: { user: "sender", password: Redacted.make("the-password-of-the-mail-server") },
        from: { address: "codes@acme.example" },
      },
      gatewayUrl: gateway.url,
      gatewayToken: Redacted.make("Bearer token"),
      codeSecret: Redacted.make("vW4sKx9qLm2bTn7cYr5dHp8fGz3jUe6a"),
      pool: database.pool,
      ratesFile,
      languageOf: async (customerId) => (customerId === "Customer:2" ? "fr" : "de"),
    })
    const checked = Effect.gen(function* () {
      const context = yield* Effect.context<Layer.Success<typeof ports>>()
      const found = Object.values(externalPorts).filter(({ key }) => context.mapUnsafe.has(key))
      const sender = yield* OtpSender
      yield* sender.send({
        platformId: "Platform:1",
        customerId: "Customer:1",
        accountId: "InternalAccount:1",
        type: "EMAIL_OTP",
        contact: "ada@example.com",
        code: Redacted.make("731904"),
        expiresAt: Date.now() + 300_000,
        settings: { appName: "Acme Wallet" },
      })
      const codes = yield* SecurityCodes
      const request = { customerId: "Customer:2", purpose: "phone" as const, address: "+14155550100" }
      yield* codes.send(request)
      const text = gateway.messages[0]?.text ?? ""
      const isRight = yield* codes.check(request, Redacted.make(/\d{6}/u.exec(text)?.[0] ?? ""))
      const { rate } = yield* ExchangeRates
      return { ports: found.length, text, isRight, rate: yield* rate("USDC", "EUR") }
    })
    const {
      isRight,
      ports: count,
      rate,
      text,
    } = await Effect.runPromise(Effect.provide(checked, refuseSandboxOnly(ports)))
    expect(count).toBe(7)
    expect(partOf(mail.mails[0]?.raw ?? "", "text/plain")).toMatch(/Acme Wallet[\s\S]*731904[\s\S]*gültig/u)
    expect(text).toContain("confirme votre contact")
    expect(isRight).toBe(true)
    expect(rate).toMatchObject({ numerator: 251n, denominator: 200n })
    expect(Layer.isLayer(module)).toBe(true)
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
})
