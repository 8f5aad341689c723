/**
 * The auditor finds each problem of deposits, invitations, imports and trusted accounts in a run that was corrupted for it.
 * Source: wire contract areas 1.3, 1.4, 1.5 and 2.8; D-419.
 */
import { describe, it } from "vitest"
import type { Body } from "./Answers.ts"
import { answering, finds, findsIn, listed, unheard, withBody, withEvents, withInstructions } from "./Corruptions.ts"
import type { Pay } from "./World.ts"

const timeout = { timeout: 120_000 }

describe("the auditor of deposits", timeout, () => {
  const isDeposit = ({ source, type }: Body) =>
    type === "INCOMING" && (source as Body)["sourceType"] === "REALTIME_FUNDING"
  const deposits = (corrupt: (each: Body) => ReadonlyArray<Body>) =>
    listed(/^\/transactions\?/u, (each) => (isDeposit(each) ? corrupt(each) : [each]))

  it("finds a deposit that is recorded twice, lost, or exists without a request", async () => {
    const twin = deposits((each) => [each, { ...each, id: "Transaction:twin" }])
    await finds(twin, /one deposit was recorded twice/u)
    const lost = deposits(() => [])
    await finds(lost, /the deposit \S+ was answered and does not exist/u)
    const unknown = deposits((each) => [
      { ...each, source: { ...(each["source"] as Body), remittanceInformation: "never" } },
    ])
    await finds(unknown, /Transaction:\S+ exists without a request/u)
  })

  it("finds a deposit of another amount, and one that contradicts its suffix", async () => {
    const amount = deposits((each) => [{ ...each, receivedAmount: { ...(each["receivedAmount"] as Body), amount: 1 } }])
    await finds(
      amount,
      /Transaction:\S+ differs from the deposit that was sent/u,
      /Transaction:\S+ is credited \d+ of 1 and holds 0 of 0/u,
    )
    const refused = deposits((each) => [{ ...each, status: "REFUNDED" }])
    await finds(refused, /Transaction:\S+ is REFUNDED, whatever the suffix 000 says/u)
  })

  it("finds a hold that outlives its deposit, and one that an operator's application left", async () => {
    const pending = deposits((each) => [{ ...each, status: "PENDING" }])
    await finds(pending, /Transaction:\S+ is credited \d+ of 0 and holds 0 of \d+/u)
    const applied = unheard("POST", /^\/unapplied-money\/\S+\/apply$/u, { status: 200, body: {} })
    await findsIn("deposits")(applied, /Transaction:\S+ is credited 0 of \d+ and holds \d+ of 0/u)
  })

  it("finds a deposit that was given back twice or never", async () => {
    const twice = withInstructions(["push"], (one) => [one, one])
    await finds(twice, /Transaction:\S+ was given back 2 times/u, /the push of R\S+ was instructed 2 times/u)
    const never = withInstructions(["push"], () => [])
    await finds(never, /Transaction:\S+ was given back 0 times/u)
  })
})

describe("the auditor of invitations", timeout, () => {
  const isRead = (method: string, path: string) => method === "GET" && path.startsWith("/invitations/")

  it("finds an invitation that two invitees have claimed", async () => {
    const isClaim = (method: string, path: string) => method === "POST" && path.endsWith("/claim")
    const accepted = answering(isClaim, (reply) => ({ ...reply, status: 200 }))
    await finds(accepted, /the invitation \S+ was claimed or cancelled twice/u)
  })

  it("finds an invitation in a wrong state, or of another invitee", async () => {
    const pending = answering(isRead, (reply) => withBody(reply, { status: "PENDING" }))
    await finds(pending, /the invitation \S+ is PENDING, and should be CLAIMED/u)
    const foreign = answering(isRead, (reply) => withBody(reply, { inviteeUma: "$never@elsewhere.example" }))
    await finds(foreign, /the invitation \S+ belongs to \$never@elsewhere.example and was claimed by \$friend/u)
  })

  it("finds an invitation that is lost or exists without a request", async () => {
    const lost = unheard("POST", /^\/invitations$/u, { status: 201, body: { code: "never" } })
    await finds(lost, /0 invitations exist, and 1 were answered/u, /the invitation never is 404, and should be/u)
  })

  it("finds a claim without an event, and one with two", async () => {
    await finds(
      withEvents((all) => all.filter(({ type }) => type !== "INVITATION.CLAIMED")),
      /the invitation \S+ is CLAIMED and has 0 events/u,
    )
    await finds(
      withEvents((all) => all.flatMap((event) => [event, { ...event, id: `${event.id} again` }])),
      /the invitation \S+ is CLAIMED and has 2 events/u,
    )
  })
})

describe("the auditor of imports", timeout, () => {
  const customers = /^\/customers\?/u
  const isImported = ({ platformCustomerId }: Body) => String(platformCustomerId).startsWith("person-")
  const isJob = (method: string, path: string) => method === "GET" && path.startsWith("/customers/bulk/jobs/")
  const withProgress = (more: Body) =>
    answering(isJob, (reply) =>
      withBody(reply, { progress: { ...((reply.body as Body)["progress"] as Body), ...more } }),
    )

  it("finds an imported customer that exists twice, is lost, or comes from no row", async () => {
    await finds(
      listed(customers, (each) => [each, each]),
      /an imported customer exists twice/u,
    )
    await finds(
      listed(customers, (each) => (isImported(each) ? [] : [each])),
      /the imported customer person-\d does not exist/u,
    )
    const renamed = listed(customers, (each) => [isImported(each) ? { ...each, fullName: "Never" } : each])
    await finds(renamed, /the customer Never exists without a row/u)
  })

  it("finds a job with a wrong state, count or error", async () => {
    const waiting = answering(isJob, (reply) => withBody(reply, { status: "PROCESSING" }))
    await finds(waiting, /Job:\S+ is PROCESSING, and should be COMPLETED/u)
    await finds(withProgress({ successful: 7 }), /Job:\S+ counts \d of \d: 7 and \d, and should count /u)
    const named = answering(isJob, (reply) => withBody(reply, { errors: [{ correlationId: "row_9" }] }))
    await finds(named, /Job:\S+ names the errors row_9, and should name /u)
  })

  it("finds a job without an event of its end", async () => {
    await finds(
      withEvents((all) => all.filter(({ type }) => !type.startsWith("BULK_UPLOAD."))),
      /Job:\S+ is COMPLETED and has 0 events of its end/u,
    )
  })
})

describe("the auditor of trusted accounts", timeout, () => {
  it("finds a confirmation that was lost", async () => {
    const lost = (pay: Pay) => {
      const { send } = pay
      const answered: typeof send = async (method, path, options) =>
        path.endsWith("trust/confirm") && "code" in ((options?.body ?? {}) as Body)
          ? { status: 200, headers: new Headers(), body: { trusted: !path.endsWith("untrust/confirm") } }
          : send(method, path, options)
      Object.assign(pay, { send: answered })
    }
    await finds(lost, /ExternalAccount:\S+ is not trusted, which nobody confirmed last/u)
  })

  it("finds a trusted account that could be removed", async () => {
    const removed = unheard("DELETE", /^\/customers\/external-accounts\//u, { status: 204, body: undefined })
    await finds(removed, /ExternalAccount:\S+ is trusted: true; its removal is 204/u)
  })
})
