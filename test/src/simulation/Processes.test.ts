/** Two processes share one run: a seed determines which of them dies and when, and the auditor finds one that writes elsewhere. */
import { expect, it } from "vitest"
import { finds } from "./Corruptions.ts"
import { processDeath } from "./FaultInjection.ts"
import { type Outcome, simulate } from "./Simulation.ts"
import type { Pay } from "./World.ts"

const timeout = { timeout: 120_000 }

/** The first run in which a process dies. */
const runWithDeath = async (): Promise<readonly [seed: number, Outcome]> => {
  for (let seed = 1; seed <= 50; seed++) {
    const outcome = await simulate(seed)
    if (outcome.faults.has(processDeath)) return [seed, outcome]
  }
  throw new Error("no process died in 50 runs")
}

it("a run in which a process dies ends well, and repeats with its seed", timeout, async () => {
  const [seed, outcome] = await runWithDeath()
  expect(outcome.problems).toEqual([])
  expect(await simulate(seed)).toEqual(outcome)
})

it("the auditor finds a process whose writes do not reach the common store", timeout, async () => {
  const separate = (pay: Pay) => {
    const { send } = pay
    const other = pay.fork()
    const answered: typeof send = async (...request) =>
      request[0] === "POST" && request[1] === "/customers/external-accounts"
        ? (await other).send(...request)
        : send(...request)
    Object.assign(pay, { send: answered })
  }
  await finds(separate, /ExternalAccount:\S+ was answered and does not exist/u)
})
