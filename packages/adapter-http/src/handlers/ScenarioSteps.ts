/**
 * Runs a scenario over the interface of this process, as a caller that is authenticated already.
 * Source: D-472.
 */
import { ApiError, makeClient } from "@countersign/client"
import { type OfferedScenario, type ScenarioContext, Scenarios } from "@countersign/client/scenarios"
import type { Caller, Jobs } from "@countersign/core"
import type { ScenarioRun } from "@countersign/core/models"
import { WallTime } from "@countersign/core/ports"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Sender } from "../middleware/OwnRequests.ts"

const roundsMax = 300
/** Number of rounds that are left to the workers. Where there are none, the run does their work. */
const roundsOfWorkers = 60
const roundMillis = 25

const id = /^[A-Z][A-Za-z]+:[0-9a-f]{8}-[0-9a-f-]{27}$/u

/** The ids in a value with their names: `treasury.agentId`. Anything else may be a secret and stays here. */
const idsIn = (value: unknown, name: string): ScenarioRun["records"] => {
  if (typeof value === "string") return id.test(value) ? [{ name, id: value }] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => idsIn(member, name === "" ? key : `${name}.${key}`))
}

/** The id of the record that an answer says was created. */
const createdId = async (response: Response): Promise<string | undefined> => {
  if (response.status !== 201) return undefined
  const body: unknown = await response.clone().json()
  return idsIn(body, "").find(({ name }) => name === "id" || name === "agent.id")?.id
}

export interface ScenarioCall {
  readonly own: Sender
  readonly caller: Extract<Caller, { readonly _tag: "Platform" }>
  readonly serviceName: string
  readonly drain: Jobs["Service"]["drain"]
}

/** Fails with where it stopped, and with what it had made. */
export const runScenario = Effect.fnUntraced(function* (
  name: OfferedScenario,
  { caller, drain, own, serviceName }: ScenarioCall,
) {
  const wall = yield* WallTime
  // With the clocks of the request.
  const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())
  const made: Array<string> = []
  let latest: string | undefined
  const options = {
    baseUrl: `${own.publicUrl}${own.basePath}`,
    serviceName,
    fetch: async (request: Request) => {
      latest = `${request.method} ${decodeURIComponent(new URL(request.url).pathname).slice(own.basePath.length)}`
      const as = request.headers.has("authorization") ? undefined : ({ as: { _tag: "Platform", caller } } as const)
      const response = HttpServerResponse.toWeb(await runPromise(own.send(HttpServerRequest.fromWeb(request), as)))
      const created = await createdId(response)
      if (created !== undefined) made.push(created)
      return response
    },
  }
  const pause = (round: number) =>
    runPromise(round < roundsOfWorkers ? wall.sleep(roundMillis) : Effect.andThen(drain, wall.sleep(roundMillis)))
  const context: ScenarioContext = {
    client: makeClient({ ...options, credentials: "none" }),
    clientOf: ({ token }) => makeClient({ ...options, credentials: { accessToken: token } }),
    until: async (read, isExpected) => {
      for (let round = 0; round < roundsMax; round++) {
        const value = await read()
        if (isExpected(value)) return value
        await pause(round)
      }
      throw new Error("the sandbox did not reach the expected state.")
    },
  }
  const handles = yield* Effect.tryPromise({
    try: (): Promise<object> => Scenarios[name](context),
    catch: (cause) => ({
      message: cause instanceof Error ? cause.message : "it failed.",
      operation: latest,
      status: cause instanceof ApiError ? cause.status : undefined,
      made,
    }),
  })
  return { name, records: idsIn(handles, "") } satisfies ScenarioRun
})
