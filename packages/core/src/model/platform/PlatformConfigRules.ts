/**
 * The rules of a platform's configuration that a schema of single fields cannot check.
 * Source: wire contract 5.8 and 5.12.
 */
import type { FieldProblem } from "../../foundation/errors/FieldProblems.ts"
import { invalidInput, type Refusal } from "../../foundation/errors/ServiceError.ts"
import { repeatedIndexes } from "../../foundation/kit/Repeated.ts"
import type { Platform } from "./Platform.ts"
import type { PlatformConfigUpdateRequest } from "./PlatformConfigResource.ts"

/** The currency of fixed fees. Source: wire contract 5.8. */
const feeCurrency = "USD"

const configProblems = ({
  feeConfigs = [],
  supportedCurrencies = [],
}: PlatformConfigUpdateRequest): ReadonlyArray<FieldProblem> => [
  ...repeatedIndexes(supportedCurrencies.map(({ currencyCode }) => currencyCode)).map((index) => ({
    field: `supportedCurrencies.${index}.currencyCode`,
    message: "must not repeat an earlier currency",
  })),
  ...supportedCurrencies.flatMap(({ maxAmount, minAmount }, index) =>
    minAmount > maxAmount
      ? [{ field: `supportedCurrencies.${index}.minAmount`, message: "must not be above maxAmount" }]
      : [],
  ),
  ...repeatedIndexes(feeConfigs.map(({ feeType, sourceCurrency }) => `${feeType} ${sourceCurrency}`)).map((index) => ({
    field: `feeConfigs.${index}.sourceCurrency`,
    message: "must not repeat an earlier fee",
  })),
]

/** Maximum characters of a configuration as JSON, so that a response with it stays below 64 KiB. All currencies with all fields fit. */
const configLengthMax = 48_000

/** Returns why a configuration is refused after its update, or `undefined`. */
export const configSizeRefusal = (platform: Platform): Refusal | undefined =>
  JSON.stringify(platform).length <= configLengthMax
    ? undefined
    : invalidInput([{ field: "body", message: `must leave a configuration of at most ${configLengthMax} characters` }])

/** Returns why an update of the configuration is refused, or `undefined`. */
export const configRefusal = (update: PlatformConfigUpdateRequest): Refusal | undefined => {
  const problems = configProblems(update)
  if (problems.length > 0) return invalidInput(problems)
  return (update.feeConfigs ?? []).some(({ fixedFee }) => fixedFee.currency !== feeCurrency)
    ? { code: "NOT_IMPLEMENTED", message: `A fixed fee must be in ${feeCurrency}.` }
    : undefined
}
