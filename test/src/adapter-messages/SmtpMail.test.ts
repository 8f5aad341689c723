/**
 * E-mails by SMTP: what arrives, over which connection, what is repeated, and which class a failure has.
 * Source: D-528.
 */
import { MailServer, SmtpMail, type SmtpOptions } from "@countersign/adapter-messages"
import { Effect, Exit, Fiber, Layer, Logger, Redacted, References } from "effect"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { answering, startBrokenServer } from "./BrokenServer.ts"
import { type MailReceiverOptions, startMailReceiver } from "./MailReceiver.ts"
import { partOf } from "./MailText.ts"

const server = await startMailReceiver()
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => server.reset())

const password = "the-password-of-the-mail-server"
const auth = { user: "sender", password: Redacted.make(password) }
const optionsFor = (port: number, more: Partial<SmtpOptions> = {}): SmtpOptions => ({
  host: "localhost",
  port,
  security: "none",
  from: { address: "codes@acme.example", name: "Acme" },
  timeoutMillis: 5000,
  deadlineMillis: 20_000,
  ...more,
})
const email = {
  to: "ada@example.com",
  subject: "Your code",
  text: "Your code is 731904.\n",
  html: "<p>731904</p>",
}

interface Logged {
  readonly log: string
  readonly exit: Exit.Exit<unknown, unknown>
}

/** Runs with a server, and returns everything that was logged. */
const using = async (
  options: SmtpOptions,
  use: (mail: MailServer["Service"]) => Effect.Effect<unknown, unknown>,
): Promise<Logged> => {
  const lines: Array<string> = []
  const logging = Layer.merge(
    Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))]),
    Layer.succeed(References.MinimumLogLevel, "All"),
  )
  const exit = await Effect.runPromiseExit(
    Effect.flatMap(MailServer, use).pipe(Effect.provide(Layer.provideMerge(SmtpMail.layer(options), logging))),
  )
  return { exit, log: lines.join("\n") }
}
const sendOne = (options: SmtpOptions) => using(options, (mail) => mail.send(email))
const reasonOf = ({ exit }: Logged): unknown => (Exit.isFailure(exit) ? JSON.stringify(exit) : "sent")

describe("a mail", () => {
  it("has the sender, one recipient, an identifier of its own, and both parts", async () => {
    const { exit } = await using(optionsFor(server.port), (mail) =>
      Effect.andThen(mail.send(email), mail.send({ ...email, from: { address: "help@acme.example", name: "Help" } })),
    )
    expect(Exit.isSuccess(exit)).toBe(true)
    const [first, second] = server.mails
    expect(first).toMatchObject({ from: "codes@acme.example", to: ["ada@example.com"] })
    expect(first?.headers).toMatch(/^From: Acme <codes@acme\.example>$/mu)
    expect(first?.headers).toMatch(/^Auto-Submitted: auto-generated$/mu)
    expect(partOf(first?.raw ?? "", "text/plain")).toBe(`${email.text}\n`)
    expect(partOf(first?.raw ?? "", "text/html")).toContain(email.html)
    expect(second).toMatchObject({ from: "help@acme.example" })
    const identifiers = server.mails.map(({ headers }) => /^Message-ID: (<.+@acme\.example>)$/imu.exec(headers)?.[1])
    expect(new Set(identifiers).size).toBe(2)
    expect(identifiers).not.toContain(undefined)
  })

  it("is sent as the platform only from a domain of the server; a foreign address gets the replies", async () => {
    await using(optionsFor(server.port, { senderDomains: ["acme.example", "Shop.example"] }), (mail) =>
      Effect.all([
        mail.send({ ...email, from: { address: "a@shop.example" } }),
        mail.send({ ...email, from: { address: "a@bank.example", name: "Bank" } }),
        mail.send({ ...email, from: { address: "a@bank.example" }, replyTo: "b@bank.example" }),
      ]),
    )
    expect(server.mails.map(({ from }) => from)).toEqual(["a@shop.example", "codes@acme.example", "codes@acme.example"])
    const replies = server.mails.map(({ headers }) => /^Reply-To: (.*)$/mu.exec(headers)?.[1])
    expect(replies).toEqual([undefined, "a@bank.example", "b@bank.example"])
  })

  it.each([
    "ada@example.com\r\nBcc: eve@example.com",
    "ada@example.com, eve@example.com",
    "Ada <ada@example.com>",
    '"ada eve@example.com"@example.com',
    "ada@example.com>",
    "ada",
    "",
  ])("is not sent to %j, which is not one address", async (to) => {
    const sent = await using(optionsFor(server.port), (mail) => mail.send({ ...email, to }))
    expect(reasonOf(sent)).toContain('"reason":"recipient"')
    expect(server.mails).toEqual([])
  })

  it("has no more headers if its names contain some", async () => {
    const hostile = "Acme\r\nBcc: eve@example.com\r\n\r\nText"
    await using(optionsFor(server.port), (mail) =>
      mail.send({
        ...email,
        subject: hostile,
        from: { name: hostile },
        replyTo: "a@b.example\r\nBcc: eve@example.com",
      }),
    )
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]?.to).toEqual(["ada@example.com"])
    expect(server.mails[0]?.headers).not.toMatch(/^Bcc:/imu)
  })
})

describe("the connections", () => {
  it("are kept for the next mail, and no more than allowed", async () => {
    const before = server.connections()
    const { exit } = await using(optionsFor(server.port, { connectionsMax: 2 }), (mail) =>
      Effect.forEach(Array.from({ length: 12 }), () => mail.send(email), { concurrency: "unbounded" }),
    )
    expect(Exit.isSuccess(exit)).toBe(true)
    expect(server.mails).toHaveLength(12)
    expect(server.connections() - before).toBeLessThanOrEqual(2)
  })

  it("that the server has ended are replaced without a failure", async () => {
    const { exit } = await using(optionsFor(server.port), (mail) =>
      Effect.gen(function* () {
        yield* mail.send(email)
        server.cut()
        yield* mail.send(email)
      }),
    )
    expect(Exit.isSuccess(exit)).toBe(true)
    expect(server.mails).toHaveLength(2)
  })

  it.each(["tls", "starttls"] as const)(
    "are encrypted by %s with a trusted certificate, and sign in",
    async (security) => {
      await withReceiver(security, {}, async (receiver) => {
        const sent = await sendOne(optionsFor(receiver.port, { security, ca: receiver.ca, auth }))
        expect(reasonOf(sent)).toBe("sent")
        expect(receiver.mails).toMatchObject([{ isEncrypted: true }])
      })
    },
  )

  it.each([
    ["tls", "localhost", false],
    ["starttls", "localhost", false],
    ["tls", "mail.example.com", true],
    ["starttls", "mail.example.com", true],
  ] as const)("by %s to a certificate of %s, trusted: %j, end the start", async (security, certified, isTrusted) => {
    await withReceiver(security, { certified }, async (receiver) => {
      const sent = await sendOne(
        optionsFor(receiver.port, { security, auth, ...(isTrusted ? { ca: receiver.ca } : {}) }),
      )
      expect(reasonOf(sent)).toContain("certificate")
      expect(receiver.mails).toEqual([])
    })
  })

  it("are not used in clear if the server has no STARTTLS", async () => {
    const sent = await sendOne(optionsFor(server.port, { security: "starttls", auth }))
    expect(reasonOf(sent)).toContain("MessagesUnusable")
    expect(server.mails).toEqual([])
  })
})

/** A receiver of its own. */
const withReceiver = async (
  security: "tls" | "starttls",
  options: MailReceiverOptions,
  use: (receiver: Awaited<ReturnType<typeof startMailReceiver>>) => Promise<void>,
) => {
  await using receiver = await startMailReceiver({ security, ...options })
  await use(receiver)
}

describe("a refusal", () => {
  it.each([
    ["recipient", 450, "busy"],
    ["recipient", 550, "recipient"],
    ["mail", 421, "busy"],
    ["mail", 550, "refused"],
    ["data", 451, "busy"],
    ["data", 554, "refused"],
  ] as const)("of the %s with %i is %s, and quotes nothing", async (stage, status, reason) => {
    server.refuse((at) => (at === stage ? { status, text: `no ${email.to} 731904` } : undefined))
    const sent = await sendOne(optionsFor(server.port, { deadlineMillis: 1500 }))
    expect(reasonOf(sent)).toContain(`"reason":"${reason}"`)
    expect(`${reasonOf(sent)} ${sent.log}`).not.toMatch(/ada@|731904/u)
  })

  it("that passes is repeated with the same identifier, and one that stays is not", async () => {
    const identifiers: Array<string> = []
    server.refuse((stage, times) => (stage === "data" && times < 3 ? { status: 451, text: "later" } : undefined))
    expect(reasonOf(await sendOne(optionsFor(server.port)))).toBe("sent")
    expect(server.mails).toHaveLength(1)
    server.refuse((stage, times) => {
      if (stage === "recipient") identifiers.push(String(times))
      return stage === "recipient" ? { status: 550, text: "no" } : undefined
    })
    await sendOne(optionsFor(server.port))
    expect(identifiers).toEqual(["1"])
  })

  it("of the credentials ends the start without showing them, and at a policy is not the recipient's fault", async () => {
    const wrong = { user: "sender", password: Redacted.make("another-password") }
    const sent = await sendOne(optionsFor(server.port, { auth: wrong }))
    expect(reasonOf(sent)).toContain("credentials")
    expect(`${reasonOf(sent)} ${sent.log}`).not.toContain("another-password")
    server.refuse((stage) => (stage === "recipient" ? { status: 550, text: "5.7.1 relaying denied" } : undefined))
    expect(reasonOf(await sendOne(optionsFor(server.port)))).toContain('"reason":"refused"')
  })
})

describe("a broken server", () => {
  const sendTo = async (port: number, more: Partial<SmtpOptions> = {}) =>
    sendOne(optionsFor(port, { timeoutMillis: 100, deadlineMillis: 400, ...more }))

  it("that nobody runs does not end the start, and its failure names no contact", async () => {
    await using gone = await startBrokenServer(() => undefined)
    const { port } = gone
    await gone[Symbol.asyncDispose]()
    const sent = await sendTo(port)
    expect(reasonOf(sent)).toContain('"reason":"unreachable"')
    expect(sent.log).toContain("the mail server cannot be used now")
    expect(`${reasonOf(sent)} ${sent.log}`).not.toMatch(/ada@|731904/u)
  })

  it.each([
    ["is silent", () => undefined, "slow"],
    ["ends in the middle of its greeting", (write: (text: string) => void) => write("220 rea"), "slow"],
    ["never ends its greeting", (write: (text: string) => void) => write("220-more\r\n".repeat(5000)), "unreachable"],
  ] as const)("that %s is not waited for", async (_, serve, reason) => {
    await using broken = await startBrokenServer((socket) => serve((text) => void socket.write(text)))
    const limits = reason === "slow" ? {} : { timeoutMillis: 5000, deadlineMillis: 1500 }
    expect(reasonOf(await sendTo(broken.port, limits))).toContain(`"reason":"${reason}"`)
  })

  it("that ends before it confirms may have the mail: it gets the same one again", async () => {
    const identifiers: Array<string> = []
    let isConfirmed = false
    await using broken = await startBrokenServer((socket) => {
      socket.on("data", (bytes: Buffer) => {
        const found = /^Message-ID: (.+)\r$/imu.exec(bytes.toString())?.[1]
        if (found !== undefined) identifiers.push(found)
      })
      answering(socket, (command) => {
        if (command === "DATA") return "354 go on\r\n"
        if (command !== ".") return "250 fine\r\n"
        if (!isConfirmed) {
          isConfirmed = true
          return undefined
        }
        return "250 kept\r\n"
      })
    })
    expect(reasonOf(await sendTo(broken.port, { timeoutMillis: 5000, deadlineMillis: 20_000 }))).toBe("sent")
    expect(identifiers).toHaveLength(2)
    expect(new Set(identifiers).size).toBe(1)
  })

  it("gets nothing more of a mail that its caller has given up", async () => {
    let commands: ReadonlyArray<string> = []
    let isClosed = false
    await using broken = await startBrokenServer((socket) => {
      socket.on("close", () => {
        isClosed = true
      })
      answering(socket, (command) => {
        commands = [...commands, command]
        return command === "RCPT" ? "" : "250 fine\r\n"
      })
    })
    const sending = Effect.gen(function* () {
      const mail = yield* MailServer
      const fiber = yield* Effect.forkChild(mail.send(email))
      yield* Effect.promise(() =>
        eventually(
          "the recipient",
          () => commands,
          (all) => all.includes("RCPT"),
        ),
      )
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() =>
        eventually(
          "the end",
          () => isClosed,
          (closed) => closed,
        ),
      )
    })
    await Effect.runPromise(
      sending.pipe(
        Effect.provide(SmtpMail.layer(optionsFor(broken.port, { timeoutMillis: 20_000, deadlineMillis: 20_000 }))),
      ),
    )
    expect(commands).not.toContain("DATA.")
    expect(commands).not.toContain(".")
  })
})

it.each([
  [{ host: "mail server" }, "`host`"],
  [{ port: 0 }, "`port`"],
  [{ from: { address: "codes" } }, "`from.address`"],
  [{ host: "mail.example.com", security: "none" }, "`security`"],
  [{ connectionsMax: 0 }, "`connectionsMax`"],
  [{ deadlineMillis: 0 }, "Time limits"],
] as const)("options with %j are refused", async (wrong, named) => {
  expect(reasonOf(await sendOne({ ...optionsFor(server.port), ...wrong }))).toContain(named)
})
