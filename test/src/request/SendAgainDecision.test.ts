/** The refusals of a request that is to be sent again, and as whom it is sent. Source: D-478. */
import { type Caller, tenant } from "@countersign/core"
import { describe, expect, it } from "vitest"
import {
  anotherPerson,
  atTheWordOf,
  callerGone,
  exceeds,
  incomplete,
} from "../../../packages/core/src/decision/request/SendAgainDecision.ts"

describe("a request that is not known as a whole", () => {
  const refused = (count: number) => {
    const members = Array.from({ length: count }, (_, index) => `body.${index}`)
    return incomplete({ notSendable: { reason: "MASKED", message: "Something is masked.", members } })
  }

  it("names at most ten of what is missing, and has all of them in its details", () => {
    expect(refused(1)).toMatchObject({
      code: "CONFLICT",
      message: "Something is masked. Missing: body.0.",
      details: { reason: "MASKED", members: ["body.0"] },
    })
    const ten = "body.0, body.1, body.2, body.3, body.4, body.5, body.6, body.7, body.8, body.9"
    expect(refused(10)?.message).toBe(`Something is masked. Missing: ${ten}.`)
    expect(refused(12)?.message).toBe(`Something is masked. Missing: ${ten}, and 2 more.`)
    expect(refused(12)?.details).toMatchObject({ members: expect.arrayContaining(["body.11"]) })
  })

  it("says only why, if no member is missing", () => {
    expect(refused(0)?.message).toBe("Something is masked.")
    expect(incomplete({})).toBeUndefined()
  })
})

it("a caller without access is named by its kind", () => {
  const gone = { code: "CONFLICT", details: { reason: "CALLER_GONE" } }
  const message = (what: string) => `The ${what} of this request no longer has access.`
  expect(callerGone("AGENT")).toEqual({ ...gone, message: message("agent") })
  expect(callerGone("API_TOKEN")).toEqual({ ...gone, message: message("API token") })
})

it("a sender needs each permission of the caller, and the refusal names the first that is missing", () => {
  expect(exceeds(["VIEW", "TRANSACT"], ["VIEW", "TRANSACT"])).toBeUndefined()
  expect(exceeds(["VIEW"], ["VIEW", "TRANSACT", "MANAGE"])).toMatchObject({
    code: "FORBIDDEN",
    message: "The caller of this request has the permission TRANSACT, which you do not have.",
    details: { reason: "PERMISSION_MISSING", permission: "TRANSACT" },
  })
})

describe("the request of a person", () => {
  const ada = { id: "1", name: "Ada", proof: "SECRET" } as const
  const caller = { kind: "APPROVER", id: "1", name: "Ada" } as const

  it("is sent by the same person only, whose name and id both match", () => {
    expect(anotherPerson(caller, ada)).toBeUndefined()
    for (const sender of [undefined, { ...ada, id: "2" }, { ...ada, name: "Grace" }]) {
      expect(anotherPerson(caller, sender)).toMatchObject({
        code: "FORBIDDEN",
        message: "Ada sent this request on the console, and only the same person can send it again.",
        details: { reason: "ANOTHER_PERSON" },
      })
    }
    expect(anotherPerson({ kind: "APPROVER" }, ada)?.message).toContain("A person sent this request")
  })

  it("names its sender in the caller, with the person if there is one", () => {
    const agent: Caller = { _tag: "Agent", platformId: "p", customerId: "c", agentId: "a", budget: "USD.0" }
    const sender = { ...tenant("p"), tokenId: "Token:1" }
    expect(atTheWordOf(agent, sender)).toEqual({ ...agent, resender: { id: "Token:1" } })
    expect(atTheWordOf(agent, { ...sender, approver: ada })).toEqual({
      ...agent,
      resender: { id: "Token:1", approver: ada },
    })
    expect(atTheWordOf(agent, tenant("p"))).toEqual({ ...agent, resender: { id: "" } })
  })
})
