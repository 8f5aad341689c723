/** Requests of every operation about the platform itself and for its operator, each of which succeeds for its owner. */
import { type JobKind, Store } from "@countersign/core/store"
import { Effect } from "effect"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { idAt } from "./Bodies.ts"
import type { StepWorld } from "./ConfinedWorld.ts"

const tokens = async ({ call }: StepWorld) => {
  const made = await call("POST", "/tokens", { body: { name: "Reporting", permissions: ["VIEW"] } })
  const path = `/tokens/${idAt(made, "id")}`
  await call("GET", "/tokens")
  await call("GET", path)
  const added = await call("POST", `${path}/secrets`, { body: {} })
  await call("DELETE", `${path}/secrets/${idAt(added, "id")}`)
  await call("DELETE", path)
}

const webhooks = async ({ call }: StepWorld) => {
  await call("GET", "/webhooks/endpoint")
  await call("POST", "/webhooks/endpoint/disable")
  await call("POST", "/webhooks/endpoint/enable")
  const keys = await call("GET", "/webhooks/keys")
  await call("POST", `/webhooks/keys/${idAt(keys, "data", 0, "id")}/reveal`)
  await call("POST", "/webhooks/keys/rotate", { body: {} })
}

/** Parks a job of a kind, as a worker does after its last attempt. */
export const park = ({ pay }: Pick<StepWorld, "pay">, number: number, kind: JobKind = "webhook.deliver") =>
  pay.run(
    Effect.gen(function* () {
      const store = yield* Store
      const id = `Job:00000000-0000-7000-8000-${String(number).padStart(12, "0")}`
      const payload = { eventId: "none" }
      const job = { id, queue: "work", kind, customerId: null, dueAt: 0, payload } as const
      yield* store.commit(changeSet({ operationId: `add ${number}`, jobs: [job] }))
      const [claimed] = yield* store.claim({
        queue: "work",
        worker: "test",
        businessNow: 1,
        wallNow: 1,
        limit: 1,
        leavesReserve: false,
        leaseMillis: 1,
      })
      const fence = { id, attempt: claimed?.attempt ?? 0 }
      const returns = [{ ...fence, outcome: "parked", notBefore: 0, error: "no answer" }] as const
      yield* store.commit(changeSet({ operationId: `park ${number}`, returns }))
      return id
    }),
  )

const jobs = async (it: StepWorld) => {
  const { call } = it
  const resumed = await park(it, 1)
  await call("GET", "/jobs/parked")
  await call("POST", `/jobs/${resumed}/resume`)
  await call("POST", `/jobs/${await park(it, 2)}/drop`)
  await call("GET", "/operator/jobs")
}

const records = async ({ call, callers, prepare }: StepWorld) => {
  const { accountId, customerId } = callers
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1000 })
  await call("GET", "/audit-records")
  await call("GET", "/operator/changes")
  await call("GET", "/operator/books/trial-balance")
  const ledger = await call("GET", "/operator/books/accounts")
  const account = encodeURIComponent(idAt(ledger, "data", 0, "ledgerAccount"))
  const entries = await call("GET", `/operator/books/accounts/${account}/entries`)
  await call("GET", `/operator/books/transfers/${encodeURIComponent(idAt(entries, "data", 0, "reference"))}`)
  await call("GET", "/operator/books/reconciliation")
  await call("GET", "/operator/records?type=Customer")
  await call("GET", `/operator/find?text=${customerId}`)
  await call("GET", `/operator/records/${customerId}`)
  const events = await call("GET", "/operator/events")
  const path = `/operator/events/${idAt(events, "data", 0, "id")}`
  await call("GET", path)
  await call("POST", `${path}/resend`)
}

export const operatorSteps = async (it: StepWorld) => {
  await it.call("GET", "/config")
  await it.call("PATCH", "/config", { body: { webhookEndpoint: "https://platform.example/other" } })
  await records(it)
  await tokens(it)
  await webhooks(it)
  await jobs(it)
}
