/**
 * The table of the sandbox's UMA addresses: the name before the `@` selects the scenario and the currency.
 * Spec: 4.6 (UMA destinations in sandbox); wire contract 7.4; D-251.
 */
import * as Table from "../foundation/kit/Table.ts"
import type { CurrencyCode } from "../foundation/money/Currencies.ts"
import { behaves, type QuoteBehaviour, refused } from "./QuoteSuffixes.ts"

/** What a payment to an address of the sandbox ends in. */
export interface UmaScenario {
  /** The receiving currency. */
  readonly currency: CurrencyCode
  /** The outcome of a payment to it. */
  readonly behaviour: QuoteBehaviour
}

/** The duration of a long payment. */
const longMillis = 600_000

const scenarios: { readonly [name: string]: QuoteBehaviour } = {
  success: behaves({ _tag: "Done" }),
  "pending.long": behaves({ _tag: "Done" }, { delayMillis: longMillis }),
  "fail.compliance": behaves(refused("COMPLIANCE_REJECTED")),
}

const currencies: ReadonlyArray<CurrencyCode> = ["USD", "EUR", "MXN"]

export const UmaScenarios = Table.make<Record<string, UmaScenario>>(
  "UmaScenarios",
  Object.fromEntries(
    Object.entries(scenarios).flatMap(([name, behaviour]) =>
      currencies.map((currency) => [`${name}.${currency.toLowerCase()}`, { currency, behaviour }] as const),
    ),
  ),
)
