/**
 * `ExchangeRates`, `BankDirectory` and `FundingInstructions` of a server that answers over HTTP.
 * Source: ports/ExchangeRates.ts, BankDirectory.ts, FundingInstructions.ts; D-527.
 */
import type { BankDirectory, ExchangeRates, FundingInstructions } from "@countersign/core/ports"
import { Effect } from "effect"
import type { PortClient } from "../call/PortClient.ts"
import {
  bankDirectoryOperations,
  exchangeRatesOperations,
  fundingInstructionsOperations as funding,
} from "../contract/DirectoryOperations.ts"

export const exchangeRatesOverHttp = ({ ask }: PortClient): ExchangeRates["Service"] => ({
  rate: (from, to) =>
    Effect.map(ask(exchangeRatesOperations.rate, { from, to }), ({ result }) =>
      result === null
        ? undefined
        : { ...result, from, to, numerator: BigInt(result.numerator), denominator: BigInt(result.denominator) },
    ),
})

export const bankDirectoryOverHttp = ({ ask }: PortClient): BankDirectory => ({
  find: (filter) => Effect.map(ask(bankDirectoryOperations.find, filter), ({ result }) => result),
})

export const fundingInstructionsOverHttp = ({ ask }: PortClient): (typeof FundingInstructions)["Service"] => ({
  forPayment: (request) => Effect.map(ask(funding.forPayment, request), ({ result }) => result),
  forAccount: (request) => Effect.map(ask(funding.forAccount, request), ({ result }) => result),
  collectionAccount: (request) => ask(funding.collectionAccount, request),
})
