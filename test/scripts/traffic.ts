/**
 * After `npm test`: what the traffic of all tests has reached of the OpenAPI document. Fails for an answer that does not match it, and after a
 * complete run for a documented status that no test reached, and for a success with service-named elements that was seen under the default name
 * only.
 */
import { coverageOf, failuresOf } from "../src/traffic/Coverage.ts"
import { isRunComplete, readDocument, readLines } from "../src/traffic/Document.ts"
import { excused } from "../src/traffic/Excused.ts"
import type { Noted } from "../src/traffic/Recorder.ts"

const noted = readLines().map((line): Noted => JSON.parse(line))
const coverage = coverageOf(readDocument(), noted, excused)
const { documented, operations, reached, serviceNames } = coverage
const names = serviceNames.map(([name, own]) => `${name} (${own})`).join(", ")
console.log(
  `Traffic of the tests: ${reached} of ${documented} documented statuses of ${operations} operations, under the names ${names}`,
)
const wrong = failuresOf(coverage, isRunComplete())
for (const each of wrong) console.log(each)
process.exitCode = wrong.length === 0 ? 0 : 1
