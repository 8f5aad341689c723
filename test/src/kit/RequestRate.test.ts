/** A rate of requests: the whole count at once, given back evenly. Source: D-338. */
import { expect, it } from "vitest"
import * as RequestRate from "../../../packages/core/src/foundation/kit/RequestRate.ts"

it("allows the whole count at once, says how many remain, and refuses the next until one is given back", () => {
  const { count, take } = RequestRate.make(4, 1000)
  expect(count).toBe(4)
  expect([1, 2, 3, 4].map(() => take("a", 0))).toEqual([
    { isAllowed: true, remaining: 3, availableAt: 250 },
    { isAllowed: true, remaining: 2, availableAt: 500 },
    { isAllowed: true, remaining: 1, availableAt: 750 },
    { isAllowed: true, remaining: 0, availableAt: 1000 },
  ])
  const refused = { isAllowed: false, remaining: 0, availableAt: 250 }
  expect(take("a", 0)).toEqual(refused)
  expect(take("a", 249)).toEqual(refused)
  expect(take("a", 250)).toEqual({ isAllowed: true, remaining: 0, availableAt: 1250 })
})

it("counts a refused request for nothing, and each key apart", () => {
  const { take } = RequestRate.make(1, 1000)
  expect(take("a", 0).isAllowed).toBe(true)
  for (const now of [1, 2, 3]) expect(take("a", now)).toMatchObject({ isAllowed: false, availableAt: 1000 })
  expect(take("b", 3).isAllowed).toBe(true)
  expect(take("a", 1000).isAllowed).toBe(true)
})

it("has the whole count again after a window without requests", () => {
  const { take } = RequestRate.make(3, 900)
  for (let request = 0; request < 3; request++) take("a", 0)
  expect(take("a", 5000)).toEqual({ isAllowed: true, remaining: 2, availableAt: 5300 })
})

it("forgets the first key for a new one when it knows as many as it may, and none for a known one", () => {
  const { take } = RequestRate.make(1, 1000, 2)
  take("a", 0)
  take("b", 0)
  expect([take("b", 0).isAllowed, take("a", 0).isAllowed]).toEqual([false, false])
  expect(take("c", 0).isAllowed).toBe(true)
  expect([take("b", 0).isAllowed, take("a", 0).isAllowed]).toEqual([false, true])
})
