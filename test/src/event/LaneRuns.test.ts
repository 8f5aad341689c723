/** The due events of one record, which a worker claims together: sent in order, ended in one commit, and repeated after a crash. D-491. */
import { InternalAccounts, Jobs } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { addCustomer } from "../../../packages/test/src/harness/AgentWorld.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"

const change = (pay: Harness, what: "disable" | "enable") => pay.send("POST", `/webhooks/endpoint/${what}`)

interface Balance {
  readonly amount: number
}

/** A funded account: each `fund` of 1 causes an event that shows the balance, all of them in one lane. */
const started = async (leaseMillis = 120_000) => {
  const ends: Array<number> = []
  let crash: "webhook.next" | undefined
  const counting = Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* Store
      const commit: (typeof store)["commit"] = (set) => {
        if (set.attempts.length > 0) ends.push(set.finishes.length)
        return store.commit(set)
      }
      return Context.make(Store, Store.of({ ...store, commit }))
    }),
  )
  const pay = await harness({
    around: counting,
    ports: Layer.succeed(Jobs.leaseMillis, leaseMillis),
    failPoints: (point) => (point === crash ? Effect.interrupt : Effect.void),
  })
  const { accountId } = await addCustomer(pay)
  await pay.settle()
  pay.inbox.clear()
  ends.length = 0
  const received: Array<number> = []
  const bodies = new Map<number, Set<string>>()
  const answers = { of: (_balance: number): number | Promise<number> => 200 }
  pay.inbox.deliverTo(async (request) => {
    const text = await request.text()
    const { data, type }: { readonly type: string; readonly data: { readonly balance: Balance } } = JSON.parse(text)
    if (type !== "INTERNAL_ACCOUNT.BALANCE_UPDATED") return new Response(null, { status: 200 })
    const { amount } = data.balance
    received.push(amount)
    bodies.set(amount, (bodies.get(amount) ?? new Set()).add(text))
    return new Response(null, { status: await answers.of(amount) })
  })
  const fund = async (times: number) => {
    for (let count = 0; count < times; count++) {
      await pay.run(InternalAccounts.use((accounts) => accounts.fund(accountId, 1)))
    }
  }
  const jobs = () => pay.run(Effect.flatMap(Store, (store) => store.jobs))
  const setCrash = (point: typeof crash) => {
    crash = point
  }
  return { pay, ends, received, bodies, answers, fund, jobs, setCrash, [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

describe("the due events of one record", () => {
  it("are sent in order, up to 16 by one claim, and ended in one commit", async () => {
    await using world = await started()
    await world.fund(20)
    await world.pay.settle()
    expect(world.received).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(await world.jobs()).toEqual([])
    // Besides, each funding has an event of its own record.
    const runs = world.ends.filter((count) => count >= 4)
    expect(Math.max(...world.ends)).toBeGreaterThanOrEqual(16)
    expect(runs.length).toBeGreaterThan(0)
    expect(world.ends.reduce((sum, count) => sum + count, 0)).toBe(40)
  })

  it("stop at the first failure; what was acknowledged is not sent again, and the rest follows in order", async () => {
    await using world = await started()
    let failures = 1
    world.answers.of = (amount) => (amount === 3 && failures-- > 0 ? 500 : 200)
    await world.fund(6)
    await world.pay.settle()
    expect(world.received).toEqual([1, 2, 3])
    expect((await world.jobs()).map(({ attempt, state }) => `${state} ${attempt}`)).toEqual([
      "waiting 1",
      "waiting 1",
      "waiting 1",
      "waiting 1",
    ])
    await world.pay.clock.advance("6 seconds")
    expect(world.received).toEqual([1, 2, 3, 3, 4, 5, 6])
    expect(await world.jobs()).toEqual([])
    expect([...world.bodies.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1])
  })

  it("wait 5 seconds after their own first failure, also if they were claimed behind another one that failed", async () => {
    await using world = await started()
    let firstFailures = 1
    let secondFailures = 1
    world.answers.of = (amount) => {
      if (amount === 1) return firstFailures-- > 0 ? 500 : 200
      return secondFailures-- > 0 ? 500 : 200
    }
    await world.fund(2)
    await world.pay.settle()
    await world.pay.clock.advance("6 seconds")
    expect(world.received).toEqual([1, 1, 2])
    await world.pay.clock.advance("6 seconds")
    expect(world.received).toEqual([1, 1, 2, 2])
  })

  it("pass an event that keeps failing only after its hold of 30 seconds, one after another", async () => {
    await using world = await started()
    world.answers.of = (amount) => (amount === 1 ? 500 : 200)
    await world.fund(4)
    await world.pay.settle()
    await world.pay.clock.advance("29 seconds")
    expect(new Set(world.received)).toEqual(new Set([1]))
    for (let step = 0; step < 30; step++) await world.pay.clock.advance("1 second")
    expect(world.received.filter((amount) => amount !== 1)).toEqual([2, 3, 4])
  })

  it("are all sent again after a crash between two of them, in order and with the same bodies", async () => {
    await using world = await started()
    await world.fund(4)
    world.setCrash("webhook.next")
    await world.pay.settle().catch(() => 0)
    expect(world.received).toEqual([1])
    world.setCrash(undefined)
    await world.pay.clock.advance("3 minutes")
    expect(world.received).toEqual([1, 1, 2, 3, 4])
    expect(await world.jobs()).toEqual([])
    expect([...world.bodies.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1])
  })

  it("are recorded and no longer sent from the moment at which the endpoint is disabled", async () => {
    await using world = await started()
    world.answers.of = async (amount) => {
      if (amount === 2) await change(world.pay, "disable")
      return 200
    }
    await world.fund(5)
    await world.pay.settle()
    expect(world.received).toEqual([1, 2])
    expect(await world.jobs()).toEqual([])
  })

  it("leave the rest to later claims when the endpoint is slow", async () => {
    await using world = await started()
    world.answers.of = async () => {
      await world.pay.run(TestClock.adjust("10 seconds"))
      return 200
    }
    await world.fund(5)
    await world.pay.settle()
    expect(world.received).toEqual([1, 2, 3, 4, 5])
    expect(Math.max(...world.ends)).toBeLessThanOrEqual(3)
    expect(await world.jobs()).toEqual([])
  })

  it("leave the rest to later claims when another one would outlast the lease", async () => {
    await using world = await started(45_000)
    world.answers.of = async () => {
      await world.pay.run(TestClock.adjust("6 seconds"))
      return 200
    }
    await world.fund(5)
    await world.pay.settle()
    expect(world.received).toEqual([1, 2, 3, 4, 5])
    // A lease of 45 seconds leaves 10.5 seconds to begin deliveries, each of which may take 30.
    expect(Math.max(...world.ends)).toBe(2)
  })
})
