/** Requests of every operation of customers under strong authentication, each of which succeeds for its owner. */
import { enrollPasskey } from "../sca/TrustRequests.ts"
import { externalAccountBody, idAt, quoteBetween } from "./Bodies.ts"
import type { StepWorld } from "./ConfinedWorld.ts"

const endUserIpAddress = "203.0.113.7"

const newCustomer = async ({ prepare }: StepWorld, region: string) => {
  const body = { customerType: "INDIVIDUAL", fullName: "Emmy Noether", region, phoneNumber: "+14155550123" }
  const customerId = idAt(await prepare("POST", "/customers", body), "id")
  const accounts = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
  const accountId = idAt(accounts, "data", 0, "id")
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 10_000 })
  const account = externalAccountBody({ customerId }, "000")
  const externalAccountId = idAt(await prepare("POST", "/customers/external-accounts", account), "id")
  return { customerId, accountId, externalAccountId }
}
type Customer = Awaited<ReturnType<typeof newCustomer>>

const factors = async ({ call, pay }: StepWorld, { customerId }: Customer, outside: Customer) => {
  const without = [customerId, outside.customerId]
  const ask = (method: string, path: string, body?: object) =>
    call(method, `/sca/${path}?customerId=${customerId}`, { without, ...(body === undefined ? {} : { body }) })
  const secret = idAt(await ask("POST", "factors", { type: "TOTP" }), "secret")
  await ask("POST", "factors/confirm", { type: "TOTP", secret, code: "123456" })
  await ask("GET", "factors")
  await ask("POST", "login/start", { factor: "SMS_OTP" })
  await ask("POST", "login/complete", { factor: "SMS_OTP", endUserIpAddress, code: "123456" })
  await ask("POST", "record-event", { eventType: "RESET_PASSWORD_COMPLETED" })
  const reset = `factors/reset/${idAt(await ask("POST", "factors/reset", { factor: "TOTP" }), "resetId")}`
  await ask("GET", reset)
  await ask("POST", `${reset}/complete`)
  await enrollPasskey(pay, customerId)
  await ask("DELETE", "factors/key-1")
}

const trust = async ({ call }: StepWorld, signedIn: Customer, others: ReadonlyArray<Customer>) => {
  const path = `/customers/external-accounts/${signedIn.externalAccountId}`
  const without = [signedIn.externalAccountId, ...others.map(({ externalAccountId }) => externalAccountId)]
  for (const kind of ["trust", "untrust"]) {
    const challengeId = idAt(await call("POST", `${path}/${kind}`, { without }), "scaChallenge", "id")
    await call("POST", `${path}/${kind}/confirm`, { without, body: { challengeId, code: "123456" } })
  }
}

const quotes = async ({ call, prepare }: StepWorld, customer: Customer, outside: Customer) => {
  const quoteOf = async ({ accountId, externalAccountId }: Customer) =>
    idAt(await prepare("POST", "/quotes", quoteBetween(accountId, externalAccountId, 100)), "id")
  const quoteId = await quoteOf(customer)
  await prepare("POST", `/quotes/${quoteId}/execute`)
  const without = [quoteId, await quoteOf(outside)]
  await call("POST", `/quotes/${quoteId}/authorize/resend`, { without })
  await call("POST", `/quotes/${quoteId}/authorize`, { body: { code: "123456" }, without })
}

export const scaSteps = async (it: StepWorld) => {
  const customer = await newCustomer(it, "EU")
  const signedOut = await newCustomer(it, "EU")
  const outside = await newCustomer(it, "US")
  await quotes(it, customer, outside)
  await factors(it, customer, outside)
  await trust(it, customer, [outside, signedOut])
}
