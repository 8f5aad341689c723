/**
 * The port `ExchangeRates` from a file and from a server: it passes its suite, keeps the last good table, and has no rate rather than an old one.
 * Source: D-529.
 */

import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { createServer, type RequestListener } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileRates, type HttpRateOptions, HttpRates, type RateOptions } from "@countersign/adapter-rates"
import { ExchangeRates } from "@countersign/core/ports"
import { exchangeRatesConformance } from "@countersign/test/conformance"
import { Cause, Effect, Exit, Layer, Logger, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { selfSigned } from "../webhook/Certificate.ts"
import { dateOf, xmlOf } from "./Tables.ts"

const folder = await mkdtemp(join(tmpdir(), "rates-"))
const path = join(folder, "rates.xml")
afterAll(() => rm(folder, { recursive: true }))

/** What happens to one request instead of the table. */
type Fault = "hang" | "cut" | "half" | "endless" | { readonly status: number; readonly location?: string }

let body = ""
let fault: Fault | undefined
let requests: Array<Record<string, unknown>> = []
const listener: RequestListener = (request, response) => {
  requests.push(request.headers)
  if (fault === "hang") return
  if (fault === "cut") return void request.socket.destroy()
  if (typeof fault === "object")
    return void response.writeHead(fault.status, fault.location === undefined ? {} : { location: fault.location }).end()
  if (fault === "half") {
    response.writeHead(200, { "content-length": String(Buffer.byteLength(body)) })
    return void response.write(body.slice(0, body.length / 2), () => request.socket.destroy())
  }
  if (fault === "endless") {
    const more = () => {
      while (!response.destroyed && response.write("<a>".repeat(20_000)));
    }
    response.on("drain", more)
    return more()
  }
  const tag = `"${createHash("sha256").update(body).digest("hex")}"`
  if (request.headers["if-none-match"] === tag) return void response.writeHead(304).end()
  response.writeHead(200, { etag: tag }).end(body)
}
const listening = async (server: ReturnType<typeof createServer> | ReturnType<typeof createSecureServer>) => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}
const port = await listening(createServer(listener))
const securePort = await listening(createSecureServer(selfSigned("localhost"), listener))
const url = `http://localhost:${port}/rates?key=secret-key-of-the-table`
beforeEach(() => {
  fault = undefined
  requests = []
})

const hourMillis = 3_600_000
/** A Wednesday. */
const start = Date.parse("2024-01-10T16:00:00Z")
const today = { USD: "1.10", JPY: "160", GBP: "0.86" }

const onFile = (options: RateOptions = {}) => FileRates.layer({ path, format: "xml", checkMillis: 1000, ...options })
const onServer = (options: Partial<HttpRateOptions> = {}) =>
  HttpRates.layer({ url, format: "xml", timeoutMillis: 500, refreshMillis: hourMillis, ...options })

// The suite runs a month ahead of wall time.
const ahead = dateOf(Date.now() + 30 * 24 * hourMillis)
const aheadPath = join(folder, "ahead.xml")
await writeFile(aheadPath, xmlOf(ahead, today))
const suite = { currencies: ["EUR", "USD", "JPY", "GBP"], unknown: ["BTC", "KES"] } as const
const everyDay = { weekend: [], workingDaysMax: 3 }
exchangeRatesConformance("a file", FileRates.layer({ path: aheadPath, format: "xml", ...everyDay }), suite)
exchangeRatesConformance(
  "a file, with spread and fee",
  FileRates.layer({ path: aheadPath, format: "xml", spreadBps: 75, fee: { fixed: 5, variableBps: 30 }, ...everyDay }),
  suite,
)

/** Runs on a clock of its own, and returns what was logged. */
const runWith = async <E>(
  layer: Layer.Layer<ExchangeRates, E>,
  body:
    | Effect.Effect<void, never, ExchangeRates>
    | ((logged: () => string) => Effect.Effect<void, never, ExchangeRates>),
) => {
  const lines: Array<string> = []
  const logging = Layer.merge(
    Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))]),
    Layer.succeed(References.MinimumLogLevel, "All"),
  )
  const exit = await Effect.runPromiseExit(
    Effect.andThen(
      TestClock.setTime(start),
      Effect.provide(typeof body === "function" ? body(() => lines.join()) : body, Layer.fresh(layer)),
    ).pipe(Effect.provide(Layer.merge(TestClock.layer(), logging))),
  )
  if (Exit.isFailure(exit)) throw new Error(Cause.pretty(exit.cause))
  expect(lines.join("\n")).not.toContain("secret-")
  return lines
}

/** The dollars of a euro, as text, or `none`. */
const dollars = Effect.gen(function* () {
  const { rate } = yield* ExchangeRates
  const found = yield* rate("USD", "EUR")
  return found === undefined ? "none" : String(Number(found.numerator) / Number(found.denominator))
})
const expectDollars = (text: string) => Effect.map(dollars, (found) => expect(found).toBe(text))
const pass = (millis: number) => TestClock.adjust(millis)
const write = (text: string) => Effect.promise(() => writeFile(path, text))

describe("rates of a file", () => {
  beforeEach(() => writeFile(path, xmlOf("2024-01-10", today)))

  it("follow the file, written or replaced, and a half one changes nothing", async () => {
    const lines = await runWith(
      onFile(),
      Effect.gen(function* () {
        yield* expectDollars("1.1")
        yield* write(xmlOf("2024-01-10", { ...today, USD: "1.12" }))
        yield* expectDollars("1.1")
        yield* pass(1000)
        yield* expectDollars("1.12")
        const next = xmlOf("2024-01-11", { ...today, USD: "1.13" })
        yield* write(next.slice(0, 200))
        yield* pass(1000)
        yield* expectDollars("1.12")
        yield* pass(1000)
        yield* expectDollars("1.12")
        yield* Effect.promise(async () => {
          await writeFile(`${path}.new`, next)
          await rename(`${path}.new`, path)
        })
        yield* pass(1000)
        yield* expectDollars("1.13")
      }),
    )
    // A problem that stays is logged once, and its end once.
    expect(lines.filter((line) => line.includes("are not updated"))).toHaveLength(1)
    expect(lines.filter((line) => line.includes("are used again"))).toHaveLength(1)
  })

  it("stay over a weekend while no new table comes, and end after three working days", () =>
    runWith(
      onFile(),
      Effect.gen(function* () {
        yield* expectDollars("1.1")
        yield* Effect.promise(() => rm(path))
        // From Wednesday to the end of Monday.
        yield* TestClock.setTime(Date.parse("2024-01-15T23:59:59Z"))
        yield* expectDollars("1.1")
        yield* TestClock.setTime(Date.parse("2024-01-16T00:00:00Z"))
        yield* expectDollars("none")
        yield* write(xmlOf("2024-01-15", today))
        yield* pass(1000)
        yield* expectDollars("1.1")
      }),
    ))

  it("do not follow a jump, which is logged with its currency, until it is taken back", async () => {
    const lines = await runWith(
      onFile(),
      Effect.gen(function* () {
        yield* expectDollars("1.1")
        yield* write(xmlOf("2024-01-10", { ...today, JPY: "1.60", USD: "1.11" }))
        yield* pass(1000)
        yield* expectDollars("1.1")
        yield* write(xmlOf("2024-01-10", { ...today, USD: "1.12" }))
        yield* pass(1000)
        yield* expectDollars("1.12")
      }),
    )
    expect(lines.join("\n")).toContain("the rate of JPY differs by more than 10 percent")
  })

  it("use a table of the future when its day comes", () =>
    runWith(
      onFile(),
      Effect.gen(function* () {
        yield* write(xmlOf("2024-01-12", { ...today, USD: "1.15" }))
        yield* pass(1000)
        yield* expectDollars("1.1")
        yield* pass(24 * hourMillis)
        yield* expectDollars("1.15")
      }),
    ))

  it("do not exist without a file, or with a giant one, or with one that is no text", async () => {
    for (const bytes of [undefined, Buffer.alloc(10_000_000, " "), Buffer.from([0xff, 0xfe])]) {
      await (bytes === undefined ? rm(path) : writeFile(path, bytes))
      const lines = await runWith(onFile(), expectDollars("none"))
      expect(lines.join("\n")).toMatch(/ENOENT|more than 262144 bytes|no code|ERR_ENCODING/u)
    }
  })
})

describe("rates of a server", () => {
  beforeEach(() => {
    body = xmlOf("2024-01-10", today)
  })

  it("are asked for once an hour, with headers, and by concurrent callers once", () =>
    runWith(
      onServer({ headers: { authorization: Redacted.make("Bearer secret-token") } }),
      Effect.gen(function* () {
        yield* Effect.all([dollars, dollars, dollars], { concurrency: "unbounded" })
        expect(requests).toHaveLength(1)
        expect(requests[0]).toMatchObject({ authorization: "Bearer secret-token" })
        yield* pass(hourMillis - 1)
        yield* expectDollars("1.1")
        expect(requests).toHaveLength(1)
      }),
    ))

  it("are used while the next ones are asked for, and an unchanged table is not sent again", () =>
    runWith(
      onServer(),
      Effect.gen(function* () {
        yield* expectDollars("1.1")
        yield* pass(hourMillis)
        yield* expectDollars("1.1")
        yield* answered(2)
        expect(requests[1]).toHaveProperty("if-none-match")
        body = xmlOf("2024-01-10", { ...today, USD: "1.12" })
        yield* pass(hourMillis)
        yield* expectDollars("1.1")
        yield* becomes("1.12")
      }),
    ))

  it("are asked for with the tag of the last table that was sent", () =>
    runWith(
      onServer(),
      Effect.gen(function* () {
        yield* expectDollars("1.1")
        body = xmlOf("2024-01-10", { ...today, USD: "1.12" })
        for (let n = 2; n <= 3; n++) {
          yield* pass(hourMillis)
          yield* dollars
          yield* answered(n)
          yield* becomes("1.12")
        }
        const tags = requests.map((headers) => headers["if-none-match"])
        expect(tags[0]).toBeUndefined()
        expect(new Set(tags).size).toBe(3)
      }),
    ))

  it("are asked for again when the clock is set back", () =>
    runWith(
      onServer(),
      Effect.gen(function* () {
        yield* expectDollars("1.1")
        yield* TestClock.setTime(start - 1)
        yield* expectDollars("1.1")
        yield* answered(2)
      }),
    ))

  it.each([
    "hang",
    "cut",
    "half",
    "endless",
    { status: 500 },
    { status: 302, location: "/other" },
  ] satisfies ReadonlyArray<Fault>)(
    "stay while the server fails with %j, and it is left alone after three failures",
    async (broken) => {
      const lines = await runWith(onServer({ timeoutMillis: 200 }), (logged) =>
        Effect.gen(function* () {
          yield* expectDollars("1.1")
          fault = broken
          yield* pass(hourMillis)
          // Each call that finds no other one under way asks again.
          yield* until(() => Effect.map(expectDollars("1.1"), () => logged().includes("is not asked for 30 seconds")))
          for (let n = 0; n < 5; n++) yield* expectDollars("1.1")
          expect(requests).toHaveLength(4)
          fault = undefined
          body = xmlOf("2024-01-10", { ...today, USD: "1.12" })
          yield* pass(30_000)
          yield* becomes("1.12")
        }),
      )
      expect(lines.filter((line) => line.includes("are not updated"))).toHaveLength(1)
    },
  )

  it("do not exist if the server has never answered, and not from a certificate that is not trusted", async () => {
    fault = "cut"
    await runWith(onServer(), expectDollars("none"))
    fault = undefined
    requests = []
    const lines = await runWith(
      onServer({ url: Redacted.make(`https://localhost:${securePort}/?secret-`) }),
      expectDollars("none"),
    )
    expect(lines.join("\n")).toMatch(/SELF_SIGNED/u)
    expect(requests).toEqual([])
  })

  it.each([
    [{ url: "http://rates.example.com/" }, "https"],
    [{ url: "https://a:b@rates.example.com/" }, "credentials"],
    [{ url: "rates" }, "https"],
    [{ refreshMillis: 0 }, "Time limits"],
    [{ format: { json: { rates: "rates", date: "/d", base: "EUR" } } }, "pointers"],
    [{ spreadBps: -1 }, "`spreadBps`"],
  ] as const)("with options %j do not start", async (wrong, named) => {
    const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(onServer(wrong))))
    expect(JSON.stringify(exit)).toContain(named)
  })
})

/** Polls outside of the test's clock: what a server answers takes real time. */
const until = (fits: () => Effect.Effect<boolean, never, ExchangeRates>) =>
  Effect.gen(function* () {
    while (!(yield* fits())) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  })
const answered = (count: number) => until(() => Effect.sync(() => requests.length >= count))
const becomes = (text: string) => until(() => Effect.map(dollars, (found) => found === text))
