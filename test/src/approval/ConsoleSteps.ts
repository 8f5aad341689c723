/**
 * Steps of the tests of console sessions: people sign in with an API token of the platform, and with passkeys in software.
 * Source: D-352.
 */
import { ApiTokens, type Caller, ConsoleSessions, tenant } from "@countersign/core"
import type { TokenPermission } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import { Effect, Result } from "effect"
import { type PasskeyDevice, passkeyDevice } from "../../../packages/test/src/harness/PasskeyDevice.ts"
import type { World } from "../../../packages/test/src/harness/World.ts"

/** The page of the console. */
export const origin = "https://pay.example.com"

/** The authenticator of a person on that page. */
export const deviceOf = (name: string): PasskeyDevice =>
  passkeyDevice({ seed: name, origin, relyingPartyId: "pay.example.com" })

/** The stored records of a kind, oldest first. */
export const recordsOf = <K extends "ApiToken" | "Approver" | "ConsoleSession">(world: Pick<World, "run">, kind: K) =>
  world.run(
    Effect.map(
      Store.use((store) => store.list(kind, {}, { limit: 100, order: "asc" })),
      ({ data }) => data,
    ),
  )

/** The only stored record of a kind that a test expects. */
export const recordOf = async <K extends "Approver" | "ConsoleSession">(world: Pick<World, "run">, kind: K) => {
  const [record, ...others] = await recordsOf(world, kind)
  if (record === undefined || others.length > 0) throw new Error(`there is not one ${kind}`)
  return record
}

type PlatformCaller = Extract<Caller, { readonly _tag: "Platform" }>

/** Creates an API token, and returns its holder as the caller. */
export const newHolder = async (
  world: Pick<World, "platformId" | "run">,
  permissions: ReadonlyArray<TokenPermission> = ["VIEW", "TRANSACT"],
): Promise<PlatformCaller> => {
  const { body } = await world.run(ApiTokens.use((tokens) => tokens.create({ name: "Console", permissions })))
  return { ...tenant(world.platformId), tokenId: body.id, permissions }
}

/** `done`, or the reason or the code of the refusal. */
export const reasonOf = (result: Result.Result<unknown, object>): unknown => {
  if (Result.isSuccess(result)) return "done"
  const { code, details } = result.failure as { readonly code?: string; readonly details?: object }
  return (details as { readonly reason?: string } | undefined)?.reason ?? code
}

export const signIn = (world: Pick<World, "run">, holder: Caller, name: string) =>
  world.run(Effect.result(ConsoleSessions.use((all) => all.signIn(name, origin))), holder)

export const challenge = (world: Pick<World, "run">, holder: Caller, name: string) =>
  world.run(
    ConsoleSessions.use((all) => all.challenge(name, origin)),
    holder,
  )

/** What a device returns, for the challenge of a session; `from`: the page that answers. */
export const prove = (
  world: Pick<World, "run">,
  holder: Caller,
  sessionId: string,
  used: Pick<ReturnType<PasskeyDevice["register"]>, "clientDataJson" | "credentialId">,
  from = origin,
) => world.run(Effect.result(ConsoleSessions.use((all) => all.prove({ sessionId, ...used }, from))), holder)

/** Signs a person in for the first time, and returns the person as the caller, with the session. */
export const register = async (world: Pick<World, "run">, holder: PlatformCaller, name: string) => {
  const { challenge: text, sessionId } = await challenge(world, holder, name)
  const used = deviceOf(name).register(Buffer.from(text).toString("base64url"))
  const { session } = Result.getOrThrow(await prove(world, holder, sessionId, used))
  const record = (await recordsOf(world, "ConsoleSession")).find(({ id }) => id === sessionId)
  const approver = { id: record?.data.approverId ?? "", name, proof: session.proof }
  return { sessionId, caller: { ...holder, approver } satisfies Caller }
}
