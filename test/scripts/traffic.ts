/**
 * After `npm test`: what the traffic of all tests has reached of the OpenAPI document. Fails for an answer that does not match it, and for an
 * error code that the page of errors does not list for its operation. After a complete run it also fails for a documented status that no test
 * reached, and for a success with service-named elements that was seen under the default name only.
 */
import { coverageOf, failuresOf } from "../src/traffic/Coverage.ts"
import { isRunComplete, readDocument, readLines } from "../src/traffic/Document.ts"
import { excused } from "../src/traffic/Excused.ts"
import { messageSources } from "../src/traffic/MessageSources.ts"
import type { Noted, NotedMessage } from "../src/traffic/Recorder.ts"
import { missingMax, problemsOfUnanswered, unansweredOf } from "../src/traffic/Unanswered.ts"
import { errorsPage, unlistedCodes } from "../src/traffic/UnlistedCodes.ts"

const lines = readLines().map((line): Noted | NotedMessage => JSON.parse(line))
const noted = lines.filter((line) => "operation" in line)
const answered = lines.flatMap((line) => ("message" in line ? [line.message] : []))
const coverage = coverageOf(readDocument(), noted, excused)
const { documented, operations, reached, serviceNames } = coverage
const names = serviceNames.map(([name, own]) => `${name} (${own})`).join(", ")
console.log(
  `Traffic of the tests: ${reached} of ${documented} documented statuses of ${operations} operations, under the names ${names}`,
)
const written = messageSources()
const unseen = unansweredOf(written, answered)
console.log(
  `Messages of refusals: ${written.length - unseen.length} of ${written.length} texts of the sources were answered`,
)
const missing = isRunComplete() ? problemsOfUnanswered(unseen) : []
if (missing.length <= missingMax) for (const each of missing) console.log(`notice: ${each}`)
const wrong = [
  ...failuresOf(coverage, isRunComplete()),
  ...unlistedCodes(errorsPage(), noted),
  ...(missing.length > missingMax ? missing : []),
]
for (const each of wrong) console.log(each)
process.exitCode = wrong.length === 0 ? 0 : 1
