/**
 * After `npm test`: what the traffic of all tests has reached of the OpenAPI document. Fails for an answer that does not match it, and after a
 * complete run for a documented status that no test reached.
 */
import { coverageOf } from "../src/traffic/Coverage.ts"
import { isRunComplete, readDocument, readLines } from "../src/traffic/Document.ts"
import { excused } from "../src/traffic/Excused.ts"
import type { Noted } from "../src/traffic/Recorder.ts"

const noted = readLines().map((line): Noted => JSON.parse(line))
const isComplete = isRunComplete()
const coverage = coverageOf(readDocument(), noted, excused)
const { documented, excusedInVain, missing, operations, problems, reached, serviceNames } = coverage
console.log(
  `Traffic of the tests: ${reached} of ${documented} documented statuses of ${operations} operations, under the names ${serviceNames.join(", ")}`,
)
const wrong = [
  ...problems,
  ...(isComplete ? missing.map((pair) => `no test reaches ${pair}`) : []),
  ...(isComplete ? excusedInVain.map((pair) => `excused, and reached or unknown: ${pair}`) : []),
]
for (const each of wrong) console.log(each)
process.exitCode = wrong.length === 0 ? 0 : 1
