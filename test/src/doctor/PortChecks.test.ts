/** What ports say about themselves: checks follow a service, and each adapter finds its own faults. Source: D-534. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  BankFiles,
  BankFilesUnavailable,
  isoBank,
  MemoryBankFileStore,
  targetHolidays,
} from "@countersign/adapter-bank-files"
import { HttpTexts, MemoryCodes, Messages, PostgresCodes, SmtpMail } from "@countersign/adapter-messages"
import { FileRates } from "@countersign/adapter-rates"
import {
  ExchangeRates,
  type PortCheck,
  portChecksIn,
  portChecksOf,
  Rails,
  withPortChecks,
} from "@countersign/core/ports"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { startMailReceiver } from "../adapter-messages/MailReceiver.ts"
import { dateOf, xmlOf } from "../adapter-rates/Tables.ts"
import { checkedBank } from "../guides/live/CheckedBank.ts"

const folder = await mkdtemp(join(tmpdir(), "countersign-checks-"))
afterAll(() => rm(folder, { recursive: true }))

const check = (name: string): PortCheck => ({ name, run: Effect.succeed({ status: "ok", text: name }) })

/** The findings of a layer's ports, by the names of their checks. */
const findingsOf = <A, E>(layer: Layer.Layer<A, E>, before: () => Promise<void> = async () => undefined) =>
  Effect.gen(function* () {
    const context: Context.Context<never> = yield* Layer.build(layer)
    yield* Effect.promise(before)
    const found = yield* Effect.forEach(portChecksIn(context), ({ name, run }) =>
      Effect.map(run, ({ status, text }) => [name, `${status}: ${text}`] as const),
    )
    return Object.fromEntries(found)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])), Effect.runPromise)

describe("the checks of a service", () => {
  it("are added to its own, follow a copy of it, and are run once for all that share them", () => {
    const shared = check("server")
    const first = withPortChecks({ ask: 1 }, [shared, check("first")])
    const second = withPortChecks(withPortChecks({ ask: 2 }, [shared]), [check("second")])
    expect(portChecksOf({ ...first, ask: 3 }).map(({ name }) => name)).toEqual(["server", "first"])
    const context = Context.make(ExchangeRates, withPortChecks({ rate: () => Effect.undefined }, [shared]))
    expect(portChecksIn(context)).toEqual([shared])
    expect([...portChecksOf(first), ...portChecksOf(second)].map(({ name }) => name)).toEqual([
      "server",
      "first",
      "server",
      "second",
    ])
    expect([portChecksOf({}), portChecksOf(undefined), portChecksOf("text")]).toEqual([[], [], []])
  })
})

it("a bank of an embedder says itself whether it can be used", async () => {
  const bank = Layer.mock(Rails, {})
  for (const isUp of [true, false]) {
    const own = Layer.effect(
      Rails,
      Rails.useSync((rails) => checkedBank({ ...rails }, Effect.succeed(isUp))),
    ).pipe(Layer.provide(bank))
    expect(await findingsOf(own)).toEqual({
      "our bank": isUp ? "ok: its interface answers" : "problem: its interface does not answer",
    })
  }
})

const codesOf = (port: number, password: string, codes: typeof MemoryCodes.layer = MemoryCodes.layer) =>
  Messages.layerSecurityCodes({ appName: "Acme", secret: Redacted.make("vW4sKx9qLm2bTn7cYr5dHp8fGz3jUe6a") }).pipe(
    Layer.provide([
      SmtpMail.layer({
        host: "localhost",
        port,
        security: "none",
        auth: { user: "sender", password: Redacted.make(password) },
        from: { address: "codes@acme.example" },
      }),
      HttpTexts.layer({ url: `http://127.0.0.1:${port}`, body: { json: { to: "{to}", text: "{text}" } } }),
      codes,
    ]),
  )

describe("the adapter for messages", () => {
  it("signs in at the mail server and sends nothing, and says when the server stops to take the credentials", async () => {
    await using mail = await startMailReceiver()
    expect(await findingsOf(codesOf(mail.port, "the-password-of-the-mail-server"))).toMatchObject({
      "mail server": "ok: the mail server can be used, with these credentials",
      "security codes": expect.stringMatching(/^warning: .* memory of each process/u),
    })
    expect(mail.mails).toEqual([])
    const refuseAll = async () => mail.refuse((stage) => (stage === "auth" ? { status: 535, text: "no" } : undefined))
    const refused = await findingsOf(codesOf(mail.port, "the-password-of-the-mail-server"), refuseAll)
    expect(refused["mail server"]).toBe("problem: the mail server cannot be used: the server refuses the credentials")
    expect(JSON.stringify(refused)).not.toContain("the-password-of-the-mail-server")
  })

  it("says that a mail server, a gateway and the table of codes are not reached", async () => {
    let isUp = true
    const pool = {
      query: async () => {
        if (isUp) return { rows: [{ found: true }] }
        throw Object.assign(new Error("down"), { code: "57P01" })
      },
    }
    const layer = codesOf(2, "the-password-of-the-mail-server", Layer.orDie(PostgresCodes.layer({ pool })))
    expect((await findingsOf(layer))["security codes"]).toMatch(/^ok: the table countersign_security_code/u)
    const down = async () => {
      isUp = false
    }
    expect(await findingsOf(layer, down)).toEqual({
      "mail server": "problem: the mail server cannot be used: the server cannot be reached",
      "text gateway": "problem: the gateway for text messages is not reached: unreachable",
      "security codes": "problem: the table of security codes cannot be used: 57P01",
    })
  })

  it("warns without a gateway for text messages", async () => {
    const [none] = portChecksIn(await Effect.runPromise(Effect.scoped(Layer.build(HttpTexts.layerNone))))
    expect(await Effect.runPromise(none?.run ?? Effect.never)).toMatchObject({ status: "warning" })
  })
})

describe("the adapter for rates", () => {
  const path = join(folder, "rates.xml")
  const layer = FileRates.layer({ path, format: "xml", checkMillis: 0 })
  const write = (text: string) => writeFile(path, text)
  const good = () => xmlOf(dateOf(Date.now()), { USD: "1.25", GBP: "0.85" })

  it("says which table is used until when, and that no table exists", async () => {
    expect(await findingsOf(layer)).toEqual({
      "exchange rates": "problem: no table can be used: the file cannot be read: ENOENT",
    })
    await write(good())
    const today = dateOf(Date.now())
    expect((await findingsOf(layer))["exchange rates"]).toMatch(
      new RegExp(`^ok: the table of ${today} with 3 currencies is used until \\d{4}-\\d\\d-\\d\\d$`, "u"),
    )
    await write(xmlOf("2020-01-02", { USD: "1.25" }))
    expect((await findingsOf(layer))["exchange rates"]).toMatch(/^problem: .*2020-01-02, which is too old/u)
  })

  it("warns while the last good table is used", async () => {
    await write(good())
    expect((await findingsOf(layer, () => write("half of")))["exchange rates"]).toMatch(
      /^warning: the table of .* is not updated: /u,
    )
  })
})

describe("the adapter for bank files", () => {
  const filesOf = (at: string, store = MemoryBankFileStore.make()) =>
    BankFiles.make(
      [
        isoBank({
          name: "euros",
          folder: at,
          calendar: { timeZone: "Europe/Berlin", cutOff: "15:00", holidays: targetHolidays },
          account: { name: "ENGINES LTD", iban: "DE89370400440532013000", bic: "COBADEFFXXX" },
        }),
      ],
      store,
    ).rails

  it("says whether the folders can be used, and whether the store answers", async () => {
    const at = join(folder, "bank")
    expect(await findingsOf(filesOf(at))).toMatchObject({
      "bank euros": expect.stringMatching(/^problem: the bank euros: .*ENOENT/u),
      "bank file store": "ok: the store of bank files answers",
    })
    await mkdir(join(at, "in"), { recursive: true })
    expect((await findingsOf(filesOf(at)))["bank euros"]).toBe("ok: the folder of the bank euros can be used")
    await writeFile(join(at, "out"), "")
    expect((await findingsOf(filesOf(at)))["bank euros"]).toBe(
      "problem: the folder of the bank euros: out is not a folder",
    )
  })

  it("says that the store does not answer", async () => {
    const store = {
      ...MemoryBankFileStore.make(),
      transact: () => Effect.fail(new BankFilesUnavailable({ cause: "down" })),
    }
    expect((await findingsOf(filesOf(folder, store)))["bank file store"]).toMatch(/^problem: .* does not answer/u)
  })
})
