/** Races on invitations on PostgreSQL end as they do in memory. Source: wire contract areas 1.4.4. */
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at } from "../e2e/Client.ts"
import { proveClaimRaces } from "../invitation/Claims.ts"
import { codeOf, invitationWorld, invitee, inviter } from "../invitation/InvitationWorld.ts"
import * as TestDatabase from "./TestDatabase.ts"

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(8)
}, 60_000)
afterAll(() => database.close())

// Each test has its own store, because worlds of one seed generate the same identifiers.
describe("an invitation on PostgreSQL", { timeout: 120_000 }, () => {
  proveClaimRaces(async () => invitationWorld({ store: await TestDatabase.emptiedWorld(database) }))

  it("is cancelled if it takes the place of a claimed one while its inviter's deletion reads", async () => {
    let meanwhile: { readonly before: () => Promise<unknown>; readonly after: () => Promise<unknown> } | undefined
    const store = await TestDatabase.emptiedWorld(database)
    const interrupted = Layer.effect(
      Store,
      Effect.map(Store, (inner) => {
        const list: typeof inner.list = (kind, where, page) =>
          Effect.suspend(() => {
            const happens = kind === "Invitation" ? meanwhile : undefined
            if (happens === undefined) return inner.list(kind, where, page)
            meanwhile = undefined
            return Effect.promise(happens.before).pipe(
              Effect.andThen(inner.list(kind, where, page)),
              Effect.tap(Effect.promise(happens.after)),
            )
          })
        return Store.of({ ...inner, list })
      }),
    ).pipe(Layer.provide(store.layer))
    await using pay = await invitationWorld({ store: { ...store, layer: interrupted } })
    const code = await pay.invite()
    let second = ""
    meanwhile = {
      before: () => pay.other("POST", `/invitations/${code}/claim`, { inviteeUma: invitee }),
      after: async () => {
        second = codeOf(await pay.own("POST", "/invitations", { inviterUma: inviter }))
      },
    }
    expect(await pay.own("DELETE", `/customers/${pay.customerId}`)).toMatchObject({ status: 200 })
    const statusOf = async (each: string) => at((await pay.own("GET", `/invitations/${each}`)).body, "status")
    expect([await statusOf(code), await statusOf(second)]).toEqual(["CLAIMED", "CANCELLED"])
  })
})
