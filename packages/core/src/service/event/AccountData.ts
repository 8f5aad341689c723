/**
 * The funding instructions in events about internal accounts. They are filled in when an event is sent, because they are not stored.
 * Source: wire contract areas 2.7 and 2.12; D-397.
 */
import { Effect } from "effect"
import { isId } from "../../foundation/ids/IdTypes.ts"
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { isObject } from "../../foundation/kit/CrossField.ts"
import { Store, type StoreUnavailable } from "../../store/Store.ts"
import { makeFundingSets } from "../account/FundingSets.ts"

export const makeAccountData = Effect.gen(function* () {
  const store = yield* Store
  const funding = yield* makeFundingSets

  const fillIn = Effect.fnUntraced(function* (accountId: string, data: { readonly [name: string]: Json }) {
    const { customerId, status } = data
    const found = yield* store.read({
      records: [
        { kind: "InternalAccount", id: accountId },
        ...(typeof customerId === "string" ? [{ kind: "Customer" as const, id: customerId }] : []),
      ],
    })
    const account = found.record("InternalAccount", accountId)
    // The event shows the account as it was: it had instructions while it was active.
    if (account === undefined || status !== "ACTIVE") return data
    const customer = typeof customerId === "string" ? found.record("Customer", customerId) : undefined
    const instructions = yield* funding.setOf({ ...account, data: { ...account.data, status } }, customer)
    return { ...data, fundingPaymentInstructions: instructions }
  })

  /** Returns the data of an event as it is sent. */
  return (
    subject: string,
    data: Json,
  ): Effect.Effect<Json, StoreUnavailable, Effect.Services<ReturnType<typeof fillIn>>> =>
    isId("InternalAccount", subject) && isObject(data) ? fillIn(subject, data) : Effect.succeed(data)
})
