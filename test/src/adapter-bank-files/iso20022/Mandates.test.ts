/** Which mandates let an account be pulled by a direct debit. Source: D-530. */
import { expect, it } from "vitest"
import { isoFormat } from "../../../../packages/adapter-bank-files/src/iso20022/IsoFormat.ts"
import { ibanAccount, ourIban } from "../BankWorld.ts"

const refused = { _tag: "Refused", refusal: "BANK_REJECTED", code: "MD01" }

it.each<readonly [what: string, id: string | undefined, isPulled: boolean]>([
  ["of 35 characters", "M".repeat(35), true],
  ["of 36 characters", "M".repeat(36), false],
  ["of letters that a file cannot carry", "MANDATÉ-1", false],
  ["that does not exist", undefined, false],
])("a mandate %s: %s", (_what, id, isPulled) => {
  const mandate = id === undefined ? undefined : { id, signedOn: "2026-01-02" }
  const format = isoFormat({
    name: "Engines Ltd",
    iban: ourIban,
    creditorId: "DE98ZZZ09999999999",
    mandateOf: () => mandate,
  })
  const pulled = format.partyOf({ account: ibanAccount(), direction: "pull", amount: 1 })
  expect(pulled).toEqual(isPulled ? expect.objectContaining({ _tag: "Party", mandate }) : refused)
  const pushed = format.partyOf({ account: ibanAccount(), direction: "push", amount: 1 })
  expect([pushed._tag, "mandate" in pushed]).toEqual(["Party", false])
})
