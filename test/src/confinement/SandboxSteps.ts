/** Requests of every other operation that exists in a sandbox only, each of which succeeds for its owner. */
import { externalAccountBody, idAt } from "./Bodies.ts"
import type { StepWorld } from "./ConfinedWorld.ts"

/** What concerns one platform. Those about money are among the steps of money. */
export const sandboxSteps = async ({ call, callers, pay, prepare }: StepWorld) => {
  const { accountId, customerId } = callers
  await call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: 70 } })
  await call("POST", "/sandbox/uma/receive", {
    body: {
      senderUmaAddress: "$payer@elsewhere.example",
      customerId,
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: 30,
    },
  })
  const account = await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "000", "3333333"))
  const status = { body: { status: "UNDER_REVIEW" } }
  await call("POST", `/sandbox/external-accounts/${idAt(account, "id")}/status`, status)
  await call("POST", "/sandbox/webhooks/test")
  await call("POST", "/webhooks/test")
  await call("GET", "/sandbox/clock")
  const events = await prepare("GET", "/operator/events?limit=1")
  const url = "https://receiver.example/hooks"
  await call("POST", `/sandbox/events/${idAt(events, "data", 0, "id")}/send`, { body: { url } })
  const inbox = idAt(await call("GET", "/sandbox/inbox"), "url")
  await call("POST", "/sandbox/inbox", { body: { setAsEndpoint: false } })
  await pay.fetch(inbox, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })
  const messages = await call("GET", "/sandbox/inbox/messages")
  await call("GET", `/sandbox/inbox/messages/${idAt(messages, "data", 0, "id")}`)
  await call("POST", "/sandbox/inbox/answers", { body: { status: 500, count: 1 } })
  await call("DELETE", "/sandbox/inbox/messages")
  const sent = await prepare("GET", "/tokens")
  const kept = `/sandbox/requests/${sent.headers.get("x-request-id")}`
  await call("GET", "/sandbox/requests")
  await call("GET", kept)
  await call("GET", `${kept}/tape`)
  await call("POST", `/sandbox/requests/${await ownRequest({ call })}/send`, { body: {} })
  await call("GET", "/sandbox/scenarios")
  await call("POST", "/sandbox/scenarios/agent-waiting-for-approval/run")
}

/** A request that a token sent which may do no more than manage: only a token that may do all that its sender may sends it again. */
const ownRequest = async ({ call }: Pick<StepWorld, "call">) => {
  const body = { customerType: "INDIVIDUAL", fullName: "Sent Again" }
  return (await call("POST", "/customers", { body })).headers.get("x-request-id")
}

/** What concerns the store of all platforms, and the ports of the process: a server with one platform alone. */
export const serverSteps = async ({ call, prepare }: StepWorld) => {
  await call("GET", "/sandbox/faults")
  await call("PUT", "/sandbox/faults", { body: { webhooks: { kind: "TIMEOUT" } } })
  await call("DELETE", "/sandbox/faults")
  await call("POST", "/sandbox/clock/advance", { body: { seconds: 60 } })
  await call("POST", "/sandbox/worlds", { body: { name: "saved" } })
  await call("GET", "/sandbox/worlds")
  await call("POST", "/sandbox/worlds/fork", { body: { name: "forked" } })
  const file = await call("GET", "/sandbox/worlds/saved/file")
  await prepare("DELETE", "/sandbox/worlds/saved")
  await call("POST", "/sandbox/worlds/import", { body: Object(file.body) })
  await call("POST", "/sandbox/worlds/saved/load")
  await call("DELETE", "/sandbox/worlds/saved")
  await call("POST", "/sandbox/world/reset")
}
