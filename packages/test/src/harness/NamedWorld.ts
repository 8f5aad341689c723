/** Named worlds in memory: each is set up once for a process, and every test goes on from a fork of it. */
import { type Handles, type ScenarioName, Scenarios, scenarioNames } from "@countersign/client/scenarios"
import { type Harness, harness } from "./Harness.ts"
import { seededWallet } from "./SeededWallet.ts"

const prepared = new Map<ScenarioName, Promise<readonly [Harness, unknown]>>()

const setUp = async <Name extends ScenarioName>(name: Name) => {
  const pay = await harness({ tape: false })
  const handles = await Scenarios[name]({
    client: pay.client,
    clientOf: pay.clientOf,
    wallet: seededWallet(name),
    until: async (read, fits) => {
      await pay.settle()
      const found = await read()
      if (!fits(found)) throw new Error(`the world ${name} does not come to rest: ${JSON.stringify(found)}`)
      return found
    },
  })
  await pay.settle()
  return [pay, handles] as const
}

/**
 * `await using pay = await named("demo")`: the world, and what is in it by name (`pay.handles`). The same seed gives the same identifiers to
 * what is added, in whatever order tests run.
 */
export const named = async <Name extends ScenarioName>(
  name: Name,
  options: { readonly seed?: number } = {},
): Promise<Harness & { readonly handles: Handles<Name> }> => {
  if (!scenarioNames.includes(name)) throw new Error(`no world is called ${name}: ${scenarioNames.join(", ")}`)
  const begun = prepared.get(name) ?? setUp(name)
  prepared.set(name, begun)
  const [parent, handles] = await begun
  const pay = await parent.fork({ seed: options.seed ?? 2 })
  return Object.assign(pay, { handles: structuredClone(handles) as Handles<Name> })
}
