/**
 * What mutation testing changes, and which tests have to notice: one row for each run.
 * Source: issue "Mutation testing"; architecture, "A table per concept".
 */

/** A room of the core: the sources that are mutated, and the tests that are run on each mutant. */
export interface Room {
  /** Under `packages/core/src`; a star stands for any part of a name, two for any folders. */
  readonly sources: ReadonlyArray<string>
  /** Under `test/src`, without `.test.ts`: fast ones, in memory. */
  readonly tests: ReadonlyArray<string>
}

export const rooms = {
  machines: {
    sources: ["**/*Machine.ts"],
    tests: ["kit/Machine", "kit/Mermaid", "kit/Reached", "proof/MachineProof", "proof/Machines"],
  },
  rules: { sources: ["kit/Rules.ts", "kit/Reached.ts"], tests: ["kit/Rules", "kit/Reached", "proof/RulesProof"] },
  account: {
    sources: ["account/*Rules.ts"],
    tests: [
      "account/ExternalAccountRules",
      "account/AccountRules",
      "account/BeneficiaryRules",
      "account/Admission",
      "account/StrictChecks",
    ],
  },
  policy: {
    sources: [
      "agent/*Rules.ts",
      "agent/Policy.ts",
      "agent/PolicyUpdate.ts",
      "agent/AgentPolicyEvaluation.ts",
      "agent/LimitsLeft.ts",
      "agent/Usage.ts",
    ],
    tests: [
      "agent/PolicyRules",
      "agent/PolicyShape",
      "agent/PolicyForm",
      "agent/PolicyUpdate",
      "agent/Evaluation",
      "agent/LimitsLeft",
      "agent/Usage",
    ],
  },
  /** These ask the store, so that their tests run a whole service in memory: few mutants, each dear. */
  policyAsked: {
    sources: ["agent/PolicyEvaluations.ts", "agent/AgentGates.ts"],
    tests: ["agent/PolicyEvaluations", "agent/HeldQuotes", "agent/Operations"],
  },
  card: { sources: ["card/*Rules.ts"], tests: ["card/CardRules", "card/CardTransactionRules"] },
  customer: { sources: ["customer/*Rules.ts"], tests: ["customer/CustomerRules"] },
  ledger: {
    sources: ["ledger/*.ts", "ports/Books.ts", "transaction/PostingChanges.ts", "transaction/ExchangeChanges.ts"],
    tests: ["ledger/TrialBalance", "ledger/LedgerAccounts", "ledger/Postings", "ledger/ExchangePostings"],
  },
  quote: { sources: ["quote/*Rules.ts"], tests: ["quote/QuoteRules", "quote/QuoteRows", "quote/QuoteTerms"] },
  receiver: { sources: ["receiver/*Rules.ts"], tests: ["receiver/WithdrawalFees"] },
  sca: { sources: ["sca/*Rules.ts"], tests: ["sca/Lockouts"] },
  time: { sources: ["time/*Rules.ts"], tests: ["time/Targets"] },
  transaction: {
    sources: ["transaction/*Rules.ts"],
    tests: ["transaction/TransferInRules", "transaction/TransferOutRules"],
  },
  wallet: {
    sources: ["wallet/*Rules.ts"],
    tests: ["wallet/Rules", "wallet/CredentialRules", "wallet/PasskeyRules", "wallet/OidcTokens"],
  },
} as const satisfies { readonly [name: string]: Room }

export type RoomName = keyof typeof rooms
