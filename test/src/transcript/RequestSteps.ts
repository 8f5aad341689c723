/** The request log with each filter, tapes in each form, requests that are sent again and those that are not, and the inbox. */
import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import { basic } from "../confinement/Callers.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"
import { answerCode, newKey, newWallet } from "../wallet/People.ts"

const nobody = "00000000-0000-7000-8000-000000000009"

const idOf = ({ headers }: { readonly headers: Headers }) => headers.get("x-request-id") ?? ""

const kept = async (it: StepWorld) => {
  const { call, callers, pay, prepare } = it
  const { accountId, agent, customerId } = callers
  const funded = await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 900 })
  const external = await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "000"))
  const body = { source: { accountId }, destination: { accountId: idAt(external, "id") }, amount: 37 }
  const moved = await call("POST", "/agents/me/transfer-out", { body, isKeyed: true })
  const refused = await call("POST", "/agents/me/transfer-out", { body: { ...body, amount: 0 } })
  const read = await call("GET", `/customers/${customerId}`)
  const policy = {
    permissions: ["CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 5000 },
  }
  const made = await prepare("POST", "/agents", { name: "Sent again", customerId, policy })
  const redeemed = await call("POST", `/agents/device-codes/${idAt(made, "deviceCode", "code")}/redeem`)
  const second = { agentId: idAt(made, "agent", "id"), token: idAt(redeemed, "accessToken") }
  const ofSecond = await call("GET", "/agents/me", { agent: second })
  const token = await prepare("POST", "/tokens", { name: "Gone", permissions: ["VIEW"] })
  const as = basic(idAt(token, "clientId"), idAt(token, "clientSecret"))
  const ofToken = await prepare("GET", `/customers/${customerId}`, undefined, as)
  const wallet = await newWallet(pay)
  const encryptedOtpBundle = await answerCode(pay, wallet.emailId, await newKey())
  const signIn = await call("POST", `/auth/credentials/${wallet.emailId}/verify`, {
    body: { type: "EMAIL_OTP", encryptedOtpBundle },
  })
  const wrong = await prepare("GET", "/customers", undefined, basic("nobody", "nothing"))
  return { agent, token, funded, moved, refused, read, redeemed, second, ofSecond, ofToken, signIn, wrong }
}

const again = async (it: StepWorld, all: Awaited<ReturnType<typeof kept>>) => {
  const { call, callers, pay, prepare } = it
  const send = (of: { readonly headers: Headers }, body: object = {}) =>
    call("POST", `/sandbox/requests/${idOf(of)}/send`, { body })
  await pay.clock.advance("11 seconds")
  await send(all.funded)
  await send(all.moved)
  await send(all.moved, { idempotencyKey: "SAME" })
  await send(all.moved, { idempotencyKey: "NEW" })
  await send(all.refused)
  await send(all.read)
  await send(all.redeemed)
  await send(all.signIn)
  await send(all.wrong)
  await send(all.ofSecond)
  const path = (of: { readonly headers: Headers }) => `/sandbox/requests/${idOf(of)}/send`
  await prepare("POST", path(all.ofToken), {}, callers.allBut.VIEW.headers)
  await prepare("POST", path(all.funded), {}, callers.only.MANAGE.headers)
  await prepare("POST", path(all.moved), {}, callers.only.MANAGE.headers)
  await send(all.ofToken)
  await prepare("DELETE", `/tokens/${idAt(all.token, "id")}`)
  await prepare("DELETE", `/agents/${all.second.agentId}`)
  await send(all.ofToken)
  await send(all.ofSecond)
  await call("POST", `/sandbox/requests/${nobody}/send`, { body: {} })
}

const lists = async ({ call, callers }: StepWorld, all: Awaited<ReturnType<typeof kept>>) => {
  for (const filter of [
    "operation=createTransferOut",
    "operation=agentTransferOut&limit=2",
    "outcome=FAILED&limit=2",
    "outcome=SUCCEEDED&limit=1",
    `caller=${all.agent.agentId}&limit=2`,
    `caller=${idAt(all.token, "id")}`,
    `path=${encodeURIComponent("/agents/me/transfer")}&limit=1`,
    `path=${encodeURIComponent(callers.customerId.replace(":", "%3a"))}&limit=1`,
    `record=${callers.accountId}&limit=2`,
    `record=${idAt(all.moved, "transaction", "id")}`,
  ])
    await call("GET", `/sandbox/requests?${filter}`)
  const cursor = encodeURIComponent(idAt(await call("GET", "/sandbox/requests?outcome=FAILED&limit=2"), "nextCursor"))
  await call("GET", `/sandbox/requests?outcome=FAILED&limit=2&cursor=${cursor}`)
  await call("GET", `/sandbox/requests?limit=2&cursor=${cursor}`)
  for (const sent of [all.moved, all.signIn, all.wrong, all.redeemed, all.ofToken])
    await call("GET", `/sandbox/requests/${idOf(sent)}`)
  await call("GET", `/sandbox/requests/${nobody}`)
  for (const form of ["TEST", "SCRIPT", "OTHER"])
    await call("GET", `/sandbox/requests/${idOf(all.moved)}/tape?form=${form}`)
  await call("GET", `/sandbox/requests/${idOf(all.moved)}/tape`)
  await call("GET", `/sandbox/requests/${idOf(all.signIn)}/tape`)
  await call("GET", `/sandbox/requests/${nobody}/tape`)
}

const inbox = async ({ call, callers, pay, prepare }: StepWorld) => {
  await call("GET", "/sandbox/inbox")
  await call("POST", "/sandbox/inbox", { body: { setAsEndpoint: false } })
  const url = idAt(await call("POST", "/sandbox/inbox", { body: {} }), "url")
  await call("POST", "/sandbox/inbox", { body: { setAsEndpoint: true } })
  const post = (body: string, to = url) =>
    pay.fetch(to, { method: "POST", headers: { "content-type": "application/json" }, body })
  const { data } = Object((await call("GET", "/operator/events?limit=1")).body)
  await call("POST", `/sandbox/events/${data[0].id}/send`, { body: { url } })
  await call("POST", "/sandbox/inbox/answers", { body: { status: 503, count: 2, delayMillis: 0 } })
  await call("GET", "/sandbox/inbox")
  await prepare("POST", `/sandbox/internal-accounts/${callers.accountId}/fund`, { amount: 5 })
  for (const body of ["{}", "text", JSON.stringify({ id: data[0].id, type: "TEST" })]) await post(body)
  await post("x".repeat(300_000))
  await post("{}", `${url}x`)
  await pay.clock.advance("13 seconds")
  const page = await call("GET", "/sandbox/inbox/messages?limit=2")
  await call("GET", `/sandbox/inbox/messages?limit=2&cursor=${encodeURIComponent(idAt(page, "nextCursor"))}`)
  await call("GET", `/sandbox/inbox/messages/${idAt(page, "data", 1, "id")}`)
  await call("GET", `/sandbox/inbox/messages/${nobody}`)
  await call("DELETE", "/sandbox/inbox/messages")
  await call("GET", "/sandbox/inbox/messages")
  await call("POST", "/sandbox/inbox/answers", { body: { status: 199, count: 0 } })
}

export const requestSteps = async (it: StepWorld) => {
  const all = await kept(it)
  await again(it, all)
  await lists(it, all)
  await inbox(it)
}
