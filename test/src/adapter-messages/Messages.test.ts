/**
 * The ports `OtpSender` and `SecurityCodes` by e-mail and text message pass their suites, and a failure of a channel is a defect that shows
 * nothing.
 * Source: D-322, D-528.
 */
import { MemoryCodes, Messages } from "@countersign/adapter-messages"
import { OtpSender } from "@countersign/core/ports"
import { otpSenderConformance, securityCodesConformance } from "@countersign/test/conformance"
import { Cause, Effect, Exit, Layer, Logger, Redacted, References } from "effect"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { lifetimeMillis, mailRequests, phoneRequests, startMessageWorld } from "./MessageWorld.ts"

const world = await startMessageWorld()
afterAll(world.close)
beforeEach(world.reset)

const { channels, codes, gateway, mailServer, received } = world
/** Mails are listed before text messages, so that each suite asks about one channel. */
const otp = Messages.layerOtp({ appName: "Acme" }).pipe(Layer.provide(channels))

otpSenderConformance("by e-mail", otp, {
  contacts: ["ada@example.com", "o'brien+1@mail.example.com"].map((contact) => ({ type: "EMAIL_OTP", contact })),
  received,
})
otpSenderConformance("by text message", otp, {
  contacts: ["+14155550100", "+4915112345678"].map((contact) => ({ type: "SMS_OTP", contact })),
  received,
})

const inMemory = codes(MemoryCodes.layer)
securityCodesConformance("e-mail, codes in memory", inMemory, { requests: mailRequests, received, lifetimeMillis })
securityCodesConformance("text messages, codes in memory", inMemory, {
  requests: phoneRequests,
  received,
  lifetimeMillis,
})

describe("a message that cannot be sent", () => {
  /** Sends a code to a contact, and returns the outcome with everything that was logged. */
  const attempt = async (type: "EMAIL_OTP" | "SMS_OTP", contact: string) => {
    const lines: Array<string> = []
    const logging = Layer.merge(
      Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))]),
      Layer.succeed(References.MinimumLogLevel, "All"),
    )
    const sending = OtpSender.use((port) =>
      port.send({
        platformId: "Platform:1",
        customerId: null,
        accountId: "InternalAccount:1",
        type,
        contact,
        code: Redacted.make("731904"),
        expiresAt: Date.now() + 60_000,
        settings: {},
      }),
    )
    const exit = await Effect.runPromiseExit(
      sending.pipe(Effect.provide(otp, { local: true }), Effect.provide(logging)),
    )
    const defect = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "sent"
    expect(`${lines.join()} ${defect}`).not.toMatch(/731904|ada@|415555/u)
    return { defect, log: lines.join() }
  }

  it("is a defect with the class of the failure", async () => {
    mailServer.refuse((stage) => (stage === "data" ? { status: 554, text: "ada@example.com 731904" } : undefined))
    expect((await attempt("EMAIL_OTP", "ada@example.com")).defect).toContain("(refused, status 554)")
    gateway.fail(() => ({ status: 403, body: "+14155550100" }))
    expect((await attempt("SMS_OTP", "+14155550100")).defect).toContain("(credentials, status 403)")
  })

  it("because its recipient is refused is logged and no failure, so that nobody learns who has a mailbox", async () => {
    mailServer.refuse((stage) => (stage === "recipient" ? { status: 550, text: "no ada@example.com" } : undefined))
    const { defect, log } = await attempt("EMAIL_OTP", "ada@example.com")
    expect(defect).toBe("sent")
    expect(log).toContain("the recipient is refused")
  })
})

it("a weak secret of security codes is refused and not shown", async () => {
  const start = (text: string) =>
    Effect.runPromiseExit(
      Effect.scoped(
        Layer.build(
          Messages.layerSecurityCodes({ appName: "Acme", secret: Redacted.make(text) }).pipe(
            Layer.provide(channels),
            Layer.provide(MemoryCodes.layer),
          ),
        ),
      ),
    )
  const refused = JSON.stringify(await start("short-secret"))
  expect(refused).toContain("`secret` has fewer than 32 characters")
  expect(refused).not.toContain("short-secret")
})
