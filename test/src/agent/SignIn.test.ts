/** Authentication by tokens, secrets and device codes: active, revoked, and of another platform. Wire contract 1.5, 9 and 4.12. */
import { Agents, Authentication, DeviceCodes, Platforms, tenant } from "@countersign/core"
import { sandboxCurrencies } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import * as Operation from "../../../packages/core/src/operation/Operation.ts"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import { addCustomer, agentWorld, policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import { credentials } from "../../../packages/test/src/harness/World.ts"

const platformSignIn = (clientId: string, secret: string) =>
  Authentication.use((authentication) => authentication.platform(clientId, Redacted.make(secret)))

describe("a platform", () => {
  it.each([
    ["an unknown client id", "nobody", credentials.clientSecret],
    ["a wrong secret", credentials.clientId, "wrong"],
    ["an empty secret", credentials.clientId, ""],
  ])("is rejected with %s, without a hint which part is wrong", async (_label, clientId, secret) => {
    await using pay = await agentWorld()
    expect(await pay.run(Effect.flip(platformSignIn(clientId, secret)))).toMatchObject({
      code: "UNAUTHORIZED",
      details: { reason: "Invalid credentials" },
    })
  })

  it("is authenticated until its token is deleted", async () => {
    await using pay = await agentWorld()
    const caller = await pay.run(platformSignIn(credentials.clientId, credentials.clientSecret))
    expect(caller).toMatchObject({ platformId: pay.platformId, permissions: ["VIEW", "TRANSACT", "MANAGE"] })
    const id = caller.tokenId ?? ""
    await pay.run(
      Operation.run({
        name: "test",
        load: (read) => read({ records: [{ kind: "ApiToken", id }] }),
        decide: (read) => {
          const stored = read.record("ApiToken", id)
          return stored === undefined
            ? Operation.refuse({ code: "TOKEN_NOT_FOUND", message: "no token" })
            : Operation.answer(200, null, Changes.update(stored, { ...stored.data, isDeleted: true }))
        },
      }),
    )
    expect(await pay.run(Effect.flip(platformSignIn(credentials.clientId, credentials.clientSecret)))).toMatchObject({
      code: "UNAUTHORIZED",
    })
  })

  it("keeps its id when it is set up again with a new secret and endpoint", async () => {
    await using pay = await agentWorld()
    const again = await pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({
          clientId: credentials.clientId,
          clientSecret: Redacted.make("another"),
          name: "again",
          currencies: sandboxCurrencies,
          webhookEndpoint: "https://moved.example/hooks",
        }),
      ),
    )
    expect(again).toBe(pay.platformId)
    expect(await pay.run(platformSignIn(credentials.clientId, "another"))).toMatchObject({ platformId: pay.platformId })
    expect(await pay.run(Effect.flip(platformSignIn(credentials.clientId, credentials.clientSecret)))).toMatchObject({
      code: "UNAUTHORIZED",
    })
    expect(await pay.run(Platforms.use((platforms) => platforms.config))).toMatchObject({
      webhookEndpoint: "https://moved.example/hooks",
    })
  })

  it("is created once when two processes start with the same credentials", async () => {
    await using pay = await agentWorld({}, { interleave: 3 })
    const setup = { clientId: "both", clientSecret: Redacted.make("s"), name: "both", currencies: sandboxCurrencies }
    const ids = await Promise.all([1, 2, 3].map(() => pay.run(Platforms.use((platforms) => platforms.setUp(setup)))))
    expect(new Set(ids).size).toBe(1)
  })
})

describe("an agent", () => {
  const signIn = (token: string) => Authentication.use((authentication) => authentication.agent(Redacted.make(token)))

  // Proves: AUTH-03
  it("is authenticated by its token until it is deleted", async () => {
    await using pay = await agentWorld()
    expect((await pay.run(signIn(pay.accessToken))).agent.id).toBe(pay.agentId)
    await pay.run(Agents.use((agents) => agents.remove(pay.agentId)))
    for (const token of [pay.accessToken, "gat_wrong", ""]) {
      expect(await pay.run(Effect.flip(signIn(token)))).toMatchObject({
        code: "UNAUTHORIZED",
        details: { reason: "Invalid agent token" },
      })
    }
  })

  // Proves: AUTH-04
  it("cannot redeem the code of a deleted agent", async () => {
    await using pay = await agentWorld()
    const { agent, deviceCode } = (
      await pay.run(
        Agents.use((agents) => agents.create({ name: "Second", customerId: pay.customerId, policy: policy() })),
      )
    ).body
    await pay.run(Agents.use((agents) => agents.remove(agent.id)))
    expect(await pay.run(Effect.flip(DeviceCodes.use((codes) => codes.redeem(deviceCode.code))))).toMatchObject({
      code: "INVALID_INPUT",
      details: { reason: "AGENT_REVOKED" },
    })
  })

  it("uses up no attempts of its source while the service cannot redeem its code", async () => {
    let isContended = false
    const around = Layer.effect(
      Store,
      Effect.map(Store, (store) =>
        Store.of({
          ...store,
          commit: (set) => (isContended ? Effect.succeed({ _tag: "Conflict", on: "agent" }) : store.commit(set)),
        }),
      ),
    )
    await using pay = await agentWorld({}, { around })
    const { deviceCode } = (
      await pay.run(
        Agents.use((agents) => agents.create({ name: "Second", customerId: pay.customerId, policy: policy() })),
      )
    ).body
    const redeem = DeviceCodes.use((codes) => codes.redeem(deviceCode.code, "198.51.100.1"))
    isContended = true
    // More than the wrong codes that a source may send in a minute.
    const refused = await Promise.all(Array.from({ length: 25 }, () => pay.run(Effect.flip(redeem))))
    expect(new Set(refused.map((error) => "code" in error && error.code))).toEqual(new Set(["SERVICE_UNAVAILABLE"]))
    isContended = false
    expect(await pay.run(redeem)).toMatchObject({ status: 200 })
  })

  it("has a device code that another platform cannot see", async () => {
    await using pay = await agentWorld()
    const { deviceCode } = (
      await pay.run(
        Agents.use((agents) => agents.create({ name: "Second", customerId: pay.customerId, policy: policy() })),
      )
    ).body
    const status = DeviceCodes.use((codes) => codes.status(deviceCode.code))
    expect(await pay.run(status)).toEqual({ code: deviceCode.code, redeemed: false })
    const other = await pay.run(
      Platforms.use((platforms) =>
        platforms.setUp({ clientId: "o", clientSecret: Redacted.make("o"), name: "o", currencies: sandboxCurrencies }),
      ),
    )
    expect(await pay.run(Effect.flip(status), tenant(other))).toMatchObject({ code: "REFERENCE_NOT_FOUND" })
  })

  it("cannot have a policy that names accounts of another customer", async () => {
    await using pay = await agentWorld()
    const { accountId } = await addCustomer(pay)
    const create = Agents.use((agents) =>
      agents.create({
        name: "Second",
        customerId: pay.customerId,
        policy: policy({ accountRestrictions: { allowedAccountIds: [pay.accountId, accountId] } }),
      }),
    )
    expect(await pay.run(Effect.flip(create))).toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ field: "policy.accountRestrictions.allowedAccountIds.1" }] },
    })
  })
})
