/** Businesses, their owners, verifications of each outcome, what a provider reports later, and documents with each error. */
import { Verifications } from "@countersign/core"
import type { VerificationOutcome } from "@countersign/core/ports"
import { idAt } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"
import { businessInfo, owner } from "../customer/CustomerRequests.ts"
import { completion, jpeg, pdfFile, png } from "../document/DocumentHarness.ts"

const nobody = "Customer:00000000-0000-7000-8000-000000000009"

const newBusiness = async ({ call }: StepWorld, suffix: string) => {
  const info = { ...businessInfo, registrationNumber: `REG-6${suffix}` }
  return idAt(await call("POST", "/customers", { body: { customerType: "BUSINESS", businessInfo: info } }), "id")
}

const newOwner = async ({ call }: StepWorld, customerId: string, lastName: string) => {
  const body = { ...owner, customerId, personalInfo: { ...owner.personalInfo, lastName } }
  return idAt(await call("POST", "/beneficial-owners", { body }), "id")
}

const reporter =
  ({ pay }: StepWorld) =>
  (customerId: string, outcome: VerificationOutcome) =>
    pay.run(Verifications.use((all) => all.report(customerId, outcome)))

const businesses = async (it: StepWorld) => {
  const { call, callers, pay } = it
  const report = reporter(it)
  const submit = (customerId: string) => call("POST", "/verifications", { body: { customerId } })
  const first = await newBusiness(it, "001")
  const owners = [await newOwner(it, first, "Babbage 001"), await newOwner(it, first, "Babbage 002")]
  await pay.clock.advance("7 seconds")
  await call("PATCH", `/beneficial-owners/${owners[0]}`, {
    body: {
      roles: ["DIRECTOR"],
      personalInfo: { identifier: "999886666", address: { ...owner.personalInfo.address, city: "Bath" } },
    },
  })
  await call("PATCH", `/beneficial-owners/${owners[1]}`, {
    body: { ownershipPercentage: 33, personalInfo: { identifier: "****3333" } },
  })
  await submit(first)
  await pay.clock.advance("11 seconds")
  await submit(first)
  const [a = "", b = ""] = owners
  const errors = [{ resourceId: a, type: "POOR_QUALITY_DOCUMENT", reason: "Unreadable." }] as const
  await report(first, { status: "RESOLVE_ERRORS", errors, owners: [{ ownerId: a, kycStatus: "APPROVED" }] })
  await report(first, { status: "IN_PROGRESS", errors, owners: [] })
  await report(first, { status: "PENDING_MANUAL_REVIEW", errors, owners: [] })
  await pay.clock.advance("13 seconds")
  await report(first, {
    status: "APPROVED",
    errors,
    owners: [
      { ownerId: a, kycStatus: "APPROVED" },
      { ownerId: b, kycStatus: "REJECTED" },
    ],
  })
  await report(first, { status: "APPROVED", errors: [], owners: [] })
  await submit(first)
  for (const lastName of ["Late 001", "Late 002"]) await newOwner(it, first, lastName)
  await pay.clock.advance("17 seconds")
  await report(first, { status: "REJECTED", errors: [], owners: [{ ownerId: a, kycStatus: "REJECTED" }] })
  await report(first, { status: "REJECTED", errors: [], owners: [] })
  const rejected = await newBusiness(it, "002")
  await newOwner(it, rejected, "Byron 001")
  await submit(rejected)
  await report(rejected, { status: "APPROVED", errors: [], owners: [], checkStatus: "HOLD" })
  await report(rejected, { status: "APPROVED", errors: [], owners: [], checkStatus: "HOLD" })
  const approved = await newBusiness(it, "523")
  const third = await newOwner(it, approved, "Byron 001")
  await newOwner(it, approved, "Byron 002")
  await submit(approved)
  await call("GET", `/beneficial-owners/${third}`)
  await call("GET", `/beneficial-owners?customerId=${approved}&limit=1`)
  await call("GET", `/customers/${approved}`)
  await call("POST", "/beneficial-owners", { body: { ...owner, customerId: callers.customerId } })
  await call("POST", "/beneficial-owners", { body: { ...owner, customerId: nobody } })
  await call("GET", "/beneficial-owners/BeneficialOwner:00000000-0000-7000-8000-000000000009")
  await call("PATCH", "/beneficial-owners/BeneficialOwner:00000000-0000-7000-8000-000000000009", { body: {} })
  await submit(nobody)
}

const numbers = ["201", "202", "203", "204", "205", "206", "301", "302", "303", "304", "305", "306", "307"]

const newPerson = async ({ call }: StepWorld, fullName: string, more: object = {}) => {
  const body = { customerType: "INDIVIDUAL", fullName, birthDate: "1990-01-15", nationality: "US", ...more }
  return idAt(await call("POST", "/customers", { body }), "id")
}

const formOf = (holder: string, more: Readonly<Record<string, string | Blob>> = {}) => ({
  documentHolder: holder,
  documentType: "PASSPORT",
  country: "US",
  documentNumber: "A12345678",
  issuingAuthority: "Department of State",
  file: pdfFile(),
  ...more,
})

const persons = async (it: StepWorld) => {
  const { call, pay } = it
  const report = reporter(it)
  const submit = (customerId: string) => call("POST", "/verifications", { body: { customerId } })
  const incomplete = await newPerson(it, "Jane Doe 003")
  await submit(incomplete)
  await call("PATCH", `/customers/${incomplete}`, { body: { customerType: "INDIVIDUAL", ...completion } })
  await submit(incomplete)
  const made = new Map<string, string>()
  for (const number of numbers) {
    const form = formOf(incomplete, { documentNumber: `A12345${number}`, expiryDate: "2031-05-06", side: "FRONT" })
    const reply = await call("POST", "/documents", { form })
    if (reply.status < 300) made.set(number, idAt(reply, "id"))
    await pay.clock.advance("3 seconds")
  }
  await submit(incomplete)
  await pay.clock.advance("1 hour")
  for (const number of numbers.slice(6)) await call("DELETE", `/documents/${made.get(number)}`)
  await call("POST", "/documents", { form: formOf(incomplete, { documentType: "PROOF_OF_ADDRESS" }) })
  await submit(incomplete)
  await report(incomplete, { status: "PENDING_MANUAL_REVIEW", errors: [], owners: [] })
  await report(incomplete, { status: "REJECTED", errors: [], owners: [] })
  const reviewed = await newPerson(it, "Jane Doe 001", completion)
  await call("POST", "/documents", { form: formOf(reviewed, { file: new File([png], "front.png") }) })
  await submit(reviewed)
  await report(reviewed, { status: "APPROVED", errors: [], owners: [] })
  await call("GET", `/verifications?customerId=${incomplete}&limit=1`)
  await call("GET", "/verifications?verificationStatus=APPROVED&limit=2")
  const page = await call("GET", "/verifications?limit=2")
  await call("GET", `/verifications?limit=2&cursor=${encodeURIComponent(idAt(page, "nextCursor"))}`)
  await call("GET", "/verifications/Verification:00000000-0000-7000-8000-000000000009")
  await documents(it, reviewed, incomplete)
}

/** What a form lacks or has wrong, replacements, lists with each filter, and the download of nothing. */
const documents = async ({ call, pay, prepare }: StepWorld, holder: string, other: string) => {
  const upload = (more: Readonly<Record<string, string | Blob>>) =>
    call("POST", "/documents", { form: formOf(holder, more) })
  await upload({ documentHolder: nobody })
  await upload({ documentHolder: "Agent:00000000-0000-7000-8000-000000000009" })
  await upload({ documentType: "LETTER" })
  await upload({ country: "USA" })
  await upload({ file: new File(["text"], "a.txt") })
  await upload({ file: new File([], "empty.pdf") })
  await upload({ file: "no file" })
  await upload({ side: "TOP" })
  await upload({ expiryDate: "2031-02-30" })
  const licence = { documentType: "DRIVERS_LICENSE", documentNumber: "D1234567" }
  await upload({ ...licence, file: new File([jpeg], "front.jpg"), side: "FRONT" })
  const back = await upload({ ...licence, file: new File([jpeg], "back.jpg"), side: "BACK" })
  await pay.clock.advance("37 seconds")
  const path = `/documents/${idAt(back, "id")}`
  const replacement = {
    file: new File([png], "again.png"),
    documentType: "DRIVERS_LICENSE",
    country: "CA",
    side: "BACK",
  }
  await call("PUT", path, { form: replacement })
  await call("PUT", path, { form: { ...replacement, documentNumber: "D1234203" } })
  await call("PUT", path, { form: { ...replacement, documentHolder: other } })
  await call("GET", path)
  await call("GET", `/documents?documentHolder=${holder}&limit=1`)
  await call("GET", "/documents?documentType=DRIVERS_LICENSE&limit=1")
  const page = await call("GET", "/documents?limit=2")
  await call("GET", `/documents?limit=2&cursor=${encodeURIComponent(idAt(page, "nextCursor"))}`)
  await call("DELETE", path)
  await call("DELETE", path)
  await call("PUT", path, { form: replacement })
  await prepare("GET", path)
  await pay.clock.advance("40 days")
}

export const verificationSteps = async (it: StepWorld) => {
  await businesses(it)
  await persons(it)
}
