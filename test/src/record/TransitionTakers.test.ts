/**
 * The table of what takes each transition: complete, true to the contract and to the jobs, and what records do when they are driven.
 * Source: D-468.
 */
import type { RecordDetail } from "@countersign/core/models"
import { JobKinds } from "@countersign/core/store"
import { machines } from "@countersign/core/verify"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import type { Harness, Reply, Send } from "../../../packages/test/src/harness/Harness.ts"
import { fund } from "../../../packages/test/src/harness/TransferCalls.ts"
import { machineDrawings, operationPaths } from "../../scripts/machines/MachineDrawings.ts"
import { layOut } from "../../scripts/machines/MachineLayout.ts"
import { transitionTakers } from "../../scripts/machines/TransitionTakers.ts"
import { at } from "../customer/CustomerRequests.ts"

const all = Object.values(machines)
const stateHeight = 30

describe("the table", () => {
  it("has every trigger of every machine, and no other", () => {
    const rows = Object.entries(transitionTakers).map(([name, row]) => [name, Object.keys(row).toSorted()])
    const triggers = all.map(({ name, triggers: own }) => [name, own.toSorted()])
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(triggers))
  })

  it("names what takes each transition by an operation of the contract, a kind of job, a time or a reporter", () => {
    const takers = Object.values(transitionTakers).flatMap((rows) => Object.values(rows))
    expect(takers.filter((row) => row.length === 0)).toEqual([])
    const unknown = takers
      .flat()
      .filter(
        (taker) => ("call" in taker && !operationPaths.has(taker.call)) || ("job" in taker && !JobKinds.has(taker.job)),
      )
    expect(unknown).toEqual([])
  })
})

describe("the drawings", () => {
  it("say what takes every transition of a record that exists", () => {
    const silent = Object.entries(machineDrawings()).flatMap(([name, { takers }]) =>
      Object.entries(takers).flatMap(([trigger, texts]) => (texts.length === 0 ? [`${name} ${trigger}`] : [])),
    )
    expect(silent).toEqual([])
  })
})

describe("the layout", () => {
  it("has every state and every arrow of every machine, apart from one another and inside the picture", () => {
    for (const machine of all) {
      const { arrows, height, states, width } = layOut(machine)
      expect(states.map(({ name }) => name).toSorted()).toEqual(machine.states.toSorted())
      const drawn = arrows.flatMap(({ from, to, triggers }) => triggers.map((trigger) => `${from} ${trigger} ${to}`))
      const declared = machine.arrows.flatMap(({ from, to, trigger }) =>
        from === null ? [] : [`${from} ${trigger} ${to}`],
      )
      expect(drawn.toSorted()).toEqual(declared.toSorted())
      const overlapping = states.flatMap((one) =>
        states.filter(
          (two) =>
            one.name < two.name &&
            Math.abs(one.x - two.x) < (one.width + two.width) / 2 &&
            Math.abs(one.y - two.y) < stateHeight,
        ),
      )
      expect([machine.name, overlapping]).toEqual([machine.name, []])
      const outside = [...states, ...arrows].filter(({ x, y }) => x < 0 || y < 0 || x > width || y > height)
      expect([machine.name, outside]).toEqual([machine.name, []])
    }
  })

  it("is the same at every build", () => {
    expect(JSON.stringify(machineDrawings())).toBe(JSON.stringify(machineDrawings()))
  })
})

/** Drives records, and asserts that every transition they take is in the table under what took it. */
const driver = (pay: Harness) => {
  const taken: Array<string> = []
  const before = new Map<string, string | undefined>()
  const compare = async (ids: ReadonlyArray<string>, isBy: (machine: string, trigger: string) => boolean) => {
    for (const id of ids) {
      const { states } = (await pay.send("GET", `/operator/records/${id}`)).body as RecordDetail
      for (const { field, machine: name, state } of states) {
        const machine = all.find((each) => each.name === name)
        if (machine === undefined) continue
        const from = before.get(`${id} ${field}`)
        before.set(`${id} ${field}`, state)
        if (from === state) continue
        const path: ReadonlyArray<string> | undefined = machine.pathBetween((from ?? null) as never, state as never)
        expect([machine.name, from, state, path]).not.toEqual([machine.name, from, state, undefined])
        for (const trigger of path ?? []) {
          taken.push(`${machine.name} ${trigger}`)
          expect([machine.name, trigger, isBy(machine.name, trigger)]).toEqual([machine.name, trigger, true])
        }
      }
    }
  }
  const takersOf = (machine: string, trigger: string) => transitionTakers[machine]?.[trigger] ?? []
  return {
    taken,
    call: async (operation: string, path: string, options: Send, ids: (reply: Reply) => ReadonlyArray<string>) => {
      const [method = ""] = operationPaths.get(operation)?.split(" ") ?? []
      const reply = await pay.send(method, path, options)
      expect([operation, reply.status < 300]).toEqual([operation, true])
      await compare(ids(reply), (machine, trigger) =>
        takersOf(machine, trigger).some((taker) => "call" in taker && taker.call === operation),
      )
      return reply
    },
    /** Notes the present state of records that were created before. */
    seen: async (...ids: ReadonlyArray<string>) => {
      const count = taken.length
      await compare(ids, () => true)
      taken.length = count
    },
    /** Runs the jobs that are due. */
    settle: async (...ids: ReadonlyArray<string>) => {
      await pay.settle()
      await compare(ids, (machine, trigger) => takersOf(machine, trigger).some((taker) => "job" in taker))
    },
  }
}

describe("records that are driven", () => {
  it("take the table's transitions: cards, external accounts, quotes, payments and actions", async () => {
    await using pay = await agentHarness(
      { approvalThresholds: { currency: "USD", amount: 100 } },
      { suffixes: ["000"] },
    )
    await fund(pay, 100_000)
    const { call, seen, settle, taken } = driver(pay)
    const idOf = (reply: Reply) => [String(at(reply, "id"))]

    const body = { cardholderId: pay.customerId, form: "VIRTUAL", fundingSources: [pay.accountId] }
    const [card = ""] = idOf(await call("createCard", "/cards", { body }, idOf))
    await settle(card)
    for (const state of ["FROZEN", "ACTIVE", "CLOSED"]) {
      await call("updateCardById", `/cards/${card}`, { body: { state } }, () => [card])
    }

    const account = pay.sources["000"] ?? ""
    await seen(account)
    for (const status of ["UNDER_REVIEW", "ACTIVE", "INACTIVE", "ACTIVE"]) {
      const path = `/sandbox/external-accounts/${account}/status`
      await call("sandboxSetExternalAccountStatus", path, { body: { status } }, () => [account])
    }

    const quote = {
      source: { sourceType: "ACCOUNT", accountId: pay.accountId },
      destination: { destinationType: "ACCOUNT", accountId: account },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 100,
    }
    const quoted = (reply: Reply) => [String(at(reply, "id")), String(at(reply, "transactionId"))]
    const [quoteId = "", paymentId = ""] = quoted(await call("createQuote", "/quotes", { body: quote }, quoted))
    await call("executeQuote", `/quotes/${quoteId}/execute`, {}, () => [quoteId, paymentId])
    await settle(quoteId, paymentId)
    const [overdue = ""] = quoted(await call("createQuote", "/quotes", { body: quote }, quoted))
    await pay.clock.advance("1 day")
    await settle(overdue)

    const pull = { source: { accountId: account }, destination: { accountId: pay.accountId }, amount: 1 }
    const [pulled = ""] = idOf(await call("createTransferIn", "/transfer-in", { body: pull }, idOf))
    await settle(pulled)

    const submit = async () => {
      const as = { token: pay.accessToken }
      const held = { ...pull, amount: 101 }
      const [action = ""] = idOf(
        await call("agentCreateTransferIn", "/agents/me/transfer-in", { as, body: held }, idOf),
      )
      return action
    }
    const [first, second] = [await submit(), await submit()]
    const actions = `/agents/${pay.agentId}/actions`
    await call("approveAgentAction", `${actions}/${first}/approve`, {}, () => [first])
    await call("rejectAgentAction", `${actions}/${second}/reject`, {}, () => [second])

    expect([...new Set(taken)].toSorted()).toEqual([
      "AgentAction Approve",
      "AgentAction Reject",
      "AgentAction SubmitHeld",
      "Card Activate",
      "Card Close",
      "Card Freeze",
      "Card Issue",
      "Card Unfreeze",
      "ExternalAccount Activate",
      "ExternalAccount Deactivate",
      "ExternalAccount Review",
      "IncomingTransaction Pull",
      "IncomingTransaction Settle",
      "OutgoingTransaction Begin",
      "OutgoingTransaction Create",
      "OutgoingTransaction Deliver",
      "Quote Begin",
      "Quote Create",
      "Quote Deliver",
      "Quote Expire",
    ])
  })
})
