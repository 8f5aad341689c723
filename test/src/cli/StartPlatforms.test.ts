/** The platforms that a start sets up: whose credentials are given, kept or generated. Source: D-030, D-036. */
import { CurrentCaller, Platforms, ServiceError } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { Store, StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { describe, expect, it } from "vitest"
import type { Credentials, ServeOptions } from "../../../packages/cli/src/ServeFlags.ts"
import { ServerStore } from "../../../packages/cli/src/ServerStore.ts"
import { setUpPlatforms } from "../../../packages/cli/src/StartPlatforms.ts"
import { optionsWith, secret, some } from "./ServeOptionsOf.ts"

const generatedId = `client_${"07".repeat(12)}`
const generatedSecret = `secret_${"07".repeat(24)}`
const url = "https://receiver.example/"
const given = { clientId: some("first"), clientSecret: secret("s1") }

type Config = Effect.Success<Platforms["Service"]["config"]>

interface Known {
  /** The client ids in the store; the first one is the oldest platform's. */
  readonly ids?: ReadonlyArray<string>
  readonly webhookEndpoint?: string
  readonly fails?: "store" | "setUp"
}

const refused = new ServiceError({ code: "INVALID_INPUT", message: "webhookEndpoint must be a URL." })
const away = new StoreUnavailable({ unknown: false, cause: new Error("away") })

/** Starts with these options; secrets are shown. */
const start = async (
  options: Partial<ServeOptions>,
  { fails, ids = [], webhookEndpoint }: Known = {},
  others: ReadonlyArray<Credentials> = [],
) => {
  const calls: Array<unknown> = []
  const store = Layer.mock(Store, {
    aheadMillis: () => 0,
    resolve: ({ key }) => {
      if (fails === "store") return Effect.fail(away)
      const id = ids.find((each) => key.endsWith(each))
      const found = { kind: "ApiToken", id: "ApiToken:1", platformId: `of ${id}` } as Effect.Success<
        ReturnType<Store["Service"]["resolve"]>
      >
      return Effect.succeed(id === undefined ? undefined : found)
    },
  })
  const platforms = Layer.mock(Platforms, {
    setUp: ({ clientSecret, currencies, nextClientSecret, ...setup }) => {
      if (fails === "setUp") return Effect.fail(refused)
      calls.push({
        ...setup,
        secret: Redacted.value(clientSecret),
        ...(nextClientSecret === undefined ? {} : { next: Redacted.value(nextClientSecret) }),
        ...(currencies === sandboxCurrencies ? {} : { currencies }),
      })
      return Effect.succeed("PlatformConfig:1")
    },
    config: Effect.succeed((webhookEndpoint === undefined ? {} : { webhookEndpoint }) as Partial<Config> as Config),
    updateConfig: (update) =>
      Effect.flatMap(CurrentCaller, ({ platformId }) => {
        calls.push([platformId, update])
        return fails === "setUp" ? Effect.fail(refused) : Effect.die(new Error("the answer is not read"))
      }).pipe(Effect.catchDefect(() => Effect.succeed({} as never))),
  })
  const result = await setUpPlatforms(optionsWith(options).options, others).pipe(
    Effect.provide([
      store,
      platforms,
      Layer.succeed(ServerStore, {
        location: { _tag: "Memory" },
        firstClientId: Effect.succeed(ids[0]),
        vault: Effect.die(new Error("no vault")),
      }),
      Layer.succeed(
        SecureRandom.SecureRandom,
        SecureRandom.make((size) => new Uint8Array(size).fill(7)),
      ),
    ]),
    Effect.match({
      onFailure: ({ message, reason }) => ({ reason, message }),
      onSuccess: ({ createdWithSecret, ...found }) => ({
        ...found,
        created: createdWithSecret && Redacted.value(createdWithSecret),
      }),
    }),
    Effect.runPromise,
  )
  return { result, calls }
}

describe("the first platform", () => {
  it("of a new store has credentials that are generated", async () => {
    expect(await start({})).toEqual({
      result: {
        clientId: generatedId,
        secret: { generated: generatedSecret },
        otherClientIds: [],
        created: generatedSecret,
      },
      calls: [{ clientId: generatedId, name: generatedId, secret: generatedSecret }],
    })
  })

  it("has the credentials that are given", async () => {
    const { calls, result } = await start({ ...given, nextClientSecret: secret("s2"), webhookUrl: some(url) })
    expect(result).toEqual({ clientId: "first", secret: "given", otherClientIds: [], created: "s1" })
    expect(calls).toEqual([{ clientId: "first", name: "first", secret: "s1", next: "s2", webhookEndpoint: url }])
  })

  it("of a given id without a secret has a generated one, unless the store knows it", async () => {
    const { calls, result } = await start({ clientId: some("first") }, { ids: ["other"] })
    expect(result).toMatchObject({
      clientId: "first",
      secret: { generated: generatedSecret },
      created: generatedSecret,
    })
    expect(calls).toHaveLength(1)
    const known = await start({ clientId: some("first") }, { ids: ["other", "first"] })
    expect(known.result).toEqual({ clientId: "first", secret: "unchanged", otherClientIds: [], created: undefined })
    expect(known.calls).toEqual([])
  })

  it("is the oldest one of the store, whose secret stays or is replaced", async () => {
    const kept = await start({}, { ids: ["oldest"] })
    expect([kept.result, kept.calls]).toMatchObject([{ clientId: "oldest", secret: "unchanged" }, []])
    const replaced = await start({ clientSecret: secret("s1") }, { ids: ["oldest"] })
    expect(replaced.result).toEqual({ clientId: "oldest", secret: "given", otherClientIds: [], created: undefined })
    expect(replaced.calls).toEqual([{ clientId: "oldest", name: "oldest", secret: "s1" }])
  })

  const unsafe = {
    reason: "unsafe",
    message: "live mode generates no credentials: it needs --client-id and --client-secret",
  }
  it("of live mode has no generated part", async () => {
    for (const options of [{}, { clientId: given.clientId }, { clientSecret: given.clientSecret }])
      expect(await start({ ...options, mode: "live" })).toEqual({ result: unsafe, calls: [] })
    expect((await start({ ...given, mode: "live" })).result).toMatchObject({ secret: "given" })
    expect((await start({ mode: "live" }, { ids: ["oldest"] })).result).toMatchObject({ secret: "unchanged" })
    expect((await start({ mode: "live", clientSecret: given.clientSecret }, { ids: ["oldest"] })).result).toMatchObject(
      {
        clientId: "oldest",
        secret: "given",
      },
    )
  })

  it("that exists has its webhook endpoint changed, if it is another", async () => {
    const changed = await start(
      { webhookUrl: some(url) },
      { ids: ["oldest"], webhookEndpoint: "https://other.example/" },
    )
    expect(changed.calls).toEqual([["of oldest", { webhookEndpoint: url }]])
    const same = await start({ webhookUrl: some(url) }, { ids: ["oldest"], webhookEndpoint: url })
    expect(same.calls).toEqual([])
    const unset = await start({ webhookUrl: some(url), ...given }, { ids: ["first"] })
    expect(unset.calls).toEqual([
      ["of first", { webhookEndpoint: url }],
      { clientId: "first", name: "first", secret: "s1", webhookEndpoint: url },
    ])
  })
})

describe("the other platforms", () => {
  const others = [
    { clientId: "b", clientSecret: Redacted.make("sb") },
    { clientId: "c", clientSecret: Redacted.make("sc") },
  ]

  it("are set up after the first one, without its webhook endpoint", async () => {
    const { calls, result } = await start({ ...given, webhookUrl: some(url) }, {}, others)
    expect(result).toMatchObject({ otherClientIds: ["b", "c"] })
    expect(calls.slice(1)).toEqual([
      { clientId: "b", name: "b", secret: "sb" },
      { clientId: "c", name: "c", secret: "sc" },
    ])
  })

  it("have other client ids than the first one, also than a stored one", async () => {
    const duplicate = { result: { reason: "usage", message: "two platforms have the client id b" }, calls: [] }
    expect(await start({}, { ids: ["b"] }, others)).toEqual(duplicate)
    expect(await start({ ...given, clientId: some("b") }, {}, others)).toEqual(duplicate)
  })
})

describe("a start", () => {
  it("names the option of an endpoint that is refused", async () => {
    const usage = { reason: "usage", message: "--webhook-url must be a URL." }
    expect((await start({ ...given, webhookUrl: some(url) }, { fails: "setUp" })).result).toEqual(usage)
    expect((await start({ webhookUrl: some(url) }, { ids: ["oldest"], fails: "setUp" })).result).toEqual(usage)
  })

  it("says that the store does not answer", async () => {
    const failed = { reason: "store", message: "the store does not answer" }
    expect((await start(given, { fails: "store" })).result).toEqual(failed)
    expect((await start({ clientId: some("first") }, { fails: "store" })).result).toEqual(failed)
  })
})
