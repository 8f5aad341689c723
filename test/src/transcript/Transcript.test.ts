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
import { bookSteps, reportSteps, twoBanks } from "./BookSteps.ts"
import { approvalSteps, cancellationSteps } from "./CancellationSteps.ts"
import { debtSteps } from "./DebtSteps.ts"
import { declarationSteps } from "./DeclarationSteps.ts"
import { depositRefundSteps } from "./DepositRefundSteps.ts"
import { depositSteps } from "./DepositSteps.ts"
import { outcomeSteps } from "./OutcomeSteps.ts"
import { quoteChallengeSteps, quotePurposeSteps, twoPurposes } from "./QuoteChallengeSteps.ts"
import { internalQuoteSteps, quoteFundingSteps } from "./QuoteFundingSteps.ts"
import { changedQuoteSteps, quoteOutcomeSteps, railPullSteps } from "./QuoteOutcomeSteps.ts"
import { quoteRefusalSteps } from "./QuoteRefusalSteps.ts"
import { transcriptWorld } from "./TranscriptWorld.ts"
import { transferOutcomeSteps } from "./TransferOutcomeSteps.ts"
import { transferRuleSteps, volumeSteps, volumes } from "./TransferRuleSteps.ts"
import { wholeSteps } from "./WholeSteps.ts"

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
  ["approvals", approvalSteps, {}],
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
  ["rail-pulls", railPullSteps, { quotePull: "BANK_RAILS" }],
  ["no-pulls", railPullSteps, { quotePull: "NEVER" }],
  ["quote-purposes", quotePurposeSteps, { ports: twoPurposes }],
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
