/** Worlds that contain a named scenario. Each scenario is created once per process, and every test gets a fork of it. */
import { type Handles, type ScenarioName, Scenarios, scenarioNames } from "@countersign/client/scenarios"
import { type Harness, harness } from "./Harness.ts"
import { seededWallet } from "./SeededWallet.ts"

const prepared = new Map<ScenarioName, Promise<readonly [Harness, unknown]>>()

const setUp = async <Name extends ScenarioName>(name: Name) => {
  const pay = await harness()
  const handles = await Scenarios[name]({
    client: pay.client,
    clientOf: pay.clientOf,
    wallet: seededWallet(name),
    until: async (read, fits) => {
      await pay.settle()
      const found = await read()
      if (!fits(found)) throw new Error(`the scenario ${name} does not reach its final state: ${JSON.stringify(found)}`)
      return found
    },
  })
  await pay.settle()
  return [pay, handles] as const
}

/**
 * `await using pay = await named("demo")`: a harness that contains the scenario; `pay.handles` has its records by name.
 * The same seed gives the same identifiers to records that a test adds, in whatever order the tests run.
 */
export const named = async <Name extends ScenarioName>(
  name: Name,
  options: { readonly seed?: number } = {},
): Promise<Harness & { readonly handles: Handles<Name> }> => {
  if (!scenarioNames.includes(name)) throw new Error(`unknown scenario ${name}; known: ${scenarioNames.join(", ")}`)
  const scenario = prepared.get(name) ?? setUp(name)
  prepared.set(name, scenario)
  const [parent, handles] = await scenario
  const pay = await parent.fork({ seed: options.seed ?? 2 })
  return Object.assign(pay, { handles: structuredClone(handles) as Handles<Name> })
}
