/**
 * Actions on the verification of people and businesses: they are created, get owners and other names, are submitted, and their provider
 * reports later, also more than once.
 * Source: wire contract 5.11, 5.12 and 7.6.
 */
import { Verifications } from "@countersign/core"
import type { VerificationOutcome } from "@countersign/core/ports"
import { businessInfo, owner } from "../customer/CustomerRequests.ts"
import type { Body } from "./Answers.ts"
import { anyOf, bodyOf, type Client, type ClientActions, isDone } from "./ClientRequests.ts"

const triesMax = 400

const nameSuffixes = ["001", "001", "002", "003", "003", "000"] as const
const numberSuffixes = ["001", "001", "002", "523", "523"] as const

const anyCustomer = ({ answers, random }: Client) => anyOf(random, answers.verified)

const anyBusiness = ({ answers, random }: Client) =>
  anyOf(
    random,
    [...answers.verified].filter(([, { isBusiness }]) => isBusiness),
  )

const createCustomer = async ({ answers, insist, name, random }: Client): Promise<boolean> => {
  const platformCustomerId = `verified-${name()}`
  const isBusiness = random.once(2)
  const registrationNumber = `REG-5${random.pick(numberSuffixes)}`
  const fullName = `Emmy ${random.pick(nameSuffixes)}`
  const profile = isBusiness
    ? { customerType: "BUSINESS", businessInfo: { ...businessInfo, registrationNumber } }
    : { customerType: "INDIVIDUAL", fullName }
  const made = await insist("POST", "/customers", { body: { ...profile, platformCustomerId } })
  // After a lost answer, the repetition reports an existing customer.
  const found = isDone(made)
    ? bodyOf(made)
    : (bodyOf(await insist("GET", `/customers?platformCustomerId=${platformCustomerId}`))["data"] as [Body])[0]
  const isApproved = !isBusiness && fullName.endsWith("000")
  const isRejected = !isBusiness && fullName.endsWith("002")
  const first = isApproved ? "APPROVED" : isRejected ? "REJECTED" : ""
  answers.verified.set(String(found["id"]), { isBusiness, first, owners: new Set(), unknownOwners: 0, requests: 0 })
  return true
}

const statuses = ["APPROVED", "REJECTED", "RESOLVE_ERRORS", "IN_PROGRESS", "PENDING_MANUAL_REVIEW"] as const
const ownerStatuses = ["APPROVED", "REJECTED", "PENDING", "HOLD"] as const

const outcomeOf = ({ random }: Client, owners: Iterable<string>): VerificationOutcome => ({
  status: random.pick(statuses),
  errors: [],
  owners: [...owners].map((ownerId) => ({ ownerId, kycStatus: random.pick(ownerStatuses) })),
  ...(random.once(4) ? { checkStatus: "HOLD" } : {}),
})

export const verificationActions: ClientActions = {
  "verified customer": { weight: 3, run: createCustomer },
  owner: {
    weight: 3,
    run: async (client) => {
      const { once, random } = client
      const found = anyBusiness(client)
      if (found === undefined) return undefined
      const [customerId, known] = found
      const lastName = `Babbage ${random.pick(["000", "001", "002"])}`
      const body = { ...owner, customerId, personalInfo: { ...owner.personalInfo, lastName } }
      // A repetition would make another owner.
      const reply = await once("POST", "/beneficial-owners", { body })
      if (reply === undefined) known.unknownOwners += 1
      else if (isDone(reply)) known.owners.add(String(bodyOf(reply)["id"]))
      return reply !== undefined && isDone(reply)
    },
  },
  "owner renamed": {
    weight: 6,
    run: async (client) => {
      const found = anyBusiness(client)
      const ownerId = found && anyOf(client.random, found[1].owners)
      if (ownerId === undefined) return undefined
      const lastName = `Byron ${client.random.pick(["000", "001", "002"])}`
      return isDone(
        await client.insist("PATCH", `/beneficial-owners/${ownerId}`, { body: { personalInfo: { lastName } } }),
      )
    },
  },
  "customer renamed": {
    weight: 2,
    run: async (client) => {
      const [customerId, known] = anyCustomer(client) ?? []
      if (customerId === undefined || known?.isBusiness === true) return undefined
      const body = { customerType: "INDIVIDUAL", fullName: `Emmy ${client.random.pick(nameSuffixes)}` }
      return isDone(await client.insist("PATCH", `/customers/${customerId}`, { body }))
    },
  },
  verification: {
    weight: 4,
    run: async (client) => {
      const [customerId, known] = anyCustomer(client) ?? []
      if (customerId === undefined || known === undefined) return undefined
      known.requests += 1
      return isDone(await client.insist("POST", "/verifications", { body: { customerId } }))
    },
  },
  "verification reported": {
    weight: 5,
    run: async (client) => {
      const { pay } = client
      const [customerId, known] = anyCustomer(client) ?? []
      if (customerId === undefined || known === undefined) return undefined
      const outcome = outcomeOf(client, known.owners)
      const report = Verifications.use((verifications) => verifications.report(customerId, outcome))
      known.requests += 1
      // The provider repeats its report until it is taken.
      for (let left = triesMax; left > 0; left--) {
        const isTaken = await pay.run(report).then(
          () => true,
          () => false,
        )
        if (isTaken) return true
      }
      throw new Error(`a report about ${customerId} is never taken`)
    },
  },
}
