/**
 * The long crash run: `npm run crash -- --seed N --kills N`. `--refusals none` lets the webhook endpoint
 * accept every delivery, so that the time until the end is that of the takeovers alone. Prints a summary, and fails when anything is wrong at the end.
 */
import { parseArgs } from "node:util"
import { crashRun } from "../src/faults/CrashRun.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    kills: { type: "string", default: "60" },
    refusals: { type: "string", default: "some" },
  },
})

const { problems, ...summary } = await crashRun({
  seed: Number(values.seed),
  kills: Number(values.kills),
  killsPerCrash: 8,
  roles: ["all", "api", "worker"],
  clients: 16,
  answersMax: 150,
  responsesPerRefusal: values.refusals === "none" ? 0 : 40,
  log: (line) => console.log(line),
})
for (const [name, value] of Object.entries(summary)) console.log(`${name.padEnd(16)} ${value}`)
console.log(problems.length === 0 ? "nothing is wrong" : problems.join("\n"))
process.exitCode = problems.length === 0 ? 0 : 1
