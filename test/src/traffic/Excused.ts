/**
 * The documented statuses that no test reaches, each with the reason why a caller of the tests cannot cause it.
 * Source: D-366, D-383.
 */

/** By reason: `METHOD path status`. */
const byReason: Readonly<Record<string, ReadonlyArray<string>>> = {
  "The public description lists 405, and both methods of this path exist: other methods of it are not operations of the document.":
    ["GET /customers 405", "POST /customers 405"],
  "The public description lists 501, and no kind of customer is missing (D-383).": ["POST /customers 501"],
  "The public description lists 424, and a tied credential changes in the same commit as its customer (D-383).": [
    "PATCH /customers/{customerId} 424",
  ],
  "The public description lists both, and no counterparty protocol takes part in the lookup of an external account (D-383).":
    ["GET /receiver/external-account/{accountId} 412", "GET /receiver/external-account/{accountId} 424"],
}

export const excused: ReadonlyArray<string> = Object.values(byReason).flat()
