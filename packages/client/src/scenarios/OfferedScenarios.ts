/**
 * The scenarios that a running sandbox offers, with what they make. One whose purpose is a secret, such as the key of a session, is not among
 * them: a server answers ids alone.
 * Source: D-472.
 */
import type { ScenarioName } from "./Scenarios.ts"

export const OfferedScenarios = {
  demo: {
    title: "A platform at work",
    description: "Two customers with money and history, an agent that acts by itself, and one that waits for approval.",
    makes: ["2 customers", "2 agents", "1 payment", "1 action that waits for approval"],
  },
  "agent-waiting-for-approval": {
    title: "A payroll agent waiting for approval",
    description: "A customer's agent requested a transfer, which its policy holds until the platform decides.",
    makes: ["1 customer", "1 agent", "1 action that waits for approval"],
  },
  "card-programme": {
    title: "A card programme",
    description: "Two cards of a customer, one of them frozen, and purchases in each of their states.",
    makes: ["1 customer", "2 cards", "4 card transactions: authorized, partly settled, settled and refunded"],
  },
  "payments-in-every-state": {
    title: "Payments in every state",
    description: "Payments in, out and abroad that were delivered, refused or refunded, or are under way.",
    makes: ["1 customer", "8 payments", "1 open quote", "8 external accounts"],
  },
  "customers-in-every-state": {
    title: "Customers in every state of onboarding",
    description: "People and businesses whose checks are approved, pending or rejected, or ask for more.",
    makes: ["4 people", "4 businesses"],
  },
  "failing-webhooks": {
    title: "A platform with failing webhooks",
    description:
      "Switches on a fault that answers most webhooks with 503, and makes events. Without an endpoint of your own, the inbox becomes it. The fault stays on until it is switched off.",
    makes: ["1 customer", "3 deposits", "1 payment", "deliveries that fail and are tried again"],
  },
} as const satisfies {
  readonly [Name in ScenarioName]?: {
    readonly title: string
    readonly description: string
    readonly makes: ReadonlyArray<string>
  }
}

/** The name of a scenario that a running sandbox offers. */
export type OfferedScenario = keyof typeof OfferedScenarios
