/** Requests of every operation about customers, their accounts and documents, each of which succeeds for its owner. */
import { address, sign } from "../account/EthereumWallet.ts"
import { evm } from "../account/ExternalAccountRequests.ts"
import { businessInfo, owner } from "../customer/CustomerRequests.ts"
import { passport, pdfFile } from "../document/DocumentHarness.ts"
import { externalAccountBody, idAt } from "./Bodies.ts"
import type { StepWorld } from "./ConfinedWorld.ts"

const person = { customerType: "INDIVIDUAL", fullName: "Grace Hopper" }
const code = { body: { code: "123456" } }

const customers = async ({ call, prepare }: StepWorld) => {
  const contacts = { email: "grace@example.com", phoneNumber: "+14155550188", region: "EU" }
  const id = idAt(await call("POST", "/customers", { body: { ...person, ...contacts } }), "id")
  const path = `/customers/${id}`
  await call("GET", "/customers?limit=100")
  await call("GET", path)
  await call("PATCH", path, { body: { ...person, fullName: "Grace Brewster Hopper" } })
  await call("GET", "/customers/end-user-terms")
  await call("POST", `${path}/verify-email`)
  await call("POST", `${path}/verify-email/confirm`, code)
  await call("POST", `${path}/verify-phone`)
  await call("POST", `${path}/verify-phone/confirm`, code)
  await call("POST", `${path}/kyc-link`, { body: {} })
  await call("POST", `${path}/end-access`)
  const deleted = idAt(await prepare("POST", "/customers", person), "id")
  await call("DELETE", `/customers/${deleted}`)
}

const onboarding = async ({ call, callers, pay, prepare }: StepWorld) => {
  const business = { customerType: "BUSINESS", businessInfo: { ...businessInfo, registrationNumber: "REG-5523" } }
  const customerId = idAt(await prepare("POST", "/customers", business), "id")
  const made = await call("POST", "/beneficial-owners", { body: { ...owner, customerId } })
  const ownerId = idAt(made, "id")
  await call("GET", `/beneficial-owners?customerId=${customerId}`)
  await call("GET", `/beneficial-owners/${ownerId}`)
  await call("PATCH", `/beneficial-owners/${ownerId}`, { body: { ownershipPercentage: 50 } })
  const uploaded = await call("POST", "/documents", { form: { ...passport(ownerId), file: pdfFile() } })
  const path = `/documents/${idAt(uploaded, "id")}`
  await call("GET", "/documents")
  await call("GET", path)
  await call("PUT", path, { form: { file: pdfFile(), documentType: "PASSPORT", country: "US" } })
  await call("DELETE", path)
  const verification = idAt(await call("POST", "/verifications", { body: { customerId } }), "id")
  await call("GET", "/verifications")
  await call("GET", `/verifications/${verification}`)
  const { umaDomain }: { readonly umaDomain?: unknown } = Object((await prepare("GET", "/config")).body)
  const columns =
    "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country"
  const row = `$row@${String(umaDomain)},row,INDIVIDUAL,Row One,1990-01-31,1 Main St,Boston,MA,02101,US`
  const file = new File([`${columns}\n${row}`], "customers.csv", { type: "text/csv" })
  const job = idAt(await call("POST", "/customers/bulk/csv", { form: { file } }), "jobId")
  await pay.settle()
  await call("GET", `/customers/bulk/jobs/${job}`)
  const inviterUma = idAt(await prepare("GET", `/customers/${callers.customerId}`), "umaAddress")
  const invite = async () => idAt(await call("POST", "/invitations", { body: { inviterUma } }), "code")
  const claimed = `/invitations/${await invite()}`
  await call("GET", claimed)
  await call("POST", `${claimed}/claim`, { body: { inviteeUma: "$somewhere@elsewhere.example" } })
  await call("POST", `/invitations/${await invite()}/cancel`)
}

const externalAccounts = async ({ call, callers, prepare }: StepWorld) => {
  const ofCustomers = "/customers/external-accounts"
  const made = await call("POST", ofCustomers, { body: externalAccountBody(callers, "000", "1111111") })
  const path = `${ofCustomers}/${idAt(made, "id")}`
  await call("GET", ofCustomers)
  await call("GET", path)
  await call("DELETE", path)
  const european = idAt(await prepare("POST", "/customers", { ...person, region: "EU" }), "id")
  const own = evm(address, { ownershipType: "FIRST_PARTY" })
  const prove = async (wallet: string) => {
    const opened = await call("POST", `${wallet}/challenge`, { body: { method: "WALLET_SIGNATURE" } })
    await call("POST", `${wallet}/verify`, { body: { signature: sign(idAt(opened, "messageToSign")) } })
  }
  await prove(`${ofCustomers}/${idAt(await prepare("POST", ofCustomers, { ...own, customerId: european }), "id")}`)
  const ofPlatform = "/platform/external-accounts"
  const platformWallet = `${ofPlatform}/${idAt(await call("POST", ofPlatform, { body: own }), "id")}`
  await prove(platformWallet)
  await call("GET", ofPlatform)
  await call("GET", platformWallet)
  await call("DELETE", platformWallet)
}

export const customerSteps = async (it: StepWorld) => {
  await customers(it)
  await onboarding(it)
  await externalAccounts(it)
}
