/**
 * The rooms of mutation testing: one row per run, with the sources that are mutated and the tests that must detect it.
 * Source: architecture, "One table per concept; everything else is derived".
 */

export type PackageName =
  | "core"
  | "adapter-memory"
  | "adapter-http"
  | "adapter-bank-files"
  | "adapter-keys"
  | "adapter-messages"
  | "adapter-postgres"
  | "adapter-rates"
  | "adapter-s3"
  | "adapter-sftp"
  | "cli"
  | "client"
  | "ports-http"

/** The sources that are mutated, and the tests that are run on each mutant. */
export interface Room {
  /** The package of the sources; the core by default. */
  readonly package?: PackageName
  /** Under the package's `src`; a star stands for any part of a name, two for any folders. */
  readonly sources: ReadonlyArray<string>
  /** Paths under `test/src`, without `.test.ts`; only fast tests in memory, but where `needsProcesses`. */
  readonly tests: ReadonlyArray<string>
  /** Runs the files as `npm test` does, with databases and processes: seconds to a minute for each mutant. */
  readonly needsProcesses?: boolean
}

export const rooms = {
  machines: {
    sources: ["**/*Machine.ts"],
    tests: ["kit/Machine", "kit/Mermaid", "kit/Coverage", "proof/MachineProof", "proof/Machines"],
  },
  rules: {
    sources: ["foundation/kit/Rules.ts", "foundation/kit/Coverage.ts"],
    tests: ["kit/Rules", "kit/Coverage", "proof/RulesProof"],
  },
  account: {
    sources: ["model/account/*Rules.ts"],
    tests: [
      "account/ExternalAccountRules",
      "account/AccountInfoRules",
      "account/BeneficiaryRules",
      "account/AccountValidation",
      "account/StrictChecks",
    ],
  },
  policy: {
    sources: [
      "model/agent/*Rules.ts",
      "model/agent/Policy.ts",
      "decision/agent/PolicyUpdate.ts",
      "decision/agent/AgentPolicyEvaluation.ts",
      "decision/approval/RecordedFacts.ts",
      "model/agent/RemainingLimits.ts",
      "model/agent/Usage.ts",
    ],
    tests: [
      "agent/PolicyRules",
      "agent/PolicyShape",
      "agent/PolicyForm",
      "agent/PolicyUpdate",
      "agent/Evaluation",
      "agent/RemainingLimits",
      "agent/Usage",
      "agent/RecordedFacts",
    ],
  },
  votes: {
    sources: ["model/approval/*Rules.ts"],
    tests: ["approval/ApprovalRowRules", "approval/VoteRules"],
  },
  /** These ask the store, so that their tests run a whole service in memory: few mutants, each expensive. */
  policyAsked: {
    sources: [
      "decision/approval/PolicyEvaluationDecision.ts",
      "decision/approval/EvaluationRows.ts",
      "decision/approval/PolicyComparisonDecision.ts",
      "decision/agent/AgentAccess.ts",
      "service/approval/PolicyEvaluations.ts",
      "service/approval/PolicyComparisons.ts",
      "service/agent/AgentLoads.ts",
    ],
    tests: ["agent/PolicyEvaluations", "agent/PolicyComparisons", "agent/HeldQuotes", "agent/Operations"],
  },
  card: {
    sources: ["model/card/*Rules.ts"],
    tests: ["card/CardRules", "card/CardTransactionRules", "card/DelegationRules"],
  },
  customer: { sources: ["model/customer/*Rules.ts"], tests: ["customer/CustomerRules"] },
  ledger: {
    sources: [
      "store/LedgerAccounts.ts",
      "store/TrialBalance.ts",
      "store/Books.ts",
      "decision/ledger/PostingChanges.ts",
      "decision/transaction/ExchangeChanges.ts",
    ],
    tests: ["ledger/TrialBalance", "ledger/LedgerAccounts", "ledger/Postings", "ledger/ExchangePostings"],
  },
  names: {
    sources: ["foundation/names/*.ts"],
    tests: ["names/ServiceElements", "names/Respelling", "names/InterfaceElements"],
  },
  invitation: {
    sources: ["model/invitation/*Rules.ts", "model/invitation/Invitation.ts"],
    tests: ["invitation/Rules"],
  },
  platform: { sources: ["model/platform/*Rules.ts"], tests: ["platform/PlatformConfigRules"] },
  quote: { sources: ["model/quote/*Rules.ts"], tests: ["quote/QuoteRules", "quote/QuoteRows", "quote/QuoteTerms"] },
  receiver: { sources: ["model/receiver/*Rules.ts"], tests: ["receiver/WithdrawalFees"] },
  sca: { sources: ["model/sca/*Rules.ts"], tests: ["sca/Lockouts"] },
  bulk: {
    sources: ["model/bulk/ImportHeader.ts", "model/bulk/ImportRow.ts", "decision/bulk/*.ts"],
    tests: ["bulk/BulkImports", "bulk/Crashes"],
  },
  document: { sources: ["model/document/*Rules.ts"], tests: ["document/Documents"] },
  stablecoin: {
    sources: ["model/stablecoin/*Rules.ts", "model/stablecoin/StablecoinAmount.ts"],
    tests: ["stablecoin/Rules", "stablecoin/Amounts"],
  },
  time: { sources: ["model/time/*Rules.ts"], tests: ["time/Targets"] },
  transaction: {
    sources: ["model/transaction/*Rules.ts"],
    tests: ["transaction/TransferInRules", "transaction/TransferOutRules"],
  },
  wallet: {
    sources: ["model/wallet/*Rules.ts"],
    tests: [
      "wallet/Rules",
      "wallet/CredentialRules",
      "wallet/PasskeyRules",
      "wallet/OidcTokens",
      "wallet/WalletRootChanges",
    ],
  },
} as const satisfies { readonly [name: string]: Room }

export type RoomName = keyof typeof rooms
