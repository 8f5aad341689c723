/** What ended links to providers of stablecoins say of a later registration. Source: wire contract areas 1.6.3. */
import { expect, it } from "vitest"
import { codeOf, link, register, stablecoinWorld } from "./StablecoinWorld.ts"

it.each([
  ["004", "003", "STABLECOIN_PROVIDER_ACCOUNT_INVALID"],
  ["003", "004", "STABLECOIN_PROVIDER_ACCOUNT_REVOKED"],
])(
  "a registration without an active link says what became of the newest one: %s, then %s",
  async (first, second, code) => {
    await using pay = await stablecoinWorld()
    await link(pay, `client_${first}`)
    await pay.clock.advance("1 second")
    await link(pay, `client_${second}`)
    await pay.clock.advance("31 seconds")
    expect(codeOf(await register(pay))).toEqual([400, code, undefined])
  },
)
