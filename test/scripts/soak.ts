/**
 * The long soak run: `npm run soak -- --minutes 120`, with `--rate 40` steps a second, a worker killed every `--kill-seconds 60` and `--seed N`.
 * Prints a line for each sample and tables at the end, and fails when anything is wrong.
 */
import { parseArgs } from "node:util"
import { machine } from "../src/bench/Machine.ts"
import { latencyTable, sampleHead, sampleRow, table, tableSizesTable } from "../src/soak/SoakReport.ts"
import { soakRun } from "../src/soak/SoakRun.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "120" },
    rate: { type: "string", default: "40" },
    "kill-seconds": { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
  },
})
const seconds = Number(values.minutes) * 60
const secondsPerKill = Number(values["kill-seconds"])
const perSecond = Number(values.rate)
if (!(seconds > 0 && secondsPerKill > 0 && perSecond > 0))
  throw new Error("--minutes, --rate and --kill-seconds must be numbers above 0")

console.log(`Machine: ${machine()}`)
console.log(sampleHead.join("  "))
let seen = 0
const summary = await soakRun({
  seed: Number(values.seed),
  seconds,
  perSecond,
  secondsPerKill,
  onSample: (one, timings) => {
    const row = sampleRow(one, timings.slice(seen))
    seen = timings.length
    console.log(sampleHead.map((name, index) => String(row[index]).padStart(name.length)).join("  "))
  },
})
const { notes, problems, samples, timings, ...counts } = summary
console.log(`\n${latencyTable(timings, seconds)}\n\n${tableSizesTable(samples)}\n`)
console.log(`${table(["what", "count"], Object.entries(counts))}\n`)
for (const note of notes) console.log(note)
console.log(problems.length === 0 ? "\nnothing is wrong" : `\n${problems.join("\n")}`)
process.exitCode = problems.length === 0 ? 0 : 1
