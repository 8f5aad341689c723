/** Requests of every operation of agents and their management, each of which succeeds for its owner. */
import { externalAccountBody, idAt, quoteBetween } from "./Bodies.ts"
import type { StepWorld } from "./ConfinedWorld.ts"

/** The agent acts by itself, and is held above 1,000. */
const operations = async ({ call, callers, prepare }: StepWorld) => {
  const { accountId, agent } = callers
  const me = "/agents/me"
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 50_000 })
  await prepare("PATCH", `/agents/${agent.agentId}/policy`, { approvalThresholds: { currency: "USD", amount: 1000 } })
  const externalAccountId = idAt(
    await call("POST", `${me}/external-accounts`, { body: externalAccountBody(callers, "000", "1234567") }),
    "id",
  )
  await call("GET", me)
  await call("GET", `${me}/internal-accounts`)
  await call("GET", `${me}/external-accounts`)
  await call("GET", `${me}/external-accounts/${externalAccountId}`)
  const pull = (amount: number) => ({
    source: { accountId: externalAccountId },
    destination: { accountId },
    amount,
  })
  const push = { source: { accountId }, destination: { accountId: externalAccountId }, amount: 70 }
  const pulled = await call("POST", `${me}/transfer-in`, { body: pull(50) })
  await call("POST", `${me}/transfer-out`, { body: push })
  const held = idAt(await call("POST", `${me}/transfer-in`, { body: pull(2000) }), "id")
  const heldToo = idAt(await call("POST", `${me}/transfer-out`, { body: { ...push, amount: 3000 } }), "id")
  await call("GET", `${me}/actions`)
  await call("GET", `${me}/actions/${held}`)
  await call("GET", `${me}/transactions`)
  await call("GET", `${me}/transactions/${idAt(pulled, "transaction", "id")}`)
  const quote = async () =>
    idAt(await call("POST", `${me}/quotes`, { body: quoteBetween(accountId, externalAccountId, 100) }), "id")
  const quoteId = await quote()
  await call("GET", `${me}/quotes/${quoteId}`)
  await call("POST", `${me}/quotes/${quoteId}/execute`)
  await prepare("PATCH", `/agents/${agent.agentId}/policy`, { defaultExecutionMode: "APPROVAL_REQUIRED" })
  await call("POST", `${me}/quotes/${await quote()}/execute`)
  await call("DELETE", `${me}/external-accounts/${externalAccountId}`)
  return { held, heldToo }
}

export const agentSteps = async (it: StepWorld) => {
  const { call, callers, prepare } = it
  const { accountId, agent, customerId } = callers
  const { held, heldToo } = await operations(it)
  await call("GET", "/agents")
  await call("GET", "/agents/approvals")
  await call("GET", `/agents/${agent.agentId}`)
  const policy = {
    permissions: ["CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 5000 },
  }
  const made = await call("POST", "/agents", { body: { name: "New", customerId, policy } })
  const path = `/agents/${idAt(made, "agent", "id")}`
  await call("PATCH", path, { body: { name: "Renamed" } })
  await call("PATCH", `${path}/policy`, { body: { spendingLimits: { perTransactionLimit: 4000 } } })
  const payee = await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "001"))
  const transfer = {
    type: "TRANSFER_OUT",
    source: { accountId },
    destination: { accountId: idAt(payee, "id") },
    amount: 10,
  }
  await call("POST", `${path}/policy/evaluate`, { body: transfer })
  await call("POST", `/operator/agents/${agent.agentId}/policy-evaluations`, { body: { actions: [transfer] } })
  const issued = await call("POST", `${path}/device-codes`)
  const code = idAt(issued, "code")
  await call("GET", `/agents/device-codes/${code}/status`)
  await call("POST", `/agents/device-codes/${code}/redeem`)
  await call("POST", `${path}/token`, { body: {} })
  const actions = `/agents/${agent.agentId}/actions`
  await call("GET", `${actions}/${held}/evaluation`)
  await call("POST", `${actions}/${held}/approve`)
  await call("POST", `${actions}/${heldToo}/reject`, { body: { reason: "no" } })
  await call("DELETE", path)
}
