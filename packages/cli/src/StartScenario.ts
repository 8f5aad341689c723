/**
 * The named world that a new sandbox begins with. One that was there before stays as it is.
 * Source: D-234.
 */

import { type Credentials, makeClient } from "@countersign/client"
import { type ScenarioName, Scenarios } from "@countersign/client/scenarios"
import { Effect } from "effect"
import { usageError } from "./UsageError.ts"

const tries = 300
const pauseMillis = 100

const until = async <A>(read: () => Promise<A>, fits: (found: A) => boolean): Promise<A> => {
  for (let left = tries; ; left--) {
    const found = await read()
    if (fits(found)) return found
    if (left === 0) throw new Error("the sandbox does not come to rest")
    await Effect.runPromise(Effect.sleep(pauseMillis))
  }
}

/** Sets the world up over the interface, and answers its handles. */
export const startScenario = Effect.fnUntraced(function* (
  name: ScenarioName,
  {
    clientId,
    clientSecret,
    handler,
    root,
  }: {
    readonly clientId: string
    readonly clientSecret: string
    readonly handler: (request: Request) => Promise<Response>
    /** With the base path. */
    readonly root: string
  },
) {
  const clientOf = (credentials: Credentials) => makeClient({ baseUrl: root, credentials, fetch: handler })
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

/** Each handle on a line of its own: \`agent.id  Agent:...\`. */
export const handleLines = (handles: object, path = ""): ReadonlyArray<string> =>
  Object.entries(handles).flatMap(([name, handle]) => {
    const at = path === "" ? name : `${path}.${name}`
    return typeof handle === "object" && handle !== null ? handleLines(handle, at) : [`${at.padEnd(24)}  ${handle}`]
  })
