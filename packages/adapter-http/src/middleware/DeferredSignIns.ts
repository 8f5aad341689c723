/**
 * The operations whose first read also confirms a caller that an earlier request has shown. They change nothing before that read.
 * Source: D-495; `test/src/operation/Trips.test.ts` counts their trips.
 */
import type { HttpApiEndpoint } from "effect/http-api"

const operations: ReadonlySet<string> = new Set([
  // Of an agent
  "agentCreateTransferIn",
  "agentCreateTransferOut",
  "agentCreateQuote",
  "agentExecuteQuote",
  "agentGetAction",
  "agentGetQuote",
  "agentGetTransaction",
  "agentListInternalAccounts",
  // Of a platform
  "createTransferIn",
  "createTransferOut",
  "createQuote",
  "executeQuote",
  "getQuoteById",
  "approveAgentAction",
  "rejectAgentAction",
  "getTransactionById",
  "getCustomerById",
  "listCustomerInternalAccounts",
  "createCard",
  "getCardById",
  "verifyAuthCredential",
])

export const isSignInDeferred = ({ identifier }: HttpApiEndpoint.Top): boolean => operations.has(identifier)
