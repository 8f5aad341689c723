/**
 * The description of an account type in sentences, for OpenAPI and the documentation.
 * Spec: ExternalAccount (accountInfo by accountType); wire contract 2.3.
 */
import type { AccountTypeRow } from "./AccountTypeRow.ts"
import { businessMinimum, individualMinimum } from "./BeneficiaryRules.ts"

/** Describes the routes of a type and the fields that its beneficiary requires. */
export const accountTypeDescription = (row: AccountTypeRow): string => {
  const hasChoice = row.routes.length > 1
  const routes = row.routes.flatMap(({ rails, requiredFields }) => {
    const by = rails.length === 0 ? "" : ` by ${rails.join(", ")}`
    return hasChoice ? [`${requiredFields.join(", ")}${by}`] : rails.length === 0 ? [] : [rails.join(", ")]
  })
  const { address, needs } = individualMinimum(row, {})
  const individualFields = needs.map((name) =>
    name === "address" && address.length > 0 ? `address (${address.join(", ")})` : name,
  )
  const isOfCountry = typeof row.country === "object" || row.beneficiary === "none"
  const [currency] = row.currencies
  return [
    row.note,
    hasChoice
      ? `${row.isExclusive === true ? "Exactly one" : "One"} of: ${routes.join("; or ")}.`
      : routes.length > 0
        ? `Reached by ${routes.join("")}.`
        : undefined,
    isOfCountry ? undefined : `An individual needs ${individualFields.join(", ")}.`,
    row.beneficiary === "none" || row.currencies.length > 2
      ? undefined
      : `A business needs ${businessMinimum(currency).join(", ")}.`,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(" ")
}
