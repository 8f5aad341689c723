/**
 * What a table, its format and its address are refused for, in the words that an operator reads, and what the check of the rates reports.
 * Source: D-529.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileRates, HttpRates, type RateOptions } from "@countersign/adapter-rates"
import { ExchangeRates, portChecksOf } from "@countersign/core/ports"
import { Effect, Exit, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { fractionOf } from "../../../packages/adapter-rates/src/Fractions.ts"
import { isPointer } from "../../../packages/adapter-rates/src/JsonTable.ts"
import { problemOfRates } from "../../../packages/adapter-rates/src/RateOptions.ts"
import { dayOf, TableRefused } from "../../../packages/adapter-rates/src/RateTable.ts"
import { problemOfFormat, readTable, type TableFormat } from "../../../packages/adapter-rates/src/TableFormat.ts"
import { csvOf, jsonOf, xmlOf } from "./Tables.ts"

const date = "2024-01-12"
const rates = { USD: "1.0942", JPY: "158.79" }
const mapping = { json: { rates: "/data/rates", date: "/data/date", base: "/data/base" } }
const answerOf = (format: TableFormat, text: string): string => {
  const table = readTable(format, text)
  return table instanceof TableRefused ? table.message : "a table"
}
const codes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`A${String(n).padStart(3, "0")}`, "1"]))

describe("a table is refused with its reason", () => {
  const csv = csvOf(date, rates)
  it.each<[string, TableFormat, string]>([
    ["the first line of the table is not date,base,currency,rate", "csv", csv.replace("rate\n", "price\n")],
    ["each line of the table has four values", "csv", csv.replace("158.79", "158.79,1")],
    ["a table has one day and one base", "csv", csv.replace(`${date},EUR,JPY`, `${date},USD,JPY`)],
    ["a table has one day and one base", "csv", csv.replace(`${date},EUR,JPY`, "2024-01-11,EUR,JPY")],
    ["the base is not a currency code", "csv", csvOf(date, rates, "eur")],
    ["the base is not a currency code", "csv", csvOf(date, rates, "EUR ")],
    ["a currency code is not valid", "csv", csvOf(date, { US$: "1" })],
    ["a currency code is not valid", "csv", csvOf(date, { ABCDEFGHIJK: "1" })],
    ["JPY is in the table twice", "csv", `${csv}${date},EUR,JPY,158.79\n`],
    ["EUR is in the table twice", "csv", `${csv}${date},EUR,EUR,2\n`],
    ["the table is not JSON", mapping, "{"],
    ["the pointer to the rates finds no object", mapping, '{"data":{"rates":null}}'],
    ["the base is not a currency code", mapping, jsonOf(date, rates).replace('"EUR"', '"EUR!"')],
    ["the base is not a currency code", mapping, jsonOf(date, rates).replace('"EUR"', '"-EUR"')],
    ["the day of the table is not a date such as 2026-11-27", mapping, jsonOf("2024-1-12", rates)],
    ["the day of the table is not a date such as 2026-11-27", mapping, jsonOf("12024-01-12", rates)],
    ["a table has 1 to 500 currencies", mapping, jsonOf(date, {})],
    ["a table has 1 to 500 currencies", mapping, jsonOf(date, codes(501))],
    ["the table is not XML in the expected form", "xml", xmlOf(date, rates).replace("</Cube>", "</Cube a='b'>")],
    [
      "the table is not XML in the expected form",
      "xml",
      xmlOf(date, rates).replace("currency='USD'", "currency='USD' currency='USD'"),
    ],
    ["a table has the rates of one day", "xml", "<a/>"],
    [
      "the table is not XML in the expected form",
      "xml",
      xmlOf(date, rates).replace("<Cube>", "<?xml version='1.0'?><Cube>"),
    ],
    ["a table has 1 to 500 currencies", "xml", xmlOf(date, rates).replaceAll("<Cube currency", "<Rate currency")],
  ])("%s (%j)", (message, format, text) => {
    expect(answerOf(format, text)).toBe(message)
  })

  it("and is not for its base at the price 1, an absent end of the last line, or 500 currencies", () => {
    expect(answerOf("csv", csvOf(date, { ...rates, EUR: "1.0" }).trimEnd())).toBe("a table")
    expect(answerOf("csv", csvOf(date, rates).replaceAll("\n", "\r\n"))).toBe("a table")
    expect(answerOf(mapping, jsonOf(date, codes(500)))).toBe("a table")
  })
})

describe("a format", () => {
  it.each(["xml", "csv", mapping, { json: { rates: "/", date: "/a~0b/c~1d", base: "USDC" } }] as const)(
    "%j can be used",
    (format) => {
      expect(problemOfFormat(format)).toBeUndefined()
    },
  )
  it.each([
    ["rates", { rates: "rates", date: "/d", base: "EUR" }],
    ["rates", { rates: "/r", date: "d", base: "EUR" }],
    ["rates", { rates: "/r~2", date: "/d", base: "EUR" }],
    ["base", { rates: "/r", date: "/d", base: "eur" }],
    ["base", { rates: "/r", date: "/d", base: "EU" }],
    ["base", { rates: "/r", date: "/d", base: "/b~" }],
  ])("is refused for %s: %j", (member, json) => {
    expect(problemOfFormat({ json })).toContain(`\`json.${member}\``)
  })
  it("knows a JSON pointer as a whole", () => {
    expect(["", "a", "a/b", "/a", "/a/", "/a~", "/~01", "/a/~2"].filter(isPointer)).toEqual(["/a", "/a/", "/~01"])
  })
})

it("a pointer names members with a slash or a tilde", () => {
  const format = { json: { rates: "/a~1b", date: "/c~0d", base: "EUR" } }
  expect(answerOf(format, JSON.stringify({ "a/b": { USD: 1 }, "c~d": date }))).toBe("a table")
})

it.each([
  ["15e2", 1500n, 1n],
  ["1.5e3", 1500n, 1n],
  ["2.5E-3", 1n, 400n],
  ["1e15", 10n ** 15n, 1n],
  ["1e-15", 1n, 10n ** 15n],
])("the notation %s is read exactly", (text, numerator, denominator) => {
  expect(fractionOf(text)).toEqual({ numerator, denominator })
})

it("a day is a date that exists, and nothing around it", () => {
  expect(dayOf(date)).toBe(Date.UTC(2024, 0, 12))
  for (const text of ["2024-02-30", "2024-13-01", "x2024-01-12", "2024-01-12x", "2024-01-12T00:00:00Z", "2024/01/12"])
    expect(dayOf(text)).toBeUndefined()
})

describe("options", () => {
  it.each<[string, RateOptions]>([
    ["`spreadBps`", { spreadBps: 10_000 }],
    ["`spreadBps`", { spreadBps: 0.5 }],
    ["`fee`", { fee: { fixed: -1, variableBps: 0 } }],
    ["`fee`", { fee: { fixed: 0, variableBps: 10_000 } }],
    ["`workingDaysMax`", { workingDaysMax: 31 }],
    ["`weekend`", { weekend: [0, 1, 2, 3, 4, 5, 6] }],
    ["`weekend`", { weekend: [7] }],
    ["`holidays`", { holidays: ["2026-02-30"] }],
    ["`jumpPercentMax`", { jumpPercentMax: 0 }],
    ["`jumpPercentMax`", { jumpPercentMax: 10_001 }],
    ["`pegs`", { pegs: { USDC: "XXX" as "USD" } }],
    ["`pegs`", { pegs: { USDC: "USD", USD: "EUR" } }],
  ])("are refused for %s: %j", (named, options) => {
    expect(problemOfRates(options)).toContain(named)
  })
  it("at their bounds can be used", () => {
    expect(problemOfRates({})).toBeUndefined()
    const bounds = { spreadBps: 9999, workingDaysMax: 30, weekend: [0, 1, 2, 3, 4, 5], jumpPercentMax: 10_000 }
    expect(problemOfRates({ ...bounds, pegs: { USDC: "USD", USDT: "USD" } })).toBeUndefined()
    expect(problemOfRates({ workingDaysMax: 0, fee: { fixed: 0, variableBps: 9999 } })).toBeUndefined()
  })
})

const folder = await mkdtemp(join(tmpdir(), "rates-"))
const path = join(folder, "rates.xml")
afterAll(() => rm(folder, { recursive: true }))

type Rates = Layer.Layer<ExchangeRates, unknown>
/** Runs at a time of the day of the table, without a log. */
const runAt = <A, E>(effect: Effect.Effect<A, E, ExchangeRates>, layer: Rates) =>
  TestClock.setTime(Date.parse(`${date}T16:00:00Z`)).pipe(
    Effect.andThen(Effect.provide(effect, Layer.fresh(layer))),
    Effect.provide(
      Layer.mergeAll(TestClock.layer(), Logger.layer([]), Layer.succeed(References.MinimumLogLevel, "None")),
    ),
    Effect.runPromiseExit,
  )
const startOf = async (layer: Rates) => {
  const exit = await runAt(Effect.void, layer)
  return Exit.isSuccess(exit) ? "starts" : JSON.stringify(exit.cause)
}

describe("an address or a time", () => {
  const onServer = (url: string, more: object = {}) =>
    HttpRates.layer({ url, format: "xml", timeoutMillis: 1, ...more })
  it.each(["http://localhost:1/", "http://127.10.200.1:1/", "http://[::1]:1/", "https://localhost:1/"])(
    "%s can be used",
    async (url) => {
      expect(await startOf(onServer(url))).toBe("starts")
    },
  )
  it.each([
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
    "http://xlocalhost/",
    "ftp://localhost/",
    "file:///rates.xml",
  ])("%s is refused", async (url) => {
    expect(await startOf(onServer(url))).toContain(
      "`url` must be an https address; http is for a server of this machine",
    )
  })
  it.each(["https://user@localhost:1/", "https://:word@localhost:1/"])("%s is refused", async (url) => {
    expect(await startOf(onServer(url))).toContain("`url` must not contain credentials: use `headers`.")
  })
  it("of no length is refused, but a file may be looked at for each rate", async () => {
    expect(await startOf(onServer("https://localhost:1/", { timeoutMillis: 0 }))).toContain(
      "Time limits must be positive.",
    )
    expect(await startOf(onServer("https://localhost:1/", { refreshMillis: 0 }))).toContain(
      "Time limits must be positive.",
    )
    const onFile = (checkMillis: number) => FileRates.layer({ path, format: "xml", checkMillis })
    expect(await startOf(onFile(0))).toBe("starts")
    for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(await startOf(onFile(wrong))).toContain("`checkMillis` must not be negative.")
  })
})

describe("the check of the rates", () => {
  const reportOf = async (later: Effect.Effect<unknown, never, ExchangeRates> = Effect.void, checkMillis = 0) => {
    const exit = await runAt(
      Effect.gen(function* () {
        yield* later
        const [check] = portChecksOf(yield* ExchangeRates)
        return check === undefined ? undefined : { name: check.name, ...(yield* check.run) }
      }),
      FileRates.layer({ path, format: "xml", checkMillis }),
    )
    if (Exit.isFailure(exit)) throw new Error("no report")
    return exit.value
  }
  const fix = "correct the table or its address: without rates, quotes between currencies are refused"
  const used = "the table of 2024-01-12 with 3 currencies is used until 2024-01-17"

  it("says which table is used, and until when", async () => {
    await writeFile(path, xmlOf(date, rates))
    expect(await reportOf()).toEqual({ name: "exchange rates", status: "ok", text: used })
  })

  it("warns of a table that is not updated, with the reason", async () => {
    await writeFile(path, xmlOf(date, rates))
    expect(await reportOf(Effect.promise(() => writeFile(path, "<a/>")))).toEqual({
      name: "exchange rates",
      status: "warning",
      text: `${used}, and is not updated: a table has the rates of one day`,
      fix,
    })
  })

  it("warns as long as the refused table is there, however often it is looked at, and not afterwards", async () => {
    await writeFile(path, xmlOf(date, rates))
    const lookAgain = Effect.gen(function* () {
      const [check] = portChecksOf(yield* ExchangeRates)
      const looks = check === undefined ? [] : [yield* check.run, yield* check.run, yield* check.run]
      yield* Effect.promise(() => writeFile(path, xmlOf(date, rates)))
      return [...looks, ...(check === undefined ? [] : [yield* check.run])].map(({ status }) => status)
    })
    const exit = await runAt(
      Effect.andThen(
        Effect.promise(() => writeFile(path, "<a/>")),
        lookAgain,
      ).pipe((looks) => Effect.andThen(Effect.asVoid(ExchangeRates), looks)),
      FileRates.layer({ path, format: "xml", checkMillis: 0 }),
    )
    expect(exit).toEqual(Exit.succeed(["warning", "warning", "warning", "ok"]))
  })

  it("reads a file of the largest size, and none that is larger", async () => {
    const sized = (bytes: number) => xmlOf(date, rates).replace("<Cube>", (found) => found + " ".repeat(bytes))
    const least = Buffer.byteLength(sized(0))
    await writeFile(path, sized(262_144 - least))
    expect(await reportOf()).toMatchObject({ status: "ok" })
    await writeFile(path, sized(262_145 - least))
    expect(await reportOf()).toMatchObject({
      text: "no table can be used: the file has more than 262144 bytes",
    })
  })

  it("looks at the file again when the clock is set back", async () => {
    await writeFile(path, xmlOf(date, rates))
    const back = Effect.andThen(
      Effect.promise(() => writeFile(path, xmlOf(date, { ...rates, GBP: "0.86" }))),
      TestClock.setTime(Date.parse(`${date}T15:00:00Z`)),
    )
    expect(await reportOf(back, 60_000)).toMatchObject({ text: expect.stringContaining("with 4 currencies") })
  })

  it("is a problem without a table, or when it is too old", async () => {
    await rm(path)
    expect(await reportOf()).toEqual({
      name: "exchange rates",
      status: "problem",
      text: "no table can be used: the file cannot be read: ENOENT",
      fix,
    })
    await writeFile(path, xmlOf(date, rates))
    expect(await reportOf(TestClock.setTime(Date.parse("2024-01-18T00:00:00Z")))).toMatchObject({
      status: "problem",
      text: "no table can be used: the last one is too old",
    })
  })
})

it("a server that has never sent a table cannot say that it is unchanged", async () => {
  const server = createServer((_, response) => void response.writeHead(304).end())
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const report = await runAt(
    Effect.flatMap(ExchangeRates, (rate) => portChecksOf(rate)[0]?.run ?? Effect.void),
    HttpRates.layer({ url: `http://127.0.0.1:${port}/`, format: "xml" }),
  )
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(JSON.stringify(report)).toContain("no table can be used: the server answered with 304")
})
