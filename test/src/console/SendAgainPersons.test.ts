/**
 * A request that a person sent on the console: only the same person sends it again, and the audit names a person who sends another's.
 * Source: D-478.
 */
import { expect, it } from "vitest"
import { at, textAt } from "../e2e/Client.ts"
import { newWorld } from "../e2e/Flow.ts"
import { bodyOf, cookieOf, pageOf, signIn } from "../hostile/ConsoleVisitor.ts"

it("is sent again by the same person only, who is named as the sender of another's", async () => {
  await using world = await newWorld()
  const [ada, grace] = await Promise.all(
    ["Ada", "Grace"].map(async (name) => pageOf(world, cookieOf(await signIn({ world }, name)))),
  )
  if (ada === undefined || grace === undefined) throw new Error("nobody has signed in")
  await ada.api("POST", "/sandbox/clock/advance", { seconds: 5 })
  const listed = await world.platform("GET", "/sandbox/requests?operation=sandboxAdvanceClock&limit=1")
  expect(at(listed.body, "data", 0, "caller")).toMatchObject({ kind: "APPROVER", name: "Ada" })
  const path = `/sandbox/requests/${textAt(listed, "data", 0, "id")}/send`
  const another = { code: "FORBIDDEN", details: { reason: "ANOTHER_PERSON" } }
  const byGrace = await grace.api("POST", path, {})
  expect([byGrace.status, bodyOf(byGrace)]).toMatchObject([403, another])
  const byToken = await world.platform("POST", path, { body: {} })
  expect([byToken.status, byToken.body]).toMatchObject([403, another])
  const byAda = await ada.api("POST", path, {})
  expect([byAda.status, bodyOf(byAda)]).toMatchObject([200, { status: 200 }])

  const sent = await world.platform("POST", "/tokens", { body: { name: "Reader", permissions: ["VIEW"] } })
  const again = await grace.api("POST", `/sandbox/requests/${sent.headers.get("x-request-id")}/send`, {})
  const { body } = await world.platform("GET", "/audit-records?operation=TOKEN_CREATE&limit=1")
  expect(at(body, "data", 0)).toMatchObject({
    requestId: bodyOf(again)["requestId"],
    actor: { type: "PLATFORM", resender: { approver: { name: "Grace", proof: "SECRET" } } },
  })
  expect(at(body, "data", 0, "actor", "approver")).toBeUndefined()
}, 60_000)
