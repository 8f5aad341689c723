/** Two worlds in which every operation was called: one with two platforms, and one whose only platform may move its whole state. */
import { agentSteps } from "./AgentSteps.ts"
import { type Confined, confinedWorld } from "./ConfinedWorld.ts"
import { customerSteps } from "./CustomerSteps.ts"
import { moneySteps } from "./MoneySteps.ts"
import { operatorSteps } from "./OperatorSteps.ts"
import { sandboxSteps, serverSteps } from "./SandboxSteps.ts"
import { scaSteps } from "./ScaSteps.ts"
import { stablecoinSteps } from "./StablecoinSteps.ts"
import { walletSteps } from "./WalletSteps.ts"

const steps = [
  agentSteps,
  moneySteps,
  customerSteps,
  operatorSteps,
  sandboxSteps,
  scaSteps,
  stablecoinSteps,
  walletSteps,
] as const

type Judgement = Pick<Confined, "problems" | "checked">

export const journey = async (): Promise<Judgement & AsyncDisposable> => {
  const shared = await confinedWorld()
  const alone = await confinedWorld({ isAlone: true })
  const stopped: Array<string> = []
  /** Steps that cannot go on, because an answer lacks what they need, are problems like the answer itself. */
  const run = (step: (world: Confined) => Promise<void>, world: Confined) =>
    step(world).catch((cause: unknown) => void stopped.push(`the steps stopped: ${String(cause).slice(0, 200)}`))
  for (const step of steps) await run(step, shared)
  await run(serverSteps, alone)
  const worlds = [shared, alone]
  return {
    problems: (claim) => [...worlds.flatMap((world) => world.problems(claim)), ...(claim === "success" ? stopped : [])],
    checked: (claim) => new Map(worlds.flatMap((world) => [...world.checked(claim)])),
    [Symbol.asyncDispose]: async () => {
      for (const world of worlds) await world[Symbol.asyncDispose]()
    },
  }
}
