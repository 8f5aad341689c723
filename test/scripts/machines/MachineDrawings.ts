/**
 * The drawings of machines as the console's page has them: where its states and arrows are, and what takes each trigger.
 * Source: D-468.
 */
import { Api } from "@countersign/client/api"
import { machines } from "@countersign/core/verify"
import { OpenApi } from "effect/http-api"
import { type LaidOutMachine, layOut } from "./MachineLayout.ts"
import { type Taker, transitionTakers } from "./TransitionTakers.ts"

export interface MachineDrawing extends LaidOutMachine {
  /** What takes each trigger, in words, each kind together. */
  readonly takers: { readonly [trigger: string]: ReadonlyArray<string> }
}

const verbs = ["get", "post", "put", "patch", "delete"] as const

/** The method and the path of each operation, by its id. */
export const operationPaths: ReadonlyMap<string, string> = new Map(
  Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, item]) =>
    verbs.flatMap((verb) => {
      const operation = item[verb]
      return operation === undefined ? [] : [[operation.operationId, `${verb.toUpperCase()} ${path}`] as const]
    }),
  ),
)

/** What takes a transition, in words. */
const takerText = (taker: Taker): string => {
  if ("call" in taker) return `${operationPaths.get(taker.call)} (${taker.call})`
  if ("by" in taker) return taker.by
  if (!("job" in taker)) return `Time: ${taker.when}`
  return `Job ${taker.job}${taker.when === undefined ? "" : `: ${taker.when}`}`
}

/** Whether it takes the transition of a record that exists already. */
const isLater = (taker: Taker): boolean => !("call" in taker && taker.isAtCreation === true)

/** The machines whose states a record of the page may have. */
const hidden: ReadonlyArray<string> = ["File", "BulkImport", "WebhookEndpoint", "WebhookCircuit"]

export const machineDrawings = (): { readonly [machine: string]: MachineDrawing } =>
  Object.fromEntries(
    Object.values(machines)
      .filter(({ name }) => !hidden.includes(name))
      .map((machine) => {
        const existing = new Set(machine.arrows.flatMap(({ from, trigger }) => (from === null ? [] : [trigger])))
        const rows = transitionTakers[machine.name] ?? {}
        const takers = [...existing].map((trigger) => [trigger, (rows[trigger] ?? []).filter(isLater).map(takerText)])
        return [machine.name, { ...layOut(machine), takers: Object.fromEntries(takers) }]
      }),
  )
