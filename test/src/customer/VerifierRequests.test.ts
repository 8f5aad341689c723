/**
 * What a provider behind the Verifier port receives: each number of an authority in clear, once. Events contain only the mask.
 * Source: D-080.
 */
import { type CustomerCheck, type OwnerCheck, Verifier } from "@countersign/core/ports"
import { Effect, Layer, Redacted } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { newWallet, signed, signIn } from "../wallet/People.ts"
import { businessInfo, idOf, newBusiness, newPerson, owner, ssn } from "./CustomerRequests.ts"

/** A provider that records each number, and each owner's share, that it receives. */
const recording = () => {
  const received: Array<readonly [id: string | undefined, number: string | undefined]> = []
  const shares: Array<number> = []
  const record = (id: string | undefined, { identifier }: Pick<CustomerCheck | OwnerCheck, "identifier">) =>
    void received.push([id, identifier && Redacted.value(identifier)])
  const ports = Layer.succeed(Verifier, {
    verifyBeneficiary: () => Effect.succeed({ _tag: "Result", status: "MATCHED" }),
    checkCustomer: (check) =>
      Effect.as(
        Effect.sync(() => record(check.customerId, check)),
        "UNVERIFIED" as const,
      ),
    checkOwner: (check) =>
      Effect.as(
        Effect.sync(() => {
          record(check.ownerId, check)
          shares.push(check.owner.ownershipPercentage)
        }),
        "PENDING" as const,
      ),
    verifyCustomer: () => Effect.succeed({ status: "IN_PROGRESS", errors: [], owners: [] }),
    kycLink: () => Effect.succeed({ kycUrl: "https://provider.example", expiresAt: 0, provider: "OTHER" }),
  })
  return { ports, received, shares }
}

it("sends each new number to the provider in clear, and never its mask", async () => {
  const { ports, received, shares } = recording()
  await using pay = await harness({ ports })
  const person = await newPerson(pay, { identifier: ssn })
  const business = await newBusiness(pay)
  const patch = (id: string, body: object) => pay.send("PATCH", `/customers/${id}`, { body })
  await patch(person, { customerType: "INDIVIDUAL", identifier: "999887777" })
  await patch(person, { customerType: "INDIVIDUAL", fullName: "Ada King" })
  await patch(business, { customerType: "BUSINESS", businessInfo: { taxId: "****4321" } })
  await patch(business, { customerType: "BUSINESS", businessInfo: { taxId: "111222333" } })
  const ownerId = idOf(await pay.send("POST", "/beneficial-owners", { body: { ...owner, customerId: business } }))
  await pay.send("PATCH", `/beneficial-owners/${ownerId}`, { body: { ownershipPercentage: 1 } })
  await pay.send("PATCH", `/beneficial-owners/${ownerId}`, { body: { personalInfo: { identifier: "999886666" } } })
  await pay.send("PATCH", `/beneficial-owners/${ownerId}`, { body: { personalInfo: { identifier: "****6666" } } })
  expect(received).toEqual([
    [person, ssn],
    [business, businessInfo.taxId],
    [person, "999887777"],
    [business, "111222333"],
    [ownerId, owner.personalInfo.identifier],
    [ownerId, undefined],
    [ownerId, "999886666"],
    [ownerId, undefined],
  ])
  expect(shares).toEqual([owner.ownershipPercentage, 1, 1, 1])
  await pay.send("POST", "/verifications", { body: { customerId: business } })
  await pay.settle()
  const events = JSON.stringify(pay.inbox.received)
  expect(events).toContain("****6666")
  for (const [, number] of received) expect(number === undefined || !events.includes(number)).toBe(true)
})

it("sends a new number to the provider only once, where the update needs a signature", async () => {
  const { ports, received } = recording()
  await using pay = await harness({ ports })
  const { customerId, emailId } = await newWallet(pay)
  const { key } = await signIn(pay, emailId)
  received.length = 0
  const body = { customerType: "INDIVIDUAL", email: "new@example.com", identifier: ssn }
  expect((await signed(pay, "PATCH", `/customers/${customerId}`, key, body)).status).toBe(200)
  expect(received).toEqual([[customerId, ssn]])
})
