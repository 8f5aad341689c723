/** Which names approvers may have, and how they are stored and compared. Source: D-352. */
import { expect, it } from "vitest"
import { approverKey, approverName } from "../../../packages/core/src/model/approval/Approver.ts"

it.each([
  "",
  " ",
  "-Ada",
  "'Ada",
  "Ada <b>",
  "Ada\u200bLovelace",
  "Ada\nLovelace",
  "Ada;",
  "Ada Lovelace!",
  "a".repeat(81),
])("refuses a name with anything but letters, digits and the usual punctuation: %j", (name) => {
  expect(approverName(name)).toBeUndefined()
})

it.each(["7", "Ø", "a".repeat(80), "Zoë O’Neil-Åkesson, jr.", "O'Neil", "ada.lovelace+pay_1@example.com", "नीरज"])(
  "keeps a name of letters, digits and the usual punctuation as it is: %j",
  (name) => {
    expect(approverName(name)).toBe(name)
  },
)

it("stores one form of a name, without surrounding and repeated spaces", () => {
  expect(approverName("  Ada   King  Lovelace ")).toBe("Ada King Lovelace")
  expect(approverName("Zoe\u0308")).toBe("Zo\u00eb")
  expect(approverName("\uff21da")).toBe("Ada")
})

it("compares names without regard to letter case", () => {
  expect(approverKey("ADA Lovelace")).toBe(approverKey("ada lovelace"))
  expect(approverKey("Ada")).not.toBe(approverKey("Adam"))
})
