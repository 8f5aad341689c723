/**
 * Recorded runs from outside: `npm run history -- --seed 1 --rounds 10`, with `--processes 3`, `--clients 8`, `--steps 40` a round and `--cells 4`.
 * Prints a summary, and fails when what clients were answered is possible in no order, or a change was reported wrongly.
 */
import { parseArgs } from "node:util"
import { historyRun } from "../src/history/HistoryRun.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    rounds: { type: "string", default: "10" },
    processes: { type: "string", default: "3" },
    clients: { type: "string", default: "8" },
    steps: { type: "string", default: "40" },
    cells: { type: "string", default: "1" },
  },
})
const { problems, ...summary } = await historyRun({
  seed: Number(values.seed),
  rounds: Number(values.rounds),
  processes: Number(values.processes),
  clients: Number(values.clients),
  steps: Number(values.steps),
  cells: Number(values.cells),
  log: (line) => console.log(line),
})
for (const [name, value] of Object.entries(summary)) console.log(`${name.padEnd(12)} ${value}`)
console.log(problems.length === 0 ? "nothing is wrong" : problems.join("\n"))
process.exitCode = problems.length === 0 ? 0 : 1
