/** Counts in windows of time, of a bounded number of keys. Source: D-337. */
import { expect, it } from "vitest"
import * as BoundedWindows from "../../../packages/core/src/foundation/kit/BoundedWindows.ts"

it("counts a key until its window ends, and begins anew at that moment", () => {
  const windows = BoundedWindows.make<string>(10)
  expect(windows.find("a", 0)).toBeUndefined()
  expect(windows.add("a", 100, 0)).toEqual({ count: 1, endsAt: 100, note: undefined })
  expect(windows.add("a", 150, 50)).toMatchObject({ count: 2, endsAt: 100 })
  expect(windows.find("a", 99)).toMatchObject({ count: 2 })
  expect(windows.find("a", 100)).toBeUndefined()
  expect(windows.add("a", 200, 100)).toMatchObject({ count: 1, endsAt: 200 })
})

it("keeps the note of a key while its window lasts", () => {
  const windows = BoundedWindows.make<string>(10)
  windows.add("a", 100, 0).note = "seen"
  expect(windows.find("a", 99)?.note).toBe("seen")
  expect(windows.add("a", 200, 100).note).toBeUndefined()
})

it("counts keys apart, and forgets those whose windows have ended", () => {
  const windows = BoundedWindows.make<never>(10)
  windows.add("a", 100, 0)
  windows.add("b", 200, 0)
  windows.add("b", 200, 0)
  expect([windows.find("a", 0)?.count, windows.find("b", 0)?.count, windows.size()]).toEqual([1, 2, 2])
  expect(windows.find("c", 100)).toBeUndefined()
  expect(windows.size()).toBe(1)
  windows.add("c", 300, 200)
  expect(windows.size()).toBe(1)
})

it("makes room for a new key at the cost of the first, and never for a known one", () => {
  const windows = BoundedWindows.make<never>(2)
  for (const key of ["a", "b", "b", "a"]) windows.add(key, 100, 0)
  expect([windows.size(), windows.find("a", 0)?.count, windows.find("b", 0)?.count]).toEqual([2, 2, 2])
  windows.add("c", 100, 0)
  expect([windows.size(), windows.find("a", 0), windows.find("b", 0)?.count]).toEqual([2, undefined, 2])
})

it("begins a window that ended behind a longer one anew", () => {
  const windows = BoundedWindows.make<never>(3)
  windows.add("long", 1000, 0)
  windows.add("short", 10, 0)
  expect(windows.find("short", 10)).toBeUndefined()
  expect(windows.add("short", 30, 20)).toMatchObject({ count: 1, endsAt: 30 })
})
