/** The example banks pass the suite of rails over the wire, and an issuer and a verifier behind the contract pass theirs. */
import type { RailInstruction } from "@countersign/core/ports"
import { httpPorts } from "@countersign/ports-http"
import { issuerConformance, railsConformance, verifierConformance } from "@countersign/test/conformance"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { faultyIssuer } from "../conformance/FaultyIssuer.ts"
import { faultyVerifier } from "../conformance/FaultyVerifier.ts"
import { issuerGiven } from "../conformance/IssuerGiven.ts"
import { verifierChecksGiven } from "../conformance/VerifierChecksGiven.ts"
import { type BankName, type BankProcess, bankFolder, bankSecret, banks, startBank } from "./BankProcess.ts"
import { type PortServer, serverSecret } from "./PortServer.ts"
import { serveIssuer, serveVerifier } from "./ServedPorts.ts"

const accountInfo = { accountType: "USD_ACCOUNT", accountNumber: "12345678", routingNumber: "021000021" } as const
const account = { accountId: "ExternalAccount:1", currency: "USD", accountInfo } as const
const pull = (amount: number): RailInstruction => ({
  _tag: "Pull",
  request: { reference: "", source: account, amount, submittedAt: 0 },
})
const push = (amount: number): RailInstruction => ({
  _tag: "Push",
  request: { reference: "", destination: account, amount, submittedAt: 0 },
})
/** Booked at once, booked later, and rejected. */
const amounts = [500, 200_000, 1_000_001]

const names: ReadonlyArray<BankName> = ["python", "typescript"]

for (const name of names) {
  const folder = bankFolder()
  let bank: BankProcess | undefined
  beforeAll(async () => {
    bank = await startBank(name, folder)
  })
  afterAll(async () => {
    await bank?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })
  const rails = Layer.unwrap(
    Effect.sync(() => httpPorts({ url: bank?.url ?? "", secrets: [Redacted.make(bankSecret)] }).rails),
  )
  railsConformance(`the example ${banks[name][1].split("/").slice(-2).join("/")}`, rails, {
    instructions: amounts.flatMap((amount) => [pull(amount), push(amount)]),
    executed: Effect.sync(folder.executed),
  })
}

const issuer = faultyIssuer()
const verifier = faultyVerifier()
const servers: Array<PortServer> = []
beforeAll(async () => {
  servers.push(await serveIssuer(issuer.layer), await serveVerifier(verifier.layer))
})
afterAll(() => Promise.all(servers.map((server) => server[Symbol.asyncDispose]())))

const served = (n: number) => {
  const issuing = { takesThreeDSecurePassword: true }
  return httpPorts({ url: servers[n]?.url ?? "", secrets: [Redacted.make(serverSecret)], issuer: issuing })
}
issuerConformance("an issuer over HTTP", Layer.unwrap(Effect.sync(() => served(0).issuer)), {
  ...issuerGiven,
  ...issuer,
})
verifierConformance("a verifier over HTTP", Layer.unwrap(Effect.sync(() => served(1).verifier)), {
  ...verifierChecksGiven,
  begun: verifier.begun,
})
