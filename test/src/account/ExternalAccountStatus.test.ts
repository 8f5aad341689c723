/**
 * The sandbox's status change of an external account, and the event of each transition.
 * Source: wire contract 2.7 and 7.2; D-050.
 */

import { describe, expect, it } from "vitest"
import { ExternalAccountMachine } from "../../../packages/core/src/model/account/ExternalAccountMachine.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/index.ts"
import { added, newCustomer, platformPath, usd } from "./ExternalAccountRequests.ts"

const setStatus = (pay: Harness, id: string, status: string) =>
  pay.send("POST", `/sandbox/external-accounts/${id}/status`, { body: { status } })

describe("the sandbox's change of status", () => {
  it("accepts exactly the transitions of the state machine", async () => {
    await using pay = await harness()
    const move = async (id: string, states: ReadonlyArray<string>) => {
      for (const status of states) await setStatus(pay, id, status)
      return id
    }
    const starts = [
      ["ACTIVE", []],
      ["UNDER_REVIEW", ["UNDER_REVIEW"]],
      ["INACTIVE", ["INACTIVE"]],
    ] as const
    let number = 1000
    for (const [state, path] of starts) {
      for (const target of ExternalAccountMachine.states) {
        number += 1
        const id = await move(await added(pay, usd(`${number}000`)), path)
        const reply = await setStatus(pay, id, target)
        const isTransition = ExternalAccountMachine.triggerBetween(state, target) !== undefined
        expect([state, target, reply.status]).toEqual([state, target, isTransition ? 200 : 409])
        if (!isTransition)
          expect(reply.body).toMatchObject({ code: "INVALID_STATE_TRANSITION", details: { from: state, to: target } })
        expect((await pay.send("GET", `${platformPath}/${id}`)).body).toMatchObject({
          status: isTransition ? target : state,
        })
      }
    }
  })

  // Proves: EVT-08
  it("sends an event with the whole account after each transition", async () => {
    await using pay = await harness()
    const id = await added(pay, { ...usd(), customerId: await newCustomer(pay) })
    const reply = await setStatus(pay, id, "UNDER_REVIEW")
    await setStatus(pay, id, "ACTIVE")
    await pay.settle()
    const events = pay.inbox.ofType("EXTERNAL_ACCOUNT.STATUS_UPDATED")
    expect(events.map(({ data }) => data["status"])).toEqual(["UNDER_REVIEW", "ACTIVE"])
    expect(events[0]?.data).toEqual(reply.body)
  })

  it("rejects an unknown status and an unknown account", async () => {
    await using pay = await harness()
    const id = await added(pay, usd())
    expect((await setStatus(pay, id, "CLOSED")).status).toBe(400)
    expect((await setStatus(pay, "ExternalAccount:00000000-0000-7000-8000-000000000009", "INACTIVE")).status).toBe(404)
  })
})
