/**
 * `ExchangeRates` from a table in a file. The file is read again when it has changed; a table is replaced as a whole.
 * Source: D-529.
 */
import { type FileHandle, open } from "node:fs/promises"
import { ExchangeRates } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { problemOfRates, type RateOptions } from "./RateOptions.ts"
import { makeRates, RatesUnusable } from "./Rates.ts"
import { type RateTable, refused, TableRefused, tableBytesMax } from "./RateTable.ts"
import { problemOfFormat, readTable, type TableFormat } from "./TableFormat.ts"

/** The file of the table, and what is believed of its rates. */
export interface FileRateOptions extends RateOptions {
  readonly path: string
  readonly format: TableFormat
  /** How often it is looked at whether the file has changed (milliseconds). Default: 10 seconds. */
  readonly checkMillis?: number
}

/** What changes with the content of a file, also if it is replaced by another one. */
const stampOf = async (file: FileHandle): Promise<string> => {
  const { ctimeNs, dev, ino, mtimeNs, size } = await file.stat({ bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join()
}

interface Content {
  readonly stamp: string
  readonly text: string
}

/** Reads the file unless its stamp is the known one. It opens the file once, so that stamp and text are of the same one. */
const contentOf = async (path: string, known: string | undefined): Promise<Content | undefined> => {
  const file = await open(path)
  try {
    const stamp = await stampOf(file)
    if (stamp === known) return undefined
    const bytes = Buffer.alloc(tableBytesMax + 1)
    let size = 0
    for (;;) {
      const { bytesRead } = await file.read(bytes, size, bytes.byteLength - size)
      size += bytesRead
      if (bytesRead === 0 || size > tableBytesMax) break
    }
    if (size > tableBytesMax) throw refused(`the file has more than ${tableBytesMax} bytes`)
    if ((await stampOf(file)) !== stamp) throw refused("the file is being written")
    return { stamp, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, size)) }
  } finally {
    await file.close()
  }
}

const problemOf = (error: unknown): TableRefused => {
  if (error instanceof TableRefused) return error
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined
  return refused(`the file cannot be read: ${typeof code === "string" ? code : "no code"}`)
}

const layer = (options: FileRateOptions): Layer.Layer<ExchangeRates, RatesUnusable> => {
  const { checkMillis = 10_000, format, path } = options
  const source = () => {
    let stamp: string | undefined
    /** Why the file of this stamp is refused. */
    let problem: TableRefused | undefined
    let checkedAt = Number.NEGATIVE_INFINITY
    return {
      name: "the file",
      isSlow: false,
      isDue: (now: number) => now - checkedAt >= checkMillis || now < checkedAt,
      read: Effect.fnUntraced(function* (now: number): Effect.fn.Return<RateTable | undefined, TableRefused> {
        checkedAt = now
        const content = yield* Effect.tryPromise({ try: () => contentOf(path, stamp), catch: problemOf })
        if (content === undefined) return problem === undefined ? undefined : yield* problem
        stamp = content.stamp
        const table = readTable(format, content.text)
        problem = table instanceof TableRefused ? table : undefined
        return table instanceof TableRefused ? yield* table : table
      }),
    }
  }
  const isWait = Number.isFinite(checkMillis) && checkMillis >= 0
  const problem =
    problemOfRates(options) ?? problemOfFormat(format) ?? (isWait ? undefined : "`checkMillis` must not be negative.")
  return Layer.effect(
    ExchangeRates,
    problem === undefined
      ? Effect.suspend(() => makeRates(source(), options))
      : Effect.fail(new RatesUnusable({ message: problem })),
  )
}

export const FileRates = { layer }
