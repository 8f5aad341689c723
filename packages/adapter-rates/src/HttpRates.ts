/**
 * `ExchangeRates` from a table that a server publishes. Redirects are failures: their target would get the headers.
 * Source: D-529.
 */
import { boundedBytes, ExchangeRates } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { makeBreaker } from "./Breaker.ts"
import { problemOfRates, type RateOptions } from "./RateOptions.ts"
import { makeRates, RatesUnusable } from "./Rates.ts"
import { type RateTable, refused, TableRefused, tableBytesMax } from "./RateTable.ts"
import { problemOfFormat, readTable, type TableFormat } from "./TableFormat.ts"

/** The address of the table, how often it is read, and what is believed of its rates. */
export interface HttpRateOptions extends RateOptions {
  /** An https address; http for a server of the same machine. It may contain a key, and is never logged. */
  readonly url: string | Redacted.Redacted
  readonly format: TableFormat
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted>>
  /** How often the table is read (milliseconds). Default: one hour. */
  readonly refreshMillis?: number
  /** Longest time of a request with its answer (milliseconds). Default: 5 seconds. */
  readonly timeoutMillis?: number
}

const clear = (value: string | Redacted.Redacted): string =>
  Redacted.isRedacted(value) ? String(Redacted.value(value)) : value

const problemOfUrl = (url: string): string | undefined => {
  if (!URL.canParse(url)) return "`url` must be an https address."
  const { hostname, password, protocol, username } = new URL(url)
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname)
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback)) {
    return "`url` must be an https address; http is for a server of this machine only."
  }
  return username === "" && password === "" ? undefined : "`url` must not contain credentials: use `headers`."
}

const textOf = async ({ body }: Response): Promise<string> => {
  const bytes = await boundedBytes(body, tableBytesMax)
  if (bytes === undefined) throw refused(`the answer has more than ${tableBytesMax} bytes`)
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
}

/** The code of a failed connection. Messages are left out: they may have the address. */
const problemOf = (error: unknown): TableRefused => {
  if (error instanceof TableRefused) return error
  const inner: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = typeof inner === "object" && inner !== null && "code" in inner ? String(inner.code) : ""
  const name = inner instanceof Error ? inner.name : "unknown"
  return refused(
    `the server did not answer: ${/^\w{1,60}$/u.test(code) && code !== "" && !/^\d+$/u.test(code) ? code : name}`,
  )
}

const makeSource = ({
  format,
  headers = {},
  refreshMillis = 3_600_000,
  timeoutMillis = 5000,
  url,
}: HttpRateOptions) => {
  const breaker = makeBreaker()
  let readAt = Number.NEGATIVE_INFINITY
  let tag: string | undefined

  const request = async (signal: AbortSignal) => {
    const sent = new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, clear(value)]))
    if (tag !== undefined) sent.set("if-none-match", tag)
    const response = await fetch(clear(url), { headers: sent, redirect: "manual", signal })
    const { status } = response
    if (status === 304 && tag !== undefined) return undefined
    if (status !== 200) {
      await response.body?.cancel()
      throw refused(`the server answered with ${status}`)
    }
    const table = readTable(format, await textOf(response))
    if (table instanceof TableRefused) throw table
    return { table, tag: response.headers.get("etag") ?? undefined }
  }

  const noteFailure = Effect.fnUntraced(function* (now: number) {
    const openMillis = breaker.failed(now)
    if (openMillis === undefined) return
    yield* Effect.logWarning(`the server of the exchange rates is not asked for ${openMillis / 1000} seconds`)
  })

  const read = Effect.fnUntraced(function* (now: number): Effect.fn.Return<RateTable | undefined, TableRefused> {
    const answer = yield* Effect.tryPromise({
      try: (signal) => request(AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)])),
      catch: problemOf,
    }).pipe(Effect.tapError(() => noteFailure(now)))
    breaker.succeeded()
    readAt = now
    if (answer === undefined) return undefined
    tag = answer.tag
    return answer.table
  })

  return {
    name: "the server",
    isSlow: true,
    isDue: (now: number) => (now - readAt >= refreshMillis || now < readAt) && breaker.allows(now),
    read,
  }
}

const layer = (options: HttpRateOptions): Layer.Layer<ExchangeRates, RatesUnusable> => {
  const { format, refreshMillis = 1, timeoutMillis = 1, url } = options
  const limits = refreshMillis > 0 && timeoutMillis > 0 ? undefined : "Time limits must be positive."
  const problem = problemOfUrl(clear(url)) ?? problemOfRates(options) ?? problemOfFormat(format) ?? limits
  return Layer.effect(
    ExchangeRates,
    problem === undefined
      ? Effect.suspend(() => makeRates(makeSource(options), options))
      : Effect.fail(new RatesUnusable({ message: problem })),
  )
}

export const HttpRates = { layer }
