/** Deposits from unknown wallets, which wait for a declaration, and the proofs that a wallet is its customer's. */
import { type DepositReport, Deposits, InternalAccounts, Outcomes, Ownerships } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { address, sign } from "../account/EthereumWallet.ts"
import { evm } from "../account/ExternalAccountRequests.ts"
import { idAt } from "../confinement/Bodies.ts"
import { setStatus } from "./DepositRefundSteps.ts"
import { accountOf } from "./DepositSteps.ts"
import type { Written } from "./TranscriptWorld.ts"

interface Holder {
  readonly customerId: string
  readonly accountId: string
}

const walletOf = (start: string, suffix = "abc") => `0x${start.repeat(37)}${suffix}`

const ownerOf = async (it: Written, platformCustomerId: string, region: string): Promise<Holder> => {
  const body = {
    customerType: "INDIVIDUAL",
    fullName: "Grace Hopper",
    platformCustomerId,
    region,
    currencies: ["USDC"],
  }
  const customerId = idAt(await it.prepare("POST", "/customers", body), "id")
  const path = `/customers/internal-accounts?customerId=${customerId}&currency=USDC`
  return { customerId, accountId: await accountOf(it, path) }
}

let deposits = 0

const arrive = async (it: Written, accountId: string, amount: number, more: Partial<DepositReport> = {}) => {
  deposits += 1
  const report = { accountId, amount, depositId: `chain-${deposits}`, source: {}, ...more }
  return (
    (
      await it.report(
        `Deposits.report ${amount}`,
        Deposits.use((all) => all.report(report)),
      )
    )?.id ?? ""
  )
}

const sent = (accountIdentifier: string, cryptoNetwork: "ETHEREUM" | "BASE" | "LIGHTNING" = "ETHEREUM") => ({
  source: { accountIdentifier, cryptoNetwork },
})

const declare = async (it: Written, { customerId }: Pick<Holder, "customerId">, wallet: object) =>
  idAt(await it.prepare("POST", "/customers/external-accounts", { ...wallet, customerId }), "id")

const show = (it: Written, id: string) => it.call("GET", `/transactions/${id}`)

const own = { ownershipType: "FIRST_PARTY" }
const foreign = { ownershipType: "THIRD_PARTY" }

const challenge = (it: Written, id: string, method: string) =>
  it.call("POST", `/customers/external-accounts/${id}/challenge`, { body: { method } })

const verify = (it: Written, id: string, signature: string, signatureScheme?: string) =>
  it.call("POST", `/customers/external-accounts/${id}/verify`, {
    body: { signature, ...(signatureScheme === undefined ? {} : { signatureScheme }) },
  })

const liveness = (it: Written, id: string, isOwner: boolean) =>
  it.report(
    `Ownerships.report ${isOwner}`,
    Ownerships.use((all) => all.report(id, isOwner)),
  )

/** Who holds a deposit: the region of its account's owner, its network, and what is known of its sender. */
const regions = async (it: Written, eu: Holder, us: Holder, platformAccountId: string) => {
  const wallet = walletOf("a")
  await arrive(it, us.accountId, 1_000_001, { ...sent(wallet), transactionHash: `0x${"7".repeat(64)}` })
  await arrive(it, platformAccountId, 1_000_002, sent(wallet, "BASE"))
  await arrive(it, eu.accountId, 1_000_003, sent("lnbc1", "LIGHTNING"))
  await arrive(it, eu.accountId, 1_000_004)
  await it.call("POST", `/sandbox/internal-accounts/${eu.accountId}/fund`, { body: { amount: 1_000_005 } })
  const source = { accountIdentifier: wallet }
  await it.call("POST", `/sandbox/internal-accounts/${eu.accountId}/fund`, { body: { amount: 1_000_006, source } })
}

/** A wallet that is another person's, and one at an exchange. */
const declarations = async (it: Written, eu: Holder, us: Holder) => {
  const wallet = walletOf("b")
  const first = await arrive(it, eu.accountId, 2_000_001, sent(wallet))
  const other = await arrive(it, eu.accountId, 2_000_002, sent(walletOf("c")))
  await it.pay.clock.advance("1 minute")
  await declare(it, us, evm(wallet, foreign))
  await it.call("POST", "/platform/external-accounts", { body: evm(wallet, foreign) })
  await declare(it, eu, { ...evm(wallet), accountInfo: { accountType: "BASE_WALLET", address: wallet } })
  await show(it, first)
  await declare(it, eu, evm(wallet.toUpperCase().replace("0X", "0x"), foreign))
  await show(it, first)
  const vaspName = idAt(await it.prepare("GET", "/vasps"), "data", 0, "vaspName")
  const held = evm(walletOf("c"), own)
  await declare(it, eu, { ...held, accountInfo: { ...held.accountInfo, vaspName } })
  await show(it, other)
  // Its suffix is held outside of the region, too.
  const magic = walletOf("d", "005")
  const suffixed = await arrive(it, us.accountId, 2_000_003, sent(magic))
  await declare(it, us, evm(magic, own))
  await show(it, suffixed)
  const reviewed = await arrive(it, us.accountId, 2_000_004, sent(walletOf("d", "001")))
  await declare(it, us, evm(walletOf("d", "001"), foreign))
  await show(it, reviewed)
}

/** A deposit waits for the proof that its wallet is the customer's own. */
const proofs = async (it: Written, eu: Holder) => {
  const first = await arrive(it, eu.accountId, 3_000_001, sent(address))
  const id = await declare(it, eu, evm(address, own))
  const second = await arrive(it, eu.accountId, 3_000_002, sent(address))
  await show(it, first)
  await verify(it, id, "0x00")
  await liveness(it, id, true)
  it.answerNext("OwnershipChecks.startLiveness", undefined)
  await challenge(it, id, "LIVENESS")
  await challenge(it, id, "EMAIL")
  await challenge(it, id, "LIVENESS")
  await verify(it, id, "0x00")
  await it.pay.clock.advance("2 minutes")
  await liveness(it, id, false)
  await liveness(it, id, true)
  const late = idAt(await challenge(it, id, "WALLET_SIGNATURE"), "messageToSign")
  await it.pay.clock.advance("600 seconds")
  await verify(it, id, sign(late))
  const replaced = idAt(await challenge(it, id, "WALLET_SIGNATURE"), "messageToSign")
  await challenge(it, id, "WALLET_SIGNATURE")
  await verify(it, id, sign(replaced))
  await verify(it, id, sign(replaced))
  const right = idAt(await challenge(it, id, "WALLET_SIGNATURE"), "messageToSign")
  await it.pay.clock.advance("599 seconds")
  await verify(it, id, ` ${sign(right)} `, "bip322")
  await verify(it, id, sign(right))
  for (const method of ["WALLET_SIGNATURE", "LIVENESS"]) await challenge(it, id, method)
  await show(it, second)
  const checked = await declare(it, eu, evm(walletOf("e"), own))
  await challenge(it, checked, "LIVENESS")
  await liveness(it, checked, true)
  await liveness(it, checked, false)
  await it.call("GET", `/customers/external-accounts/${checked}`)
  for (const [index, start] of ["1", "2"].entries()) {
    const both = walletOf(start)
    const another = { ...evm(both, foreign), accountInfo: { accountType: "BASE_WALLET", address: both } }
    const wallets = index === 0 ? [another, evm(both, own)] : [evm(both, own), another]
    for (const wallet of wallets) {
      await declare(it, eu, wallet)
      await it.pay.clock.advance("1 second")
    }
    await arrive(it, eu.accountId, 3_000_003 + index, sent(both))
  }
}

const hold = (reason: string) => ({ _tag: "Hold", reason })

/** What the second screening says. */
const screenings = async (it: Written, eu: Holder) => {
  const wallet = walletOf("f")
  const at = (await it.pay.clock.now()) + 45_000
  const id = await arrive(it, eu.accountId, 4_000_001, sent(wallet))
  const answers = [hold("COUNTERPARTY_DECLARATION_REQUIRED"), { ...hold("COMPLIANCE_REVIEW"), askAgainAt: at }]
  it.answerNext("DepositScreening.screen", ...answers)
  await declare(it, eu, evm(wallet, foreign))
  await show(it, id)
  const base = { accountType: "BASE_WALLET", address: wallet }
  await declare(it, eu, { ...evm(wallet, foreign), accountInfo: base })
  await show(it, id)
  await it.pay.clock.advance("1 minute")
  await show(it, id)
  const second = await arrive(it, eu.accountId, 4_000_002, sent(walletOf("9")))
  it.answerNext("DepositScreening.screen", { _tag: "Refuse", reason: "OFFRAMP_FAILED" })
  await declare(it, eu, evm(walletOf("9"), foreign))
  await it.pay.clock.advance("5 seconds")
  await show(it, second)
  it.answerNext("DepositScreening.screen", { _tag: "Refuse", reason: "COMPLIANCE_REJECTED" }, hold("COMPLIANCE_REVIEW"))
  await arrive(it, eu.accountId, 4_000_003)
  await arrive(it, eu.accountId, 4_000_004)
}

/** What ends before its declaration, and what its account cannot take any more. */
const ends = async (it: Written, eu: Holder) => {
  const returned = await arrive(it, eu.accountId, 5_000_001, sent(walletOf("7")))
  await it.report(
    "Outcomes.report Returned",
    Outcomes.use((all) => all.report(returned, { _tag: "Returned" })),
  )
  await declare(it, eu, evm(walletOf("7"), foreign))
  const late = await arrive(it, eu.accountId, 5_000_003, sent(walletOf("6")))
  await setStatus(it, eu.accountId, "FROZEN")
  await declare(it, eu, evm(walletOf("6"), foreign))
  await setStatus(it, eu.accountId, "ACTIVE")
  await show(it, late)
  const full = await arrive(it, eu.accountId, 5_000_002, sent(walletOf("8")))
  const account = await it.prepare("GET", `/internal-accounts/${eu.accountId}`)
  const total = Number(Object(Object(account.body).totalBalance).amount)
  await it.report(
    "InternalAccounts.fund",
    InternalAccounts.use((all) => all.fund(eu.accountId, amountMax - total)),
  )
  await declare(it, eu, evm(walletOf("8"), foreign))
  await show(it, full)
}

export const declarationSteps = async (it: Written) => {
  deposits = 0
  const eu = await ownerOf(it, "eu", "EU")
  const us = await ownerOf(it, "us", "US")
  const platformAccountId = await accountOf(it, "/platform/internal-accounts?currency=USDC")
  await regions(it, eu, us, platformAccountId)
  await declarations(it, eu, us)
  await proofs(it, eu)
  await screenings(it, eu)
  await ends(it, eu)
}
