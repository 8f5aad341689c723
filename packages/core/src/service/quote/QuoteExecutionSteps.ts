/**
 * The load and ask steps of the execution of a quote, for a platform and for an agent.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 5.5.
 */
import { Effect } from "effect"
import type { ExecutionFacts, ExecutionRecords } from "../../decision/quote/QuoteExecutionDecision.ts"
import { payloadToSign } from "../../model/quote/WalletPayload.ts"
import type { ScaFactor } from "../../model/sca/ScaProfile.ts"
import { anySessionOf, type WalletHeaders } from "../../model/wallet/SignedRequest.ts"
import type { Read } from "../../operation/Operation.ts"
import type { ScaProvider } from "../../ports/ScaProvider.ts"
import { SignedRequests } from "../wallet/SignedRequests.ts"
import { askAuthentication, loadRequiredSca } from "./QuoteChallenges.ts"
import { loadQuoteRecords } from "./QuoteReads.ts"

/** The services that `askExecution` asks. */
export type ExecutionPorts = ScaProvider | SignedRequests

/** Loads the records that an execution is decided on. Errors: `QUOTE_NOT_FOUND`. */
export const loadExecution = Effect.fnUntraced(function* <E>(read: Read<E>, quoteId: string) {
  const records = yield* loadQuoteRecords(read, quoteId)
  return { records, sca: yield* loadRequiredSca(read, records.customer) } satisfies ExecutionRecords
})

/** The request for an execution, as far as ports are asked about it. */
export interface ExecutionRequest {
  /** The id of the challenge that the execution may require. */
  readonly challengeId: string
  readonly factor?: ScaFactor | undefined
  /** The headers that sign a payment out of a wallet. Absent: the execution is not signed now. */
  readonly headers?: WalletHeaders | undefined
}

/** Asks for the challenge that the execution requires, and verifies the signature of a payment out of a wallet. */
export const askExecution = Effect.fnUntraced(function* (
  { records, sca }: ExecutionRecords,
  { challengeId, factor, headers }: ExecutionRequest,
) {
  const { accountId, receivingCurrency, sendingCurrency } = records.quote.data
  const authentication = yield* askAuthentication(sca, {
    beneficiary: records.destination,
    challengeId,
    factor,
    isExchange: sendingCurrency !== receivingCurrency,
    isPayout: records.receiver === undefined,
  })
  const payload = payloadToSign(records.quote.data)
  const signedRequests = yield* SignedRequests
  const facts: ExecutionFacts = {
    ...authentication,
    signature:
      payload === undefined || headers === undefined || accountId === undefined
        ? undefined
        : yield* signedRequests.verifyPayload({ headers, allowedSigner: anySessionOf(accountId), payload }),
  }
  return facts
})
