/** Races on invitations on PostgreSQL end as they do in memory. Source: wire contract areas 1.4.4. */
import { PostgresStore } from "@countersign/adapter-postgres"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { booksOf } from "../faults/Books.ts"
import { proveClaimRaces } from "../invitation/Claims.ts"
import { invitationWorld } from "../invitation/InvitationWorld.ts"
import * as TestDatabase from "./TestDatabase.ts"

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(8)
}, 60_000)
afterAll(() => database.close())

/** Each test has its own store, because worlds of one seed generate the same identifiers. */
const emptied = async () => {
  const { connection } = database
  await Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(TestDatabase.emptyStore(async () => connection)))))
  return { layer: Layer.orDie(PostgresStore.layer({ connection })), books: () => booksOf(connection) }
}

describe("an invitation on PostgreSQL", { timeout: 60_000 }, () => {
  proveClaimRaces(async () => invitationWorld({ store: await emptied() }))
})
