/**
 * Sets up the named scenario of a new sandbox. An existing sandbox stays unchanged.
 * Source: D-234.
 */

import { type Credentials, makeClient } from "@countersign/client"
import { type ScenarioName, Scenarios } from "@countersign/client/scenarios"
import { Effect } from "effect"
import { usageError } from "./CommandError.ts"

const attemptsMax = 300
const pauseMillis = 100

const until = async <A>(read: () => Promise<A>, isExpected: (value: A) => boolean): Promise<A> => {
  for (let attemptsLeft = attemptsMax; ; attemptsLeft--) {
    const value = await read()
    if (isExpected(value)) return value
    if (attemptsLeft === 0) throw new Error("the sandbox did not reach the expected state")
    await Effect.runPromise(Effect.sleep(pauseMillis))
  }
}

/** Sets up the scenario over the interface, and returns the identifiers of its records. */
export const startScenario = Effect.fnUntraced(function* (
  name: ScenarioName,
  {
    clientId,
    clientSecret,
    handler,
    root,
    serviceName,
  }: {
    readonly clientId: string
    readonly clientSecret: string
    readonly handler: (request: Request) => Promise<Response>
    /** Base address with the base path. */
    readonly root: string
    readonly serviceName: string
  },
) {
  const clientOf = (credentials: Credentials) => makeClient({ baseUrl: root, credentials, fetch: handler, serviceName })
  return yield* Effect.tryPromise({
    try: (): Promise<object> =>
      Scenarios[name]({
        client: clientOf({ clientId, clientSecret }),
        clientOf: ({ token }) => clientOf({ accessToken: token }),
        until,
      }),
    catch: (cause) => usageError(`--world ${name}: ${cause instanceof Error ? cause.message : "it cannot be set up"}`),
  })
})

/** Formats one identifier per line: `agent.id  Agent:...`. */
export const handleLines = (handles: object, path = ""): ReadonlyArray<string> =>
  Object.entries(handles).flatMap(([name, handle]) => {
    const at = path === "" ? name : `${path}.${name}`
    return typeof handle === "object" && handle !== null ? handleLines(handle, at) : [`${at.padEnd(24)}  ${handle}`]
  })
