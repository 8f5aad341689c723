/** Races on invitations on PostgreSQL end as they do in memory. Source: wire contract areas 1.4.4. */
import { afterAll, beforeAll, describe } from "vitest"
import { proveClaimRaces } from "../invitation/Claims.ts"
import { invitationWorld } from "../invitation/InvitationWorld.ts"
import * as TestDatabase from "./TestDatabase.ts"

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(8)
}, 60_000)
afterAll(() => database.close())

// Each test has its own store, because worlds of one seed generate the same identifiers.
describe("an invitation on PostgreSQL", { timeout: 120_000 }, () => {
  proveClaimRaces(async () => invitationWorld({ store: await TestDatabase.emptiedWorld(database) }))
})
