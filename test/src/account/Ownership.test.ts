/**
 * The proof of ownership of a wallet over HTTP, with real keys.
 * Source: wire contract 2.1, 2.6 and 2.7; D-051, D-052.
 */

import { Ownerships } from "@countersign/core"
import { OwnershipChecks, OwnershipRegions, ownershipBySignature } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Store } from "@countersign/core/store"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/index.ts"
import { address, sign } from "./EthereumWallet.ts"
import { added, customersPath, evm, newCustomer, platformPath, textAt, usd } from "./ExternalAccountRequests.ts"

const region = Layer.succeed(OwnershipRegions, ["EU"])
const regulated = (ports: Layer.Layer<never> = Layer.empty) =>
  harness({ ports: Layer.mergeAll(Sandbox.layer, region, ports) })

const own = { ownershipType: "FIRST_PARTY" }
const unprovenWallet = async (pay: Harness) => {
  const customerId = await newCustomer(pay, { region: "EU" })
  return added(pay, { ...evm(address, own), customerId })
}
const challenge = (pay: Harness, id: string, method = "WALLET_SIGNATURE") =>
  pay.send("POST", `${customersPath}/${id}/challenge`, { body: { method } })
const verify = (pay: Harness, id: string, signature: string) =>
  pay.send("POST", `${customersPath}/${id}/verify`, { body: { signature } })
const statusOf = async (pay: Harness, id: string) => textAt(await pay.send("GET", `${customersPath}/${id}`), "status")
const reportedStatuses = async (pay: Harness) => {
  await pay.settle()
  return pay.inbox.ofType("EXTERNAL_ACCOUNT.STATUS_UPDATED").map(({ data }) => data["status"])
}

describe("the status of a new wallet", () => {
  it.each([
    ["a customer's own wallet in a listed region", "EU", own, "PENDING_OWNERSHIP_VERIFICATION"],
    ["a wallet in another region", "US", own, "ACTIVE"],
    ["a wallet of a customer without a region", undefined, own, "ACTIVE"],
    ["a wallet of a third party", "EU", { ownershipType: "THIRD_PARTY" }, "ACTIVE"],
    ["a wallet of unknown ownership", "EU", {}, "ACTIVE"],
  ])("depends on region and ownership: %s", async (_whose, customerRegion, more, status) => {
    await using pay = await regulated()
    const customerId = await newCustomer(pay, customerRegion === undefined ? {} : { region: customerRegion })
    const reply = await pay.send("POST", customersPath, { body: { ...evm(address, more), customerId } })
    expect(reply).toMatchObject({ status: 201, body: { status } })
  })

  it("is ACTIVE for a wallet at an exchange and for a bank account, of a customer or of the platform", async () => {
    await using pay = await regulated()
    const customerId = await newCustomer(pay, { region: "EU" })
    const wallet = evm(address, own)
    const held = { ...wallet, customerId, accountInfo: { ...wallet.accountInfo, vaspName: "Example Exchange" } }
    const all = [await added(pay, held), await added(pay, { ...usd(), ...own, customerId })]
    for (const id of all) expect(await statusOf(pay, id)).toBe("ACTIVE")
    const { customerId: _customer, ...ofPlatform } = held
    for (const body of [ofPlatform, { ...usd(), ...own }, evm(`0x${"b2".repeat(20)}`, {})]) {
      expect(await pay.send("POST", platformPath, { body })).toMatchObject({ status: 201, body: { status: "ACTIVE" } })
    }
  })

  it("is ACTIVE unless the deployment lists regions", async () => {
    await using pay = await harness()
    expect(await statusOf(pay, await unprovenWallet(pay))).toBe("ACTIVE")
    const body = evm(address, own)
    expect(await pay.send("POST", platformPath, { body })).toMatchObject({ body: { status: "ACTIVE" } })
  })

  it("awaits a proof for the platform's own wallet if the deployment lists a region", async () => {
    await using pay = await regulated()
    expect(await pay.send("POST", platformPath, { body: evm(address, own) })).toMatchObject({
      status: 201,
      body: { status: "PENDING_OWNERSHIP_VERIFICATION" },
    })
  })
})

describe("a signature", () => {
  it("of the message makes the account ACTIVE and ends the challenge", async () => {
    await using pay = await regulated()
    const id = await unprovenWallet(pay)
    const opened = await challenge(pay, id)
    expect(opened).toMatchObject({ status: 201, body: { method: "WALLET_SIGNATURE" } })
    const message = textAt(opened, "messageToSign")
    expect(message).toContain(address)
    expect(message).toContain(id)
    const proven = await verify(pay, id, sign(message))
    expect(proven).toMatchObject({ status: 200, body: { id, status: "ACTIVE" } })
    expect(JSON.stringify(proven.body)).not.toContain("Nonce")
    expect(await reportedStatuses(pay)).toEqual(["ACTIVE"])
    expect(await verify(pay, id, sign(message))).toMatchObject({ status: 409, body: { code: "CONFLICT" } })
    expect(await challenge(pay, id)).toMatchObject({ status: 409, body: { code: "CONFLICT" } })
  })

  it.each([
    ["a signature of another message", sign("Some data")],
    ["a malformed signature", "0x00"],
  ])("%s makes the account UNVERIFIED and requires a new challenge", async (_what, wrong) => {
    await using pay = await regulated()
    const id = await unprovenWallet(pay)
    const first = textAt(await challenge(pay, id), "messageToSign")
    expect(await verify(pay, id, wrong)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "SIGNATURE_INVALID", errors: [{ field: "signature" }] } },
    })
    expect(await statusOf(pay, id)).toBe("UNVERIFIED")
    expect((await verify(pay, id, sign(first))).status).toBe(409)
    const second = textAt(await challenge(pay, id), "messageToSign")
    expect(second).not.toBe(first)
    expect(await statusOf(pay, id)).toBe("PENDING_OWNERSHIP_VERIFICATION")
    expect((await verify(pay, id, sign(second))).status).toBe(200)
    expect(await reportedStatuses(pay)).toEqual(["UNVERIFIED", "PENDING_OWNERSHIP_VERIFICATION", "ACTIVE"])
  })

  it("of a replaced challenge is rejected", async () => {
    await using pay = await regulated()
    const id = await unprovenWallet(pay)
    const first = textAt(await challenge(pay, id), "messageToSign")
    await challenge(pay, id)
    expect((await verify(pay, id, sign(first))).status).toBe(400)
  })

  it.each([
    ["accepts a signature before the challenge expires", "599 seconds", 200, "ACTIVE"],
    ["rejects a signature after the challenge expires", "600 seconds", 400, "UNVERIFIED"],
  ] as const)("%s", async (_when, wait, status, state) => {
    await using pay = await regulated()
    const id = await unprovenWallet(pay)
    const message = textAt(await challenge(pay, id), "messageToSign")
    await pay.clock.advance(wait)
    const reply = await verify(pay, id, sign(message))
    expect(reply.status).toBe(status)
    if (status === 400) expect(reply.body).toMatchObject({ details: { reason: "CHALLENGE_EXPIRED" } })
    expect(await statusOf(pay, id)).toBe(state)
  })

  it("requires an open challenge, which an invalid request does not end", async () => {
    await using pay = await regulated()
    const id = await unprovenWallet(pay)
    expect(await verify(pay, id, "0x00")).toMatchObject({
      status: 409,
      body: { details: { reason: "NO_CHALLENGE_OPEN" } },
    })
    await challenge(pay, id)
    expect((await verify(pay, id, "")).status).toBe(400)
    expect((await challenge(pay, id, "EMAIL")).status).toBe(400)
    expect(await statusOf(pay, id)).toBe("PENDING_OWNERSHIP_VERIFICATION")
  })

  it("is verified by the deployment's own check", async () => {
    const contract = Layer.succeed(OwnershipChecks, {
      ...ownershipBySignature,
      verifySignature: ({ signature }) => Effect.succeed(signature === "by a contract"),
    })
    await using pay = await regulated(contract)
    const id = await unprovenWallet(pay)
    await challenge(pay, id)
    expect((await verify(pay, id, "by a contract")).status).toBe(200)
  })
})

describe("a liveness check", () => {
  it("is opened as a link and ends by a report", async () => {
    await using pay = await regulated()
    const id = await unprovenWallet(pay)
    expect(await challenge(pay, id, "LIVENESS")).toMatchObject({
      status: 201,
      body: { method: "LIVENESS", verificationLink: expect.stringMatching(/^https:/u), expiresAt: expect.any(String) },
    })
    expect((await verify(pay, id, "0x00")).status).toBe(409)
    const report = (isOwner: boolean) => pay.run(Ownerships.use((owners) => owners.report(id, isOwner)))
    await report(false)
    await report(true)
    expect(await statusOf(pay, id)).toBe("UNVERIFIED")
    await challenge(pay, id, "LIVENESS")
    await report(true)
    await report(false)
    expect(await statusOf(pay, id)).toBe("ACTIVE")
    expect(await reportedStatuses(pay)).toEqual(["UNVERIFIED", "PENDING_OWNERSHIP_VERIFICATION", "ACTIVE"])
  })

  it("is ended by the sandbox's status change, so that a later report is dropped", async () => {
    await using pay = await regulated()
    const id = await unprovenWallet(pay)
    await challenge(pay, id, "LIVENESS")
    const path = `/sandbox/external-accounts/${id}/status`
    expect((await pay.send("POST", path, { body: { status: "ACTIVE" } })).status).toBe(200)
    await pay.run(Ownerships.use((owners) => owners.report(id, false)))
    expect(await statusOf(pay, id)).toBe("ACTIVE")
  })

  it("is not started for an account that needs no proof", async () => {
    let started = 0
    const counting = Layer.succeed(OwnershipChecks, {
      ...ownershipBySignature,
      startLiveness: () =>
        Effect.sync(() => {
          started += 1
          return { verificationLink: "https://liveness.example/", expiresAt: 0 }
        }),
    })
    await using pay = await regulated(counting)
    const id = await added(pay, { ...evm(address, own), customerId: await newCustomer(pay) })
    expect((await challenge(pay, id, "LIVENESS")).status).toBe(409)
    expect(started).toBe(0)
  })

  it("is rejected if the deployment has no provider", async () => {
    await using pay = await regulated(Layer.succeed(OwnershipChecks, ownershipBySignature))
    const id = await unprovenWallet(pay)
    expect(await challenge(pay, id, "LIVENESS")).toMatchObject({
      status: 400,
      body: { details: { errors: [{ field: "method" }] } },
    })
  })
})

describe("the platform's own wallet", () => {
  const platformWallet = async (pay: Harness) => `${platformPath}/${await added(pay, evm(address, own), platformPath)}`
  const challengeOf = (pay: Harness, path: string, method = "WALLET_SIGNATURE") =>
    pay.send("POST", `${path}/challenge`, { body: { method } })

  it("is proven by a signature", async () => {
    await using pay = await regulated()
    const path = await platformWallet(pay)
    const opened = await challengeOf(pay, path)
    expect(opened).toMatchObject({
      status: 201,
      body: { method: "WALLET_SIGNATURE", messageToSign: expect.any(String), expiresAt: expect.any(String) },
    })
    const wrong = { body: { signature: sign("Some data") } }
    expect(await pay.send("POST", `${path}/verify`, wrong)).toMatchObject({
      status: 400,
      body: { details: { reason: "SIGNATURE_INVALID" } },
    })
    expect((await pay.send("GET", path)).body).toMatchObject({ status: "UNVERIFIED" })
    const signature = sign(textAt(await challengeOf(pay, path), "messageToSign"))
    const proven = await pay.send("POST", `${path}/verify`, { body: { signature } })
    expect(proven).toMatchObject({ status: 200, body: { status: "ACTIVE" } })
    expect(proven.body).not.toHaveProperty("customerId")
    expect(await reportedStatuses(pay)).toEqual(["UNVERIFIED", "PENDING_OWNERSHIP_VERIFICATION", "ACTIVE"])
    expect((await challengeOf(pay, path)).body).toMatchObject({ details: { reason: "NOTHING_TO_VERIFY" } })
  })

  it("is proven by a liveness check", async () => {
    await using pay = await regulated()
    const path = await platformWallet(pay)
    expect(await challengeOf(pay, path, "LIVENESS")).toMatchObject({
      status: 201,
      body: { method: "LIVENESS", verificationLink: expect.stringMatching(/^https:/u), expiresAt: expect.any(String) },
    })
    const id = path.slice(platformPath.length + 1)
    await pay.run(Ownerships.use((owners) => owners.report(id, true)))
    expect((await pay.send("GET", path)).body).toMatchObject({ status: "ACTIVE" })
  })

  it("is not found among the accounts of customers", async () => {
    await using pay = await regulated()
    const id = (await platformWallet(pay)).slice(platformPath.length + 1)
    expect((await challenge(pay, id)).status).toBe(404)
    expect((await verify(pay, id, "0x00")).status).toBe(404)
  })
})

it("rejects a challenge for a bank account, and for the platform's wallet where no region requires proofs", async () => {
  await using pay = await regulated()
  const bank = await added(pay, { ...usd(), ...own, customerId: await newCustomer(pay, { region: "EU" }) })
  expect(await challenge(pay, bank)).toMatchObject({
    status: 409,
    body: { details: { reason: "NOT_A_SELF_CUSTODY_WALLET" } },
  })
  await using unregulated = await harness()
  const path = `${platformPath}/${await added(unregulated, evm(address, own), platformPath)}`
  expect(await unregulated.send("POST", `${path}/challenge`, { body: { method: "LIVENESS" } })).toMatchObject({
    status: 409,
    body: { details: { reason: "NOTHING_TO_VERIFY" } },
  })
  expect((await unregulated.send("POST", `${path}/verify`, { body: { signature: "0x00" } })).status).toBe(409)
})

it("applies one of two concurrent answers", async () => {
  for (const interleave of [1, 2, 3, 4]) {
    await using pay = await harness({ interleave, ports: Layer.merge(Sandbox.layer, region) })
    const id = await unprovenWallet(pay)
    const message = textAt(await challenge(pay, id), "messageToSign")
    const replies = await Promise.all([verify(pay, id, sign(message)), verify(pay, id, "0x00")])
    const statuses = replies.map(({ status }) => status).toSorted()
    expect(["200,409", "400,409"]).toContain(`${statuses}`)
    const versions = await pay.run(Store.use((store) => store.history({ kind: "ExternalAccount", id })))
    expect(versions).toHaveLength(3)
  }
})
