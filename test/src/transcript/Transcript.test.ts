/**
 * What every operation answers, commits, asks of ports and delivers, held against the transcripts that `npm run transcripts` writes. A change of
 * behaviour changes a transcript, and is read there.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { expect, it } from "vitest"
import { agentSteps } from "../confinement/AgentSteps.ts"
import { customerSteps } from "../confinement/CustomerSteps.ts"
import { moneySteps } from "../confinement/MoneySteps.ts"
import { operatorSteps } from "../confinement/OperatorSteps.ts"
import { sandboxSteps, serverSteps } from "../confinement/SandboxSteps.ts"
import { scaSteps } from "../confinement/ScaSteps.ts"
import { stablecoinSteps } from "../confinement/StablecoinSteps.ts"
import { walletSteps } from "../confinement/WalletSteps.ts"
import { accountTypeSteps, strictPorts } from "./AccountTypeSteps.ts"
import { agentPolicySteps, agentSettings } from "./AgentPolicySteps.ts"
import { agentQuoteSteps } from "./AgentQuoteSteps.ts"
import { approvalSettings, approvalSteps } from "./ApprovalSteps.ts"
import { bookSteps, reportSteps, twoBanks } from "./BookSteps.ts"
import { cancellationSteps, approvalSteps as incomingApprovalSteps } from "./CancellationSteps.ts"
import { cardMessageSteps, cardPullSteps } from "./CardMessageSteps.ts"
import { cardSettings, cardSteps } from "./CardSteps.ts"
import { consoleSteps } from "./ConsoleSteps.ts"
import { customerChangeSteps } from "./CustomerChangeSteps.ts"
import { debtSteps } from "./DebtSteps.ts"
import { declarationSteps } from "./DeclarationSteps.ts"
import { depositRefundSteps } from "./DepositRefundSteps.ts"
import { depositSteps } from "./DepositSteps.ts"
import { eventSteps, proofPorts, proofSteps } from "./EventSteps.ts"
import { externalAccountSteps, lateVerifier } from "./ExternalAccountSteps.ts"
import { importSteps } from "./ImportSteps.ts"
import { outcomeSteps } from "./OutcomeSteps.ts"
import { domainAnswers, platformSteps } from "./PlatformSteps.ts"
import { quoteChallengeSteps, quotePurposeSteps, twoPurposes } from "./QuoteChallengeSteps.ts"
import { internalQuoteSteps, quoteFundingSteps } from "./QuoteFundingSteps.ts"
import { changedQuoteSteps, quoteOutcomeSteps, railPullSteps } from "./QuoteOutcomeSteps.ts"
import { quoteRefusalSteps } from "./QuoteRefusalSteps.ts"
import { receiverSteps } from "./ReceiverSteps.ts"
import { recordSteps, recordsBefore } from "./RecordSteps.ts"
import { requestSteps } from "./RequestSteps.ts"
import { scaRefusalSteps } from "./ScaRefusalSteps.ts"
import { credentialSteps, signInSteps } from "./SignInSteps.ts"
import { providerSteps } from "./StablecoinProviderSteps.ts"
import { transcriptWorld } from "./TranscriptWorld.ts"
import { transferOutcomeSteps } from "./TransferOutcomeSteps.ts"
import { transferRuleSteps, volumeSteps, volumes } from "./TransferRuleSteps.ts"
import { verificationSteps } from "./VerificationSteps.ts"
import { walletRootSteps } from "./WalletRootSteps.ts"
import { wholeSteps } from "./WholeSteps.ts"
import { sharedSteps, worldSteps } from "./WorldSteps.ts"

const isWriting = process.env["COUNTERSIGN_TEST_TRANSCRIPTS"] === "write"

it.each([
  ["setup", undefined, {}],
  ["agents", agentSteps, {}],
  ["customers", customerSteps, {}],
  ["money", moneySteps, {}],
  ["operator", operatorSteps, {}],
  ["sandbox", sandboxSteps, {}],
  ["sca", scaSteps, {}],
  ["server", serverSteps, { isAlone: true }],
  ["stablecoins", stablecoinSteps, {}],
  ["wallets", walletSteps, {}],
  ["outcomes", outcomeSteps, {}],
  ["whole", wholeSteps, {}],
  ["deposits", depositSteps, {}],
  ["deposit-refunds", depositRefundSteps, {}],
  ["declarations", declarationSteps, {}],
  ["transfer-outcomes", transferOutcomeSteps, {}],
  ["debts", debtSteps, {}],
  ["cancellations", cancellationSteps, {}],
  ["incoming-approvals", incomingApprovalSteps, {}],
  ["quote-refusals", quoteRefusalSteps, {}],
  ["quote-fundings", quoteFundingSteps, {}],
  ["internal-quotes", internalQuoteSteps, {}],
  ["quote-challenges", quoteChallengeSteps, {}],
  ["books", bookSteps, {}],
  ["bank-reports", reportSteps, { ports: twoBanks }],
  ["bank-reports-alone", reportSteps, { ports: twoBanks, isAlone: true }],
  ["transfer-rules", transferRuleSteps, {}],
  ["volumes", volumeSteps, { ports: volumes }],
  ["quote-outcomes", quoteOutcomeSteps, {}],
  ["changed-quotes", changedQuoteSteps, {}],
  ["rail-pulls", railPullSteps, { harness: { quotePull: "BANK_RAILS" } }],
  ["no-pulls", railPullSteps, { harness: { quotePull: "NEVER" } }],
  ["quote-purposes", quotePurposeSteps, { ports: twoPurposes }],
  ["receivers", receiverSteps, {}],
  ["sca-refusals", scaRefusalSteps, {}],
  ["stablecoin-providers", providerSteps, {}],
  ["cards", cardSteps, { ports: cardSettings }],
  ["card-messages", cardMessageSteps, {}],
  ["card-pulls", cardPullSteps, {}],
  ["console", consoleSteps, {}],
  ["agent-policies", agentPolicySteps, { ports: agentSettings }],
  ["agent-quotes", agentQuoteSteps, {}],
  ["approvals", approvalSteps, { ports: approvalSettings }],
  ["customer-changes", customerChangeSteps, {}],
  ["verifications", verificationSteps, {}],
  ["platform", platformSteps, { ports: domainAnswers }],
  ["events", eventSteps, {}],
  ["webhook-proofs", proofSteps, { ports: proofPorts }],
  ["records", recordSteps, { before: recordsBefore }],
  ["requests", requestSteps, {}],
  ["sign-ins", signInSteps, {}],
  ["credentials", credentialSteps, {}],
  ["wallet-roots", walletRootSteps, {}],
  ["imports", importSteps, {}],
  ["worlds", worldSteps, { isAlone: true }],
  ["shared-deployment", sharedSteps, {}],
  ["external-accounts", externalAccountSteps, { ports: lateVerifier }],
  ["account-types", accountTypeSteps, { ports: strictPorts }],
] as const)("the operations of %s answer, commit and ask what their transcript says", async (name, steps, options) => {
  const file = `test/src/transcript/transcripts/${name}.txt`
  await using it = await transcriptWorld(options)
  await steps?.(it)
  const written = steps === undefined ? it.setUp : it.written()
  if (isWriting) writeFileSync(file, `${written.join("\n")}\n`)
  const expected = readFileSync(file, "utf8").trimEnd().split("\n")
  const first = written.findIndex((line, index) => line !== expected[index])
  const shown = (lines: ReadonlyArray<string>) =>
    first === -1 ? lines.length : lines.slice(Math.max(0, first - 2), first + 3)
  expect(shown(written)).toEqual(shown(expected))
})
