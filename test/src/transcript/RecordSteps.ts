/** Every type of record in a world with all of them: listed with each filter, found by each key, and read. */
import { RecordTypes } from "../../../packages/core/src/decision/record/RecordTypes.ts"
import { agentSteps } from "../confinement/AgentSteps.ts"
import { idAt, ids } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"
import { customerSteps } from "../confinement/CustomerSteps.ts"
import { moneySteps } from "../confinement/MoneySteps.ts"
import { stablecoinSteps } from "../confinement/StablecoinSteps.ts"
import { walletSteps } from "../confinement/WalletSteps.ts"

/** The world has records of all types. */
export const recordsBefore = async (it: StepWorld) => {
  for (const steps of [moneySteps, agentSteps, customerSteps, stablecoinSteps, walletSteps]) {
    await steps(it)
    await it.pay.clock.advance("17 seconds")
  }
}

const records = "/operator/records"

export const recordSteps = async ({ call, callers, pay }: StepWorld) => {
  const first = new Map<string, string>()
  for (const type of RecordTypes.keys) {
    const page = await call("GET", `${records}?type=${type}&limit=3`)
    const [id] = ids(page.body)
    if (id === undefined) continue
    first.set(type, id)
    await call("GET", `${records}/${id}`)
  }
  for (const [type, state] of [
    ["Transaction", "COMPLETED"],
    ["Agent", "PAUSED"],
    ["Customer", "APPROVED"],
    ["Quote", "COMPLETED"],
    ["ExternalAccount", "ACTIVE"],
  ])
    await call("GET", `${records}?type=${type}&state=${state}&limit=1`)
  for (const [type, { relations }] of RecordTypes.entries) {
    for (const to of Object.keys(relations)) {
      const id = to === "Customer" ? callers.customerId : first.get(to)
      if (id !== undefined) await call("GET", `${records}?type=${type}&relatedTo=${id}&limit=1`)
    }
  }
  await call("GET", `${records}?type=Document&relatedTo=${first.get("Card")}`)
  await call("GET", `${records}?type=Customer&relatedTo=nothing`)
  const now = await pay.clock.now()
  const at = (seconds: number) => encodeURIComponent(new Date(now - seconds * 1000).toISOString())
  await call("GET", `${records}?type=Transaction&startDate=${at(60)}&limit=2&sortOrder=asc`)
  await call("GET", `${records}?type=Transaction&endDate=${at(60)}&limit=1`)
  const list = `${records}?type=Transaction&relatedTo=${callers.accountId}&limit=2`
  const cursor = encodeURIComponent(idAt(await call("GET", list), "nextCursor"))
  await call("GET", `${list}&cursor=${cursor}`)
  await call("GET", `${list}&sortOrder=asc&cursor=${cursor}`)
  const uuid = callers.customerId.slice("Customer:".length)
  const customer = await call("GET", `/customers/${callers.customerId}`)
  const find = (text: string) => call("GET", `/operator/find?text=${encodeURIComponent(text)}`)
  for (const text of [uuid, callers.accountId, "Customer:x", "nothing", idAt(customer, "umaAddress")]) await find(text)
  await find(idAt(customer, "umaAddress").toUpperCase())
  const transactions = await call("GET", "/transactions?limit=1")
  await find(idAt(transactions, "data", 0, "id"))
  for (const id of ["Customer:00000000-0000-7000-8000-000000000009", "Nothing:1", "nothing"])
    await call("GET", `${records}/${id}`)
}
