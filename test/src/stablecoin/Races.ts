/**
 * Races of the stablecoin operations, for any store: each is done once, and each has one winner.
 * Source: wire contract areas 1.1 and 1.6.4 to 1.6.8.
 */
import { expect, it } from "vitest"
import {
  bank,
  burn,
  burnBody,
  codeOf,
  idOf,
  link,
  mint,
  mintBody,
  newKey,
  type Pay,
  register,
  stablecoin,
  statusOf,
  wallet,
} from "./StablecoinWorld.ts"

const count = 6
const times = <A>(run: () => Promise<A>) => Promise.all(Array.from({ length: count }, run))
const won = [201, undefined, undefined]

/** The suite; `world` gives a world with its store. */
export const proveStablecoinRaces = (world: () => Promise<Pay>) => {
  it.each([
    ["links an account of the provider", "PROVIDER_ACCOUNT_LINKED", link],
    ["registers a token", "STABLECOIN_REGISTERED", register],
  ] as const)("%s for one of many requests", async (_, reason, request) => {
    await using pay = await world()
    if (request === register) idOf(await link(pay))
    const codes = (await times(() => request(pay))).map(codeOf).toSorted(([a], [b]) => Number(a) - Number(b))
    expect(codes).toEqual([won, ...Array.from({ length: count - 1 }, () => [409, "CONFLICT", reason])])
  })

  it("mints once for many requests with one key, and completes the mint", async () => {
    await using pay = await world()
    const [coin, to, account, key] = [await stablecoin(pay), await wallet(pay), await bank(pay), newKey()]
    const body = mintBody(to, { type: "ACH_DEBIT", externalAccountId: account })
    const made = await times(() => mint(pay, coin, body, key))
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 201))
    const ids = new Set(made.map(idOf))
    expect(ids.size).toBe(1)
    await pay.clock.advance("10 minutes")
    expect(await Promise.all([...ids].map((id) => statusOf(pay, id)))).toEqual(["COMPLETED"])
    const again = await mint(pay, coin, body, key)
    expect([again.status, idOf(again)]).toEqual([201, [...ids][0]])
  })

  it("burns for a customer or deletes it, never both", async () => {
    await using pay = await world()
    const [coin, account] = [await stablecoin(pay), await bank(pay)]
    const [made, deleted] = await Promise.all([
      burn(pay, coin, burnBody(account)),
      pay.send("DELETE", `/customers/${pay.customerId}`),
    ])
    expect([
      [201, 409],
      [400, 200],
      [404, 200],
    ]).toContainEqual([made.status, deleted.status])
  })
}
