/**
 * Arbitrary JSON as the body of a request that creates an account: the response is never a 500, and only valid bodies are stored.
 * FUZZ_RUNS sets the number of bodies. The default keeps the suite short; releases run 100000.
 */
import { MemoryStore } from "@countersign/adapter-memory"
import { AccountTypes, ExternalAccountCreateRequest, type Members } from "@countersign/core/models"
import { Schema } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { validBodies } from "../../../packages/test/src/harness/AccountArbitraries.ts"
import { replaced } from "../../../packages/test/src/harness/AccountBreakages.ts"
import { harness } from "../../../packages/test/src/harness/Harness.ts"

const runs = Number(process.env["FUZZ_RUNS"] ?? 8_000)
const path = "/customers/external-accounts"

const names = [...new Set(AccountTypes.entries.flatMap(([, { fields }]) => Object.keys(fields)))]
const inAccount = ["accountType", "beneficiary", ...names]
const inBeneficiary = ["beneficiaryType", "fullName", "address", "businessInfo", "legalName", "birthDate"]
const odd = fc.constantFrom<unknown>(
  "",
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
  "\ud800",
  -0,
  1e308,
  "💸".repeat(90),
)
const arbitraryValue = fc.oneof(fc.jsonValue({ maxDepth: 2 }), odd)
const broken = fc.oneof(arbitraryValue, fc.constant(undefined))

/** Valid bodies. The bodies sent differ from them in a few places. */
const seeds = AccountTypes.keys.flatMap((type) => fc.sample(validBodies(type), { numRuns: 12, seed: 3 }))
const where = fc.oneof(
  fc.constantFrom("currency", "accountInfo", "customerId", "platformAccountId", "ownershipType").map((name) => [name]),
  fc.constantFrom(...inAccount).map((name) => ["accountInfo", name]),
  fc.constantFrom(...inBeneficiary).map((name) => ["accountInfo", "beneficiary", name]),
  fc.constantFrom("line1", "city", "country").map((name) => ["accountInfo", "beneficiary", "address", name]),
)
const nearlyValid = fc
  .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(where, broken), { minLength: 1, maxLength: 3 }))
  .map(([body, changes]) => changes.reduce<Members>((all, [at, value]) => replaced(all, at, value), { ...body }))
const loose = fc.dictionary(fc.constantFrom("currency", "accountInfo", ...inAccount), arbitraryValue)
const bodies = fc.oneof(
  { weight: 6, arbitrary: nearlyValid },
  { weight: 2, arbitrary: loose },
  { weight: 1, arbitrary: arbitraryValue },
)

const isValid = Schema.is(ExternalAccountCreateRequest)

it(`answers ${runs} arbitrary bodies without a 500 and stores only valid accounts`, { timeout: 600_000 }, async () => {
  await using pay = await harness({ webhookEndpoint: null })
  const countByStatus = new Map<number, number>()
  const created = new Set<string>()
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const reply = await pay.send("POST", path, { body: JSON.stringify(body) ?? "" })
      countByStatus.set(reply.status, (countByStatus.get(reply.status) ?? 0) + 1)
      expect([201, 400, 409]).toContain(reply.status)
      if (reply.status === 201) created.add(String(Object(reply.body).id))
    }),
    { numRuns: runs },
  )
  expect(countByStatus.get(400)).toBeGreaterThan(runs / 10)
  expect(created.size).toBeGreaterThan(seeds.length / 10)

  const { records } = await pay.run(MemoryStore.useSync(({ snapshot }) => snapshot()))
  const accounts = records.flat().filter(({ kind }) => kind === "ExternalAccount")
  expect(new Set(accounts.map(({ id }) => id))).toEqual(created)
  const invalid = accounts.filter(({ data }) => !isValid(data))
  expect(invalid).toEqual([])
  // The other records existed before: the platform, its credentials and its own accounts.
  const others = new Set(records.flat().map(({ kind }) => kind))
  expect([...others].filter((kind) => kind === "Customer" || kind === "Transaction")).toEqual([])
})
