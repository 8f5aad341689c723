/**
 * Measures the processor time and the response size of the worst bodies of 1 MiB, for every operation that takes a body, beside its
 * example, in one process in memory. Source: D-313.
 */
import { operationTarget } from "../hostile/OperationTarget.ts"
import { withLongTexts, worstBodies } from "../hostile/WorstBodies.ts"
import { operations } from "../http/ExampleRequests.ts"
import { longestTurn } from "./LoopTurns.ts"
import { median } from "./Rounds.ts"

/** The permitted processor time beyond that of the example. */
const millisMax = 50

/** The permitted longest turn of the event loop. */
const turnMillisMax = 20

interface Cost {
  readonly what: string
  readonly millis: number
  readonly turn: number
  /** The median of the rounds, with the garbage that some of them collect. */
  readonly turnMedian: number
  readonly bytes: number
}

/** Returns the smallest processor time of the process, all threads included: some rounds also collect the garbage of others. */
const costOf = async (what: string, rounds: number, send: () => Promise<{ readonly bytes: number }>): Promise<Cost> => {
  const millis: Array<number> = []
  const turns: Array<number> = []
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    const turn = await longestTurn(async () => {
      bytes = Math.max(bytes, (await send()).bytes)
    })
    const { system, user } = process.cpuUsage(before)
    millis.push((user + system) / 1000)
    turns.push(turn)
  }
  return { what, millis: Math.min(...millis), turn: Math.min(...turns), turnMedian: median(turns), bytes }
}

const row = (...cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`
const most = (costs: ReadonlyArray<Cost>, by: "millis" | "turn" | "turnMedian" | "bytes"): Cost =>
  costs.reduce((worst, cost) => (cost[by] > worst[by] ? cost : worst))

/** Returns the name that a body has for all operations. */
const bodyName = ({ what }: Cost): string => what.replace(/^text \d+ of/u, "a text of")

const writeTurns = (costs: ReadonlyArray<Cost>, write: (text: string) => void): void => {
  write("\n## The longest turn of each body, in the operation where it is longest\n")
  write(row("body", "smallest of the rounds, ms", "median, ms"))
  write(row("---", "---:", "---:"))
  const byBody = [...Map.groupBy(costs, bodyName)].map(
    ([what, all]) => [what, most(all, "turn").turn, most(all, "turnMedian").turnMedian] as const,
  )
  for (const [what, smallest, middle] of byBody.toSorted(([, , left], [, , right]) => right - left)) {
    write(row(what, smallest.toFixed(1), middle.toFixed(1)))
  }
}

export const boundsBench = async ({ rounds }: { readonly rounds: number }, write: (text: string) => void) => {
  await using target = await operationTarget()
  const withBody = operations().filter(({ body, method }) => body !== undefined && method !== "GET")
  write("\n## Worst bodies of 1 MiB\n")
  write(
    row("operation", "example ms", "worst ms", "worst body", "longest turn ms", "of", "largest answer, bytes", "of"),
  )
  write(row("---", "---:", "---:", "---", "---:", "---", "---:", "---"))
  const slow: Array<string> = []
  const stalling: Array<string> = []
  const all: Array<Cost> = []
  for (const operation of withBody) {
    const { body = "{}", contentType } = target.exampleOf(operation)
    const send = (sent: string) => () => target.send(operation, { body: sent })
    await costOf("warm", 5, send(body))
    const valid = await costOf("example", 9, send(body))
    const costs: Array<Cost> = []
    for (const [what, worst] of [
      ...Object.entries(worstBodies),
      ...(contentType === "application/json" ? withLongTexts(body) : []),
    ]) {
      costs.push(await costOf(what, rounds, send(worst)))
    }
    all.push(...costs)
    const slowest = most(costs, "millis")
    const largest = most(costs, "bytes")
    const longest = most(costs, "turn")
    const name = `${operation.method} ${operation.path}`
    const times = [valid.millis.toFixed(1), slowest.millis.toFixed(1), slowest.what, longest.turn.toFixed(1)]
    write(row(name, ...times, longest.what, String(largest.bytes), largest.what))
    if (longest.turn > turnMillisMax) stalling.push(name)
    if (slowest.millis - valid.millis > millisMax) slow.push(name)
  }
  write(`\nMore than ${millisMax} ms beyond the example: ${slow.length === 0 ? "none" : slow.join(", ")}`)
  write(`A turn of the event loop above ${turnMillisMax} ms: ${stalling.length === 0 ? "none" : stalling.join(", ")}`)
  writeTurns(all, write)
}
