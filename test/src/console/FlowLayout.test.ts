/** Where a flow of money has its accounts and arcs: nothing overlaps, and every arc ends at its accounts. */
import { describe, expect, it } from "vitest"
import { box, flowOf, type Transfer } from "../../../packages/console/page/FlowLayout.ts"

const transfer = (from: string, to: string) =>
  ({ from: { ledgerAccount: from }, to: { ledgerAccount: to } }) as Transfer
/** The numbers of the path of an arc: start, two control points, end. */
const pointsOf = (path: string) => (path.match(/-?\d+(?:\.\d+)?/gu) ?? []).map(Number)

describe("a flow", () => {
  it("has its accounts below one another, in the order in which the money reaches them", () => {
    const { accounts, height } = flowOf([transfer("a", "b"), transfer("b", "c"), transfer("a", "c")])
    expect(accounts).toEqual([
      { id: "a", y: 2 },
      { id: "b", y: 84 },
      { id: "c", y: 166 },
    ])
    expect(height).toBe(224)
  })

  it("has for each transfer an arc from the edge of one account to that of the other", () => {
    const { arcs, width } = flowOf([transfer("a", "b"), transfer("b", "a")])
    const [first, second] = arcs.map(({ path }) => pointsOf(path))
    // Two ends at each account: at a third and two thirds of its height.
    const third = box.height / 3
    const edge = box.left + box.width
    expect(first?.slice(0, 2)).toEqual([edge, expect.closeTo(2 + third, 6)])
    expect(first?.slice(-2)).toEqual([edge + 3, expect.closeTo(84 + third, 6)])
    expect(second?.slice(0, 2)).toEqual([edge, expect.closeTo(84 + 2 * third, 6)])
    expect(second?.slice(-2)).toEqual([edge + 3, expect.closeTo(2 + 2 * third, 6)])
    expect(arcs.map(({ x }) => x - edge)).toEqual([46, 80])
    expect(arcs[0]?.y).toBeCloseTo((2 + third + 84 + third) / 2, 6)
    expect(width).toBe(edge + 46 + 34 + 18)
  })

  it("turns each arc where its number stands", () => {
    for (const { path, x } of flowOf([transfer("a", "b"), transfer("a", "b")]).arcs) {
      const [start = 0, , control = 0, , , , end = 0] = pointsOf(path)
      // The middle of a cubic curve.
      expect(Math.abs((start + 3 * control + 3 * control + end) / 8 - x)).toBeLessThan(2)
    }
  })

  it("of no transfers is empty, and of one to itself has one account", () => {
    expect(flowOf([])).toMatchObject({ accounts: [], arcs: [] })
    const { accounts, arcs } = flowOf([transfer("a", "a")])
    expect([accounts.length, arcs.length]).toEqual([1, 1])
    const [, start = 0, , , , , , end = 0] = pointsOf(arcs[0]?.path ?? "")
    expect(end - start).toBeCloseTo(box.height / 3, 6)
  })
})
