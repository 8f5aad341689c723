/** Every operation with grown inputs: a short answer, no defect, no growing memory. `npm run fuzz` sends more. Source: D-313. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Draw, drawOf } from "../crypto/Mutants.ts"
import { operations } from "../http/ExampleRequests.ts"
import { grownRequest } from "./GrownInputs.ts"
import { type OperationTarget, operationTarget } from "./OperationTarget.ts"

/** Requests per operation. `COUNTERSIGN_FUZZ=1000000` divides a million among the operations. */
const all = operations()
const inputs = Number(process.env["COUNTERSIGN_FUZZ"] ?? 0)
const perOperation = Math.max(16, Math.ceil(inputs / all.length))
const seed = Number(process.env["COUNTERSIGN_FUZZ_SEED"] ?? 1)

const answerBytesMax = 64 * 1024
/** Fresh requests leave garbage: the heap may double before it is collected. */
const heapGrowthMax = 400 * 1024 * 1024

/** Twenty times the processor time of the worst body in the benchmark; what came before this bound took up to 9,000. */
const processorMillisMax = 1000

/** Lists show up to 100 records, and the document describes the whole interface. */
const isList = (body: string): boolean => body.startsWith('{"data":[')

let target: OperationTarget
beforeAll(async () => {
  target = await operationTarget()
})
afterAll(() => target[Symbol.asyncDispose]())

describe("an operation with grown inputs", () => {
  it.each(all.map((operation, index) => [`${operation.method} ${operation.path}`, operation, index] as const))(
    "answers shortly and without a defect: %s",
    { timeout: 60_000 + perOperation * 50 },
    async (_name, operation, index) => {
      const draw: Draw = drawOf(seed * 1000 + index)
      const { path, ...example } = target.exampleOf(operation)
      const [pathname = "", query = ""] = path.split("?")
      const before = process.memoryUsage().heapUsed
      for (let request = 0; request < perOperation; request++) {
        const grown = grownRequest(draw, example, query)
        const started = process.cpuUsage()
        const answer = await target.send(operation, { ...grown, path: `${pathname}${grown.query ?? `?${query}`}` })
        const { system, user } = process.cpuUsage(started)
        const seen = `${grown.what}: ${answer.status} ${answer.body.slice(0, 300)}`
        if (!isList(answer.body)) expect(answer.bytes, seen).toBeLessThanOrEqual(answerBytesMax)
        expect((system + user) / 1000, seen).toBeLessThan(processorMillisMax)
        expect([500, 503].includes(answer.status), seen).toBe(false)
      }
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(heapGrowthMax)
    },
  )
})
