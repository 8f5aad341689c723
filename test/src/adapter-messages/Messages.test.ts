/**
 * The ports `OtpSender` and `SecurityCodes` by e-mail and text message pass their suites, with codes in memory and in PostgreSQL, and a
 * failure of a channel is a defect that shows nothing.
 * Source: D-322, D-528.
 */
import { CodeStore, HttpTexts, MemoryCodes, Messages, PostgresCodes, SmtpMail } from "@countersign/adapter-messages"
import { OtpSender, SecurityCodes } from "@countersign/core/ports"
import { otpSenderConformance, securityCodesConformance } from "@countersign/test/conformance"
import { Cause, Effect, Exit, Layer, Logger, Redacted, References } from "effect"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"
import { startMailReceiver } from "./MailReceiver.ts"
import { partOf } from "./MailText.ts"
import { startTextReceiver } from "./TextReceiver.ts"

const mailServer = await startMailReceiver({ security: "starttls" })
const gateway = await startTextReceiver()
const database = await TestDatabase.create()
afterAll(async () => {
  await mailServer[Symbol.asyncDispose]()
  await gateway[Symbol.asyncDispose]()
  await database.close()
})
beforeEach(() => {
  mailServer.reset()
  gateway.reset()
})

const channels = Layer.orDie(
  Layer.merge(
    SmtpMail.layer({
      host: "localhost",
      port: mailServer.port,
      security: "starttls",
      ca: mailServer.ca,
      from: { address: "codes@acme.example" },
      timeoutMillis: 2000,
      deadlineMillis: 4000,
    }),
    HttpTexts.layer({ url: gateway.url, body: { form: { to: "{to}", text: "{text}" } }, deadlineMillis: 1000 }),
  ),
)

const received = Effect.sync(() => [
  ...mailServer.mails.map(({ raw, to }) => ({ to: to.join(), text: partOf(raw, "text/plain") })),
  ...gateway.messages,
])
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

const secret = Redacted.make("Qm3vXw8rTz5kLp2nHs7dJf4gBc9yVa6e")
const lifetimeMillis = 600_000
const codes = (store: Layer.Layer<CodeStore>) =>
  Layer.orDie(Messages.layerSecurityCodes({ appName: "Acme", secret, lifetimeMillis })).pipe(
    Layer.provide(channels),
    Layer.provide(store),
  )
const inPostgres = (table?: string, pool = database.pool) =>
  Layer.orDie(PostgresCodes.layer({ pool, ...(table === undefined ? {} : { table }) }))

const mailRequests = (["email", "sca"] as const).map((purpose) => ({
  customerId: `Customer:${purpose}`,
  purpose,
  address: `${purpose}@example.com`,
}))
const phoneRequests = [{ customerId: "Customer:phone", purpose: "phone" as const, address: "+4915112345678" }]

for (const [name, store] of [
  ["codes in memory", MemoryCodes.layer],
  ["codes in PostgreSQL", inPostgres()],
] as const) {
  securityCodesConformance(`e-mail, ${name}`, codes(store), { requests: mailRequests, received, lifetimeMillis })
  securityCodesConformance(`text messages, ${name}`, codes(store), {
    requests: phoneRequests,
    received,
    lifetimeMillis,
  })
}

const request = { customerId: "Customer:1", purpose: "phone" as const, address: "+14155550100" }
const run = <A, E, R>(effect: Effect.Effect<A, E, R>, layer: Layer.Layer<R>) =>
  Effect.runPromise(Effect.provide(effect, layer, { local: true }))

describe("codes in PostgreSQL", () => {
  it("are shared by processes: one of many concurrent checks is right, and the limit holds for all", async () => {
    const pools = [database.another(4), database.another(4), database.another(4)]
    const stores = pools.map((pool) => inPostgres("shared_code", pool))
    const onEach = <A>(use: (store: CodeStore["Service"]) => Effect.Effect<A>) =>
      Promise.all(stores.map((store) => run(CodeStore.use(use), store)))
    await onEach((store) => store.keep("a", { digest: "right", expiresAt: 100, attemptsMax: 60 }, 1))
    const many = (digest: string) => (store: CodeStore["Service"]) =>
      Effect.all(
        Array.from({ length: 12 }, () => store.use("a", digest, 2)),
        { concurrency: "unbounded" },
      )
    const right = (await onEach(many("right"))).flat().filter((isRight) => isRight)
    expect(right).toHaveLength(1)
    await onEach((store) => store.keep("a", { digest: "right", expiresAt: 100, attemptsMax: 36 }, 1))
    await onEach(many("wrong"))
    expect((await onEach(many("right"))).flat()).not.toContain(true)
  })

  it("have no code and no contact in the table, and expired ones are removed", async () => {
    await run(
      SecurityCodes.use((port) => port.send(request)),
      codes(inPostgres("plain_code")),
    )
    const code = /\d{6}/u.exec(gateway.messages[0]?.text ?? "")?.[0] ?? "no code"
    const rows = async () => (await database.pool.query("select * from plain_code")).rows
    const shown = JSON.stringify(await rows())
    expect(shown).not.toContain(`"${code}"`)
    expect(shown).not.toMatch(/4155550100|Customer/u)
    const later = Date.now() + 2 * lifetimeMillis
    await run(
      CodeStore.use((store) => store.keep("next", { digest: "d", expiresAt: later + 1, attemptsMax: 1 }, later)),
      inPostgres("plain_code"),
    )
    expect((await rows()).map(({ recipient }) => recipient)).toEqual(["next"])
  })

  it("need no right to create the table if it exists, and start together if it does not", async () => {
    const starting = () =>
      run(
        CodeStore.use((store) => store.use("a", "b", 1)),
        inPostgres("new_code", database.another(1)),
      )
    expect(await Promise.all(Array.from({ length: 4 }, starting))).toEqual([false, false, false, false])
    await database.pool.query(PostgresCodes.schema("made_code"))
    const texts: Array<string> = []
    const recording = {
      query: (text: string, values?: Array<unknown>) => {
        texts.push(text)
        return database.pool.query(text, values)
      },
    }
    await run(
      CodeStore.use((store) => store.use("a", "b", 1)),
      Layer.orDie(PostgresCodes.layer({ pool: recording, table: "made_code" })),
    )
    expect(texts.filter((text) => text.includes("create"))).toEqual([])
  })

  it("refuse a name that is no table, and a failure has the code of the database only", async () => {
    const start = (
      table: string,
      pool = { query: () => Promise.reject(Object.assign(new Error("secret"), { code: "57P01" })) },
    ) => Effect.runPromiseExit(Effect.scoped(Layer.build(PostgresCodes.layer({ pool, table }))))
    expect(JSON.stringify(await start("a; drop table b"))).toContain("`table`")
    const failed = JSON.stringify(await start("fine"))
    expect(failed).toContain("57P01")
    expect(failed).not.toContain("secret")
  })
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
