/**
 * Measures the processor time and the response size of the worst bodies of 1 MiB, for every operation that takes a body, beside its
 * example, in one process in memory. Source: D-313.
 */
import { operationTarget } from "../hostile/OperationTarget.ts"
import { withLongTexts, worstBodies } from "../hostile/WorstBodies.ts"
import { operations } from "../http/ExampleRequests.ts"

/** The permitted processor time beyond that of the example. */
const millisMax = 50

interface Cost {
  readonly what: string
  readonly millis: number
  readonly bytes: number
}

/** Returns the smallest processor time of the process, all threads included: some rounds also collect the garbage of others. */
const costOf = async (what: string, rounds: number, send: () => Promise<{ readonly bytes: number }>): Promise<Cost> => {
  const millis: Array<number> = []
  let bytes = 0
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    const answer = await send()
    const { system, user } = process.cpuUsage(before)
    millis.push((user + system) / 1000)
    bytes = Math.max(bytes, answer.bytes)
  }
  return { what, millis: Math.min(...millis), bytes }
}

const row = (...cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`
const most = (costs: ReadonlyArray<Cost>, by: "millis" | "bytes"): Cost =>
  costs.reduce((worst, cost) => (cost[by] > worst[by] ? cost : worst))

export const boundsBench = async ({ rounds }: { readonly rounds: number }, write: (text: string) => void) => {
  await using target = await operationTarget()
  const withBody = operations().filter(({ body, method }) => body !== undefined && method !== "GET")
  write("\n## Worst bodies of 1 MiB\n")
  write(row("operation", "example ms", "worst ms", "worst body", "largest answer, bytes", "of"))
  write(row("---", "---:", "---:", "---", "---:", "---"))
  const slow: Array<string> = []
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
    const slowest = most(costs, "millis")
    const largest = most(costs, "bytes")
    const name = `${operation.method} ${operation.path}`
    write(
      row(name, valid.millis.toFixed(1), slowest.millis.toFixed(1), slowest.what, String(largest.bytes), largest.what),
    )
    if (slowest.millis - valid.millis > millisMax) slow.push(name)
  }
  write(`\nMore than ${millisMax} ms beyond the example: ${slow.length === 0 ? "none" : slow.join(", ")}`)
}
