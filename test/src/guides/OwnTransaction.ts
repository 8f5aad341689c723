/** A user of yours and the customer that stands for them: committed together, or not at all. */
import { NodeCrypto } from "@countersign/adapter-http"
import { PostgresStore } from "@countersign/adapter-postgres"
import { CurrentCaller, Customers, SignedRequests, tenant } from "@countersign/core"
import { vaultOf, WallTime } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Store, StoreUnavailable } from "@countersign/core/store"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type pg from "pg"

interface User {
  readonly email: string
  readonly name: string
}

// Sandbox.layer stands for your own ports, and the secret for one that your processes share.
const world = Layer.mergeAll(
  Sandbox.layer,
  NodeCrypto.layer(),
  vaultOf(Redacted.make("a-secret-of-32-characters-or-more")),
  WallTime.layerClock,
  SecureRandom.layerWebCrypto,
)

/** Once, on a client whose transaction is open. */
const signUpOn = (client: pg.PoolClient, platformId: string, { email, name }: User) =>
  Effect.gen(function* () {
    const { notify, store } = yield* PostgresStore.transaction(client)
    // A service of its own: one that was made before works on another connection.
    const customers = Layer.fresh(Customers.layer.pipe(Layer.provide(SignedRequests.layer))).pipe(
      Layer.provide(Layer.succeed(Store, store)),
    )
    const { body } = yield* Customers.use((all) => all.create({ customerType: "INDIVIDUAL", fullName: name })).pipe(
      Effect.provide(customers, { local: true }),
    )
    const insert = "insert into users (email, customer_id) values ($1, $2)"
    yield* Effect.promise(() => client.query(insert, [email, body.id]))
    return { customerId: body.id, notify }
  }).pipe(Effect.provide(world), Effect.provideService(CurrentCaller, tenant(platformId)))

/** Repeats the whole transaction after a conflict. */
export const signUp = async (pool: pg.Pool, platformId: string, user: User): Promise<string> => {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    try {
      await client.query("begin isolation level read committed")
      const { customerId, notify } = await Effect.runPromise(signUpOn(client, platformId, user))
      await client.query("commit")
      await Effect.runPromise(notify) // wakes the workers
      return customerId
    } catch (error) {
      await client.query("rollback")
      if (!(error instanceof StoreUnavailable) || attempt === 5) throw error
    } finally {
      client.release()
    }
  }
}
