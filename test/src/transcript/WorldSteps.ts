/** The clock with each form of an advance, faults of each port, and worlds that are saved, replaced, damaged, moved and reset. */
import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"

const clock = async ({ call, callers, pay, prepare }: StepWorld) => {
  await prepare("POST", `/sandbox/internal-accounts/${callers.accountId}/fund`, { amount: 900 })
  // Suffix 005 stays pending for half a minute.
  const slow = await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "005"))
  const push = { source: { accountId: callers.accountId }, destination: { accountId: idAt(slow, "id") } }
  for (const amount of [31, 47]) await prepare("POST", "/transfer-out", { ...push, amount })
  await call("GET", "/sandbox/clock")
  const page = await call("GET", "/operator/jobs?limit=1")
  const { nextCursor } = Object(page.body)
  if (nextCursor !== undefined) await call("GET", `/operator/jobs?limit=2&cursor=${encodeURIComponent(nextCursor)}`)
  await call("GET", "/operator/jobs?limit=1&cursor=x")
  const advance = (body: object) => call("POST", "/sandbox/clock/advance", { body })
  const to = (millis: number, now: number) => new Date(now + millis).toISOString()
  const now = await pay.clock.now()
  for (const body of [
    {},
    { seconds: 0 },
    { seconds: 315_619_201 },
    { by: "PT0S" },
    { by: "P1Y" },
    { by: "P3660D" },
    { to: to(0, now) },
    { to: to(-1000, now) },
    { to: "2036-11-21T12:00:00.001Z" },
    { seconds: 1, by: "PT1S", to: to(2000, now) },
    { seconds: 20 },
    { by: "PT1M30S" },
    { by: "P1DT2H" },
    { to: to(3 * 86_400_000, now) },
  ])
    await advance(body)
  await call("GET", "/sandbox/clock")
}

const faults = async ({ call, callers, pay, prepare }: StepWorld) => {
  const { accountId, customerId } = callers
  const set = (body: object) => call("PUT", "/sandbox/faults", { body })
  const external = await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "000"))
  const push = { source: { accountId }, destination: { accountId: idAt(external, "id") } }
  let amount = 10
  const move = async () => {
    amount += 3
    await call("POST", "/transfer-out", { body: { ...push, amount } })
    await pay.clock.advance("2 minutes")
  }
  for (const rail of [
    { kind: "ERROR" },
    { kind: "UNKNOWN" },
    { kind: "SLOW", slowSeconds: 90 },
    { kind: "REJECT", reason: "BANK_REJECTED" },
    { kind: "ERROR", percent: 50 },
  ]) {
    await set({ rail, seed: 7 })
    await move()
  }
  const issue = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  for (const kind of ["ERROR", "UNKNOWN", "SLOW", "REJECT"]) {
    await set({ issuer: { kind } })
    await call("POST", "/cards", { body: { ...issue, platformCardId: `${kind}-000` } })
    await pay.clock.advance("2 minutes")
  }
  for (const webhooks of [{ kind: "STATUS", status: 418 }, { kind: "TIMEOUT" }, { kind: "STATUS", percent: 50 }]) {
    await set({ webhooks, seed: 3 })
    await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 5 })
    await pay.clock.advance("1 minute")
  }
  for (const kind of ["CONFLICT", "FAIL_BEFORE", "FAIL_AFTER"]) {
    await set({ store: { kind, commits: 1 } })
    await call("POST", "/transfer-out", { body: { ...push, amount: 9 }, isKeyed: true })
    await call("GET", "/sandbox/faults")
  }
  await set({ store: { kind: "CONFLICT", commits: 0 }, rail: { kind: "LATE", percent: 101 } })
  await call("DELETE", "/sandbox/faults")
  await pay.clock.advance("10 minutes")
  await call("GET", "/sandbox/faults")
}

const worlds = async ({ call, callers, pay, prepare }: StepWorld) => {
  const save = (body: object) => call("POST", "/sandbox/worlds", { body })
  await save({ name: "first" })
  await pay.clock.advance("1 hour")
  await save({ name: "first" })
  await save({ name: "first", replaces: true })
  await save({ name: "../x" })
  await call("POST", "/sandbox/worlds/fork", { body: { name: "fork" } })
  await call("POST", "/sandbox/worlds/fork", { body: { name: "fork" } })
  await call("GET", "/sandbox/worlds")
  const file = Object((await call("GET", "/sandbox/worlds/first/file")).body)
  await call("GET", "/sandbox/worlds/nothing/file")
  const load = (body: object) => call("POST", "/sandbox/worlds/import", { body })
  await load({ ...file, name: "second" })
  await load({ ...file, version: 99 })
  await load({ ...file, store: "other", name: "third" })
  await load({ ...file, checksum: "0".repeat(64), name: "third" })
  await load({ ...file, format: "nothing" })
  await load({})
  await call("POST", "/sandbox/worlds/nothing/load")
  await call("DELETE", "/sandbox/worlds/nothing")
  await prepare("POST", `/sandbox/internal-accounts/${callers.accountId}/fund`, { amount: 77 })
  await call("POST", "/sandbox/worlds/fork/load")
  await call("GET", `/internal-accounts/${callers.accountId}`)
  await call("DELETE", "/sandbox/worlds/fork")
  await call("GET", "/sandbox/worlds")
  await call("POST", "/sandbox/world/reset")
  await call("GET", "/customers")
  await call("GET", "/sandbox/clock")
}

export const worldSteps = async (it: StepWorld) => {
  await clock(it)
  await faults(it)
  await worlds(it)
}

/** A deployment with two platforms moves neither its clock nor its faults nor its worlds. */
export const sharedSteps = async ({ call }: StepWorld) => {
  await call("GET", "/sandbox/clock")
  await call("POST", "/sandbox/clock/advance", { body: { seconds: 5 } })
  for (const path of ["/sandbox/faults", "/sandbox/worlds"]) await call("GET", path)
  await call("PUT", "/sandbox/faults", { body: { rail: { kind: "ERROR" } } })
  await call("DELETE", "/sandbox/faults")
  await call("POST", "/sandbox/worlds", { body: { name: "first" } })
  await call("POST", "/sandbox/world/reset")
}
