/**
 * The base: `pgbench` with eight clients, each call one transaction. If it is not installed, eight clients of the driver `pg` replace it, and
 * the output says so.
 */
import { execFile, spawnSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Connection, Statement } from "@countersign/adapter-postgres"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import type pg from "pg"
import type { BenchStore } from "./BenchStore.ts"
import { storeOn } from "./CommitLoad.ts"
import type { Measured } from "./Rounds.ts"
import { accountNumber, accounts, type Numbers, nextNumbers, type Size, transferSet } from "./TransferSets.ts"

const clients = 8
const command = process.env["PGBENCH"] ?? "pgbench"

export const pgbenchVersion = (): string | undefined => {
  const { error, stdout } = spawnSync(command, ["--version"], { encoding: "utf8" })
  return error === undefined ? stdout.trim() : undefined
}

/** Digits that mark the four numbers of a set and occur nowhere else in it. */
const marks: Numbers = { from: "910000000017", to: "920000000027", head: "93000037", tail: "940000000047" }

/**
 * The statement with which the store commits one set, with marks for its numbers; nothing is sent. It is the first that the store tries: the
 * set-based commit of a single set (D-522).
 */
const captured = async (connection: Connection, size: Size): Promise<Statement> => {
  let found: Statement | undefined
  const store: BenchStore = storeOn({
    ...connection,
    query: (statement) => {
      if (!JSON.stringify(statement.values).includes(marks.head)) return connection.query(statement)
      found ??= statement
      return Promise.reject(new TypeError("captured"))
    },
  })
  await store.runPromise(Effect.exit(Store.use((service) => service.commit(transferSet(marks, size)))))
  await store.dispose()
  if (found === undefined) throw new Error("the store sent no statement")
  return found
}

/** A text as SQL without colons that `pgbench` would read as variables. */
const literal = (text: string): string =>
  `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\x3a")}'`

/** The maximum number of arguments of a function. */
const argumentsMax = 90
const joined = (pieces: ReadonlyArray<string>): string => {
  if (pieces.length <= argumentsMax) return `concat(${pieces.join(", ")})`
  const parts = Array.from({ length: Math.ceil(pieces.length / argumentsMax) }, (_, index) =>
    joined(pieces.slice(index * argumentsMax, (index + 1) * argumentsMax)),
  )
  return joined(parts)
}

/** A text with its marks replaced by the numbers of this call. */
const filled = (text: string): string => {
  const names = Object.entries(marks) as ReadonlyArray<[keyof Numbers, string]>
  const pattern = new RegExp(`(${Object.values(marks).join("|")})`, "u")
  const pieces = text.split(pattern).map((piece) => {
    const name = names.find(([, mark]) => mark === piece)?.[0]
    return name === undefined ? literal(piece) : `v.${name}`
  })
  return joined(pieces)
}

const parameterOf = (value: Statement["values"][number]): string => {
  if (typeof value === "string") return filled(value)
  if (value === null || typeof value === "number") return String(value)
  return `array[${value.map(parameterOf).join(", ")}]::text[]`
}

const numbersOf = (isHot: boolean): ReadonlyArray<string> => {
  const half = accounts / 2
  return [
    isHot ? `\\set from ${accountNumber(1)}` : `\\set from random(${accountNumber(1)}, ${accountNumber(half)})`,
    `\\set to random(${accountNumber(half + 1)}, ${accountNumber(accounts)})`,
    "\\set head :head + 1",
    "\\set tail random(100000000000, 999999999999)",
  ]
}

/** A script that calls the store's function with one set of the same size per call. */
export const storeScript = async (connection: Connection, size: Size, isHot: boolean): Promise<string> => {
  const { text, values } = await captured(connection, size)
  const call = text.replace(/\$(\d+)/gu, (_, ordinal: string) => parameterOf(values[Number(ordinal) - 1] ?? null))
  const given = 'select :from::text "from", :to::text "to", :head::text head, :tail::text tail'
  return [
    ...numbersOf(isHot),
    `${call.replaceAll("v.from", 'v."from"').replaceAll("v.to", 'v."to"')} from (${given}) v;`,
  ].join("\n")
}

export interface Target {
  readonly folder: string
  readonly database: string
  readonly pool: pg.Pool
}

/** Grows with each run, so that identifiers are new and ascending. */
let run = 0

const standIn = async ({ pool }: Target, script: string, seconds: number): Promise<Measured> => {
  const query = script.split("\n").at(-1) ?? ""
  const text = query
    .replaceAll(":from::text", "$1::text")
    .replaceAll(":to::text", "$2::text")
    .replaceAll(":head::text", "$3::text")
    .replaceAll(":tail::text", "$4::text")
  const isHot = script.startsWith(`\\set from ${accountNumber(1)}\n`)
  const start = performance.now()
  let done = 0
  const client = async () => {
    while (performance.now() < start + seconds * 1000) {
      const { from, head, tail, to } = nextNumbers(isHot)
      await pool.query({ name: `stand-in ${text.length}`, text, values: [from, to, head, tail] })
      done += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { perSecond: (done / (performance.now() - start)) * 1000, count: done }
}

export const pgbench = async (target: Target, script: string, seconds: number): Promise<Measured> => {
  if (pgbenchVersion() === undefined) return standIn(target, script, seconds)
  run += 1
  const file = join(target.folder, `script-${run}.sql`)
  await writeFile(file, `${script}\n`)
  const counts = ["-c", String(clients), "-j", "2", "-T", String(seconds)]
  const place = ["-h", target.folder, "-U", "postgres", target.database]
  const head = `head=${20_000_000 + run * 1_000_000}`
  const { stderr, stdout } = await promisify(execFile)(command, [
    "-n",
    ...counts,
    "-M",
    "prepared",
    "-D",
    head,
    "-f",
    file,
    ...place,
  ])
  const perSecond = Number(/tps = ([\d.]+)/u.exec(stdout)?.[1])
  if (!(perSecond > 0) || stderr.includes("aborted")) throw new Error(stderr)
  return { perSecond, count: Number(/actually processed: (\d+)/u.exec(stdout)?.[1]) }
}
