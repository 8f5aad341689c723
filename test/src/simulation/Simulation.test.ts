/**
 * Simulated runs of the whole service: whatever goes wrong between any two steps, the end is right. A failing run is one seed:
 * `npm run simulate -- --from SEED --runs 1` plays it again. And the auditor finds what is wrong where something is.
 */
import { describe, expect, it } from "vitest"
import { simulate } from "./Simulation.ts"

const runs = Number(process.env["SIMULATIONS"] ?? 150)

describe("a simulated run", { timeout: 600_000 }, () => {
  for (const half of [0, 1]) {
    it(`ends well, by the seeds ${half * runs + 1} to ${(half + 1) * runs}`, async () => {
      const faults = new Set<string>()
      for (let seed = half * runs + 1; seed <= (half + 1) * runs; seed++) {
        const outcome = await simulate(seed)
        expect(outcome.problems, `seed ${seed}`).toEqual([])
        for (const fault of outcome.faults.keys()) faults.add(fault)
      }
      // Every kind of fault struck: a run without weather proves little.
      expect(faults.size).toBe(9)
    })
  }

  it("is the same run again by the same seed, and another by another", async () => {
    const [first, again, other] = [await simulate(77), await simulate(77), await simulate(78)]
    expect({ ...again, faults: [...again.faults] }).toEqual({ ...first, faults: [...first.faults] })
    expect(other.trace).not.toBe(first.trace)
  })
})

describe("the auditor", { timeout: 60_000 }, () => {
  const problems = async (change: Parameters<typeof simulate>[1]) => (await simulate(77, change)).problems.join("\n")

  it("finds nothing in the run that it is tried on", async () => {
    expect(await problems(() => undefined)).toBe("")
  })

  it("finds what was done twice", async () => {
    const found = await problems((pay) => {
      const { send } = pay
      Object.assign(pay, {
        send: async (...[method, path, options]: Parameters<typeof send>) => {
          if (method === "POST" && path === "/transfer-in")
            await send(method, path, { body: options?.body }).catch(() => 0)
          return send(method, path, options)
        },
      })
    })
    expect(found).toMatch(/Transaction:\S+ is there and nobody asked for it/u)
  })

  it("finds what was answered and lost", async () => {
    const found = await problems((pay) => {
      const { send } = pay
      Object.assign(pay, {
        send: async (...[method, path, options]: Parameters<typeof send>) =>
          method === "POST" && path === "/transfer-in"
            ? { status: 201, headers: new Headers(), body: { id: "Transaction:never" } }
            : send(method, path, options),
      })
    })
    expect(found).toContain("Transaction:never was answered and is not there")
  })

  it("finds books that do not balance", async () => {
    const found = await problems((pay) => {
      const { books } = pay
      Object.assign(pay, {
        books: async () =>
          (await books()).map((book, index) => (index === 0 ? { ...book, balance: book.balance + 1 } : book)),
      })
    })
    expect(found).toMatch(/the books of \w+ sum to 1/u)
    expect(found).toMatch(/is not the sum of its entries/u)
  })

  it("finds an event that was not told, and one that came too early", async () => {
    const silent = await problems((pay) => {
      const { webhooks } = pay
      Object.assign(pay, {
        webhooks: { ...webhooks, received: [], ofType: () => [] },
      })
    })
    expect(silent).toMatch(/is (?:COMPLETED|FAILED) after: $/mu)
    const backward = await problems((pay) => {
      const { webhooks } = pay
      Object.assign(pay, {
        webhooks: {
          ...webhooks,
          get received() {
            return webhooks.received.toReversed()
          },
        },
      })
    })
    expect(backward).toMatch(/after: \w+ .*\bPENDING$/mu)
  })
})
