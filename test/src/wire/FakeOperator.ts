/** Handlers of the operator's groups that return the decoded request. */

import { Api } from "@countersign/client/api"
import { HttpApiBuilder } from "effect/http-api"
import { read } from "./FakeAnswers.ts"

export const OperatorBooks = HttpApiBuilder.group(Api, "operatorBooks", (handlers) =>
  handlers.handleAll({
    getTrialBalance: read("operatorBooks.getTrialBalance"),
    listLedgerAccounts: read("operatorBooks.listLedgerAccounts"),
    listLedgerEntries: read("operatorBooks.listLedgerEntries"),
    getLedgerTransfers: read("operatorBooks.getLedgerTransfers"),
  }),
)

export const OperatorTime = HttpApiBuilder.group(Api, "operatorTime", (handlers) =>
  handlers.handleAll({ listUpcomingJobs: read("operatorTime.listUpcomingJobs") }),
)
