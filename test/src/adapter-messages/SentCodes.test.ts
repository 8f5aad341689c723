/**
 * What the ports of codes hand to the channels: the sender, the texts of each purpose, how long a code is valid; and what they refuse to start
 * with.
 * Source: wire contract 4.12, 5.12; D-322, D-528.
 */
import {
  CodeStore,
  HttpTexts,
  MailServer,
  MemoryCodes,
  Messages,
  PostgresCodes,
  type SecurityCodeOptions,
  TextGateway,
} from "@countersign/adapter-messages"
import { OtpSender, portChecksOf, SecurityCodes, withPortChecks } from "@countersign/core/ports"
import { Effect, Exit, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import type { Email } from "../../../packages/adapter-messages/src/MailServer.ts"

interface Sent {
  readonly mails: Array<Email>
  readonly texts: Array<{ readonly to: string; readonly text: string }>
}

const secret = Redacted.make("Qm3vXw8rTz5kLp2nHs7dJf4gBc9yVa6e")

/** Runs with channels that keep what they are given. */
const sentBy = async <A, E, P>(
  layer: Layer.Layer<P, E, MailServer | TextGateway>,
  use: Effect.Effect<A, unknown, P>,
): Promise<Sent> => {
  const sent: Sent = { mails: [], texts: [] }
  const channels = Layer.merge(
    Layer.succeed(MailServer, { send: (mail) => Effect.sync(() => void sent.mails.push(mail)) }),
    Layer.succeed(TextGateway, { send: (text) => Effect.sync(() => void sent.texts.push(text)) }),
  )
  const run = Effect.provide(use, Layer.provide(layer, channels))
  await Effect.runPromise(Effect.provide(run, TestClock.layer()))
  return sent
}

const wallet = (contact: string, settings: object = {}) =>
  sentBy(
    Messages.layerOtp({ appName: "Service" }),
    Effect.andThen(
      TestClock.setTime(1_000_000),
      OtpSender.use((port) =>
        port.send({
          platformId: "Platform:1",
          customerId: null,
          accountId: "InternalAccount:1",
          type: contact.startsWith("+") ? "SMS_OTP" : "EMAIL_OTP",
          contact,
          code: Redacted.make("731904"),
          expiresAt: 1_300_000,
          settings,
        }),
      ),
    ),
  )

describe("the code of a wallet", () => {
  it("is sent in the name of the service, with the time that is left", async () => {
    const { mails, texts } = await wallet("ada@example.com")
    expect(texts).toEqual([])
    expect(mails).toHaveLength(1)
    expect(mails[0]).toEqual({
      to: "ada@example.com",
      from: {},
      subject: "Your sign-in code for Service",
      text: expect.stringContaining("731904\n\nThe code is valid for 5 min."),
      html: expect.not.stringContaining("<img"),
    })
  })

  it("is sent in the name of the platform, from its address, with its logo", async () => {
    const { mails } = await wallet("ada@example.com", {
      appName: "Acme",
      logoUrl: "https://acme.example/logo.png",
      sendFromEmailAddress: "codes@acme.example",
      replyToEmailAddress: "help@acme.example",
    })
    expect(mails).toMatchObject([
      {
        subject: "Your sign-in code for Acme",
        from: { address: "codes@acme.example", name: "Acme" },
        replyTo: "help@acme.example",
        html: expect.stringContaining('<img src="https://acme.example/logo.png"'),
      },
    ])
    const named = await wallet("ada@example.com", { appName: "Acme", sendFromEmailSenderName: "Acme Codes" })
    expect(named.mails[0]?.from).toEqual({ name: "Acme Codes" })
  })

  it("is one text message", async () => {
    const { mails, texts } = await wallet("+14155550100", { appName: "Acme" })
    expect(mails).toEqual([])
    const text = "Acme: 731904 is your sign-in code. Valid for 5 min. Never share it."
    expect(texts).toEqual([{ to: "+14155550100", text }])
  })
})

const codes = (more: Partial<SecurityCodeOptions> = {}) =>
  Layer.provide(Messages.layerSecurityCodes({ appName: "Service", secret, ...more }), MemoryCodes.layer)

describe("a code that confirms", () => {
  it.each([
    ["phone", "{code} confirms your number. Valid for 10 min."],
    ["sca", "{code} is your approval code. Valid for 10 min."],
  ] as const)("by %s says what it is for, and has six digits", async (purpose, words) => {
    const address = "+14155550100"
    const { texts } = await sentBy(
      codes(),
      SecurityCodes.use((port) => port.send({ customerId: "Customer:1", purpose, address })),
    )
    expect(texts[0]?.text.replace(/\b\d{6}\b/u, "{code}")).toBe(`Service: ${words} Never share it.`)
  })

  it.each([4, 12])("has %i digits if the options say so, and their lifetime", async (length) => {
    const { mails } = await sentBy(
      codes({ length, lifetimeMillis: 60_000 }),
      SecurityCodes.use((port) => port.send({ customerId: "Customer:1", purpose: "email", address: "a@b.example" })),
    )
    expect(mails[0]?.text).toMatch(new RegExp(`\\n\\d{${length}}\\n\\nThe code is valid for 60 s\\.`, "u"))
    expect(mails[0]?.subject).toBe("Confirm your contact for Service")
  })

  it.each<[string, Partial<SecurityCodeOptions>]>([
    ["`length` must be a whole number from 4 to 12.", { length: 3 }],
    ["`length` must be a whole number from 4 to 12.", { length: 13 }],
    ["`length` must be a whole number from 4 to 12.", { length: 4.5 }],
    ["`attemptsMax` must be a whole number from 1 to 10.", { attemptsMax: 0 }],
    ["`attemptsMax` must be a whole number from 1 to 10.", { attemptsMax: 11 }],
    ["`attemptsMax` must be a whole number from 1 to 10.", { attemptsMax: 1.5 }],
    ["`lifetimeMillis` must be positive.", { lifetimeMillis: 0 }],
    ["`appName` must not be empty.", { appName: "" }],
  ])("does not start: %s %j", async (message, more) => {
    await expect(sentBy(codes(more), Effect.void)).rejects.toMatchObject({ message })
  })
})

it("the checks of its channels and of its codes are those of the port", async () => {
  const named = <S extends object>(service: S, name: string) =>
    withPortChecks(service, [{ name, run: Effect.succeed({ status: "ok", text: name }) }])
  const channels = Layer.merge(
    Layer.succeed(MailServer, named<MailServer["Service"]>({ send: () => Effect.void }, "mail")),
    Layer.succeed(TextGateway, named<TextGateway["Service"]>({ send: () => Effect.void }, "text")),
  )
  const reported = <P extends object>(layer: Layer.Layer<P, unknown, MailServer | TextGateway>) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(Layer.build(Layer.provide(layer, channels)), (context) =>
          Effect.forEach([...context.mapUnsafe.values()].flatMap(portChecksOf), ({ name, run }) =>
            Effect.map(run, ({ status, text }) => [name, status, text]),
          ),
        ),
      ),
    )
  const [mail, text] = [
    ["mail", "ok", "mail"],
    ["text", "ok", "text"],
  ]
  expect(await reported(Messages.layerOtp({ appName: "Service" }))).toEqual([mail, text])
  expect(await reported(codes())).toEqual([
    mail,
    text,
    ["security codes", "warning", "codes are in the memory of each process: another process does not know them"],
  ])
})

it("without a gateway a text message fails, and the check says so", async () => {
  const seen = await Effect.runPromise(
    TextGateway.use((gateway) =>
      Effect.all({
        sent: Effect.flip(gateway.send({ to: "+14155550100", text: "731904" })),
        report: portChecksOf(gateway)[0]?.run ?? Effect.void,
      }),
    ).pipe(Effect.provide(HttpTexts.layerNone)),
  )
  expect(seen.sent).toMatchObject({ channel: "sms", reason: "misconfigured" })
  expect(seen.report).toEqual({
    status: "warning",
    text: "none is configured: a code by text message fails with 500",
    fix: "configure one, or offer contacts by e-mail only",
  })
})

describe("the table of codes", () => {
  /** A pool that keeps the statements, and answers each. */
  const start = async (
    answer: (text: string) => Promise<{ readonly rows: ReadonlyArray<unknown> }>,
    table?: string,
  ) => {
    const asked: Array<readonly [string, unknown]> = []
    const pool = {
      query: (text: string, values?: Array<unknown>) => {
        asked.push([text, values])
        return answer(text)
      },
    }
    const checked = Effect.scoped(
      Effect.gen(function* () {
        const context = yield* Layer.build(PostgresCodes.layer({ pool, ...(table === undefined ? {} : { table }) }))
        return yield* Effect.forEach([...context.mapUnsafe.values()].flatMap(portChecksOf), ({ name, run }) =>
          Effect.map(run, (report) => ({ name, ...report })),
        )
      }),
    )
    const exit = await Effect.runPromiseExit(checked)
    return { asked, exit }
  }
  const found = (isFound: unknown) => async (text: string) => ({
    rows: text.includes("to_regclass") ? [{ found: isFound }] : [],
  })

  it("is not created if it exists, and its check reads it", async () => {
    const { asked, exit } = await start(found(true), "own.codes")
    expect(asked).toEqual([
      ["select to_regclass($1) is not null as found", ["own.codes"]],
      ["select from own.codes limit 1", undefined],
    ])
    expect(exit).toEqual(
      Exit.succeed([{ name: "security codes", status: "ok", text: "the table own.codes can be used" }]),
    )
  })

  it.each([false, "true", undefined])("is created under one lock if it is not found (%j)", async (isFound) => {
    const { asked } = await start(found(isFound))
    expect(asked[1]?.[0]).toBe(
      `select pg_advisory_xact_lock(hashtext('countersign codes')); ${PostgresCodes.schema("countersign_security_code")}`,
    )
  })

  it("keeps a code in one statement, and uses it up in another", async () => {
    const asked: Array<readonly [string, unknown]> = []
    const answers: Array<ReadonlyArray<unknown>> = [
      [{ found: true }],
      [],
      [{ used: true }],
      [{ used: false }],
      [],
      [null],
    ]
    const pool = {
      query: async (text: string, values?: Array<unknown>) => {
        asked.push([text, values])
        return { rows: answers.shift() ?? [] }
      },
    }
    const uses = await Effect.runPromise(
      CodeStore.use((store) =>
        Effect.andThen(
          store.keep("r", { digest: "d", expiresAt: 9, attemptsMax: 3 }, 1),
          Effect.forEach([2, 3, 4, 5], (now) => store.use("r", "d", now)),
        ),
      ).pipe(Effect.provide(PostgresCodes.layer({ pool, table: "t" }))),
    )
    expect(uses).toEqual([true, false, false, false])
    expect(asked[1]).toEqual([expect.stringMatching(/^with expired as .*\ninsert into t /su), ["r", "d", 9, 3, 1]])
    expect(asked[2]).toEqual([expect.stringMatching(/^update t set attempts = attempts \+ 1/u), ["r", "d", 2]])
  })

  it("names its index without its schema", () => {
    expect(PostgresCodes.schema("own.codes")).toContain("create index if not exists codes_expiry on own.codes (")
  })

  it.each([
    [{ code: "57P01" }, "57P01"],
    [{ code: 57 }, "no code"],
    [{ code: "a secret text" }, "no code"],
    [undefined, "no code"],
  ])("that fails with %j is reported as %s", async (error, code) => {
    const failing = async (text: string) => {
      if (text.includes("limit 1")) return Promise.reject(error)
      return { rows: [{ found: true }] }
    }
    const { exit } = await start(failing)
    expect(exit).toEqual(
      Exit.succeed([
        {
          name: "security codes",
          status: "problem",
          text: `the table of security codes cannot be used: ${code}`,
          fix: "start the database, or correct its address",
        },
      ]),
    )
  })

  it.each(["", "A", "1a", "a;b", "a.b.c", "a.", `a${"b".repeat(63)}`, "a b"])("is not named %j", async (table) => {
    const { asked, exit } = await start(found(true), table)
    expect(Exit.isFailure(exit)).toBe(true)
    expect(asked).toEqual([])
  })
})
