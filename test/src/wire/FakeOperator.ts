/** Handlers of the operator's groups that return the decoded request. */

import { Api } from "@countersign/client/api"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { noContent, read, wrote } from "./FakeAnswers.ts"

export const OperatorBooks = HttpApiBuilder.group(Api, "operatorBooks", (handlers) =>
  handlers.handleAll({
    getTrialBalance: read("operatorBooks.getTrialBalance"),
    listLedgerAccounts: read("operatorBooks.listLedgerAccounts"),
    listLedgerEntries: read("operatorBooks.listLedgerEntries"),
    getLedgerTransfers: read("operatorBooks.getLedgerTransfers"),
    getReconciliation: read("operatorBooks.getReconciliation"),
  }),
)

export const OperatorRecords = HttpApiBuilder.group(Api, "operatorRecords", (handlers) =>
  handlers.handleAll({
    listRecords: read("operatorRecords.listRecords"),
    findRecords: read("operatorRecords.findRecords"),
    getRecord: read("operatorRecords.getRecord"),
  }),
)

export const SandboxRequests = HttpApiBuilder.group(Api, "sandboxRequests", (handlers) =>
  handlers.handleAll({
    sandboxListRequests: read("sandboxRequests.sandboxListRequests"),
    sandboxGetRequest: read("sandboxRequests.sandboxGetRequest"),
    sandboxGetRequestTape: read("sandboxRequests.sandboxGetRequestTape"),
    sandboxSendRequest: wrote("sandboxRequests.sandboxSendRequest", 200),
  }),
)

export const OperatorPolicies = HttpApiBuilder.group(Api, "operatorPolicies", (handlers) =>
  handlers.handleAll({ compareAgentPolicy: wrote("operatorPolicies.compareAgentPolicy", 200) }),
)

export const OperatorTime = HttpApiBuilder.group(Api, "operatorTime", (handlers) =>
  handlers.handleAll({ listUpcomingJobs: read("operatorTime.listUpcomingJobs") }),
)

export const OperatorChanges = HttpApiBuilder.group(Api, "operatorChanges", (handlers) =>
  handlers.handleAll({
    watchChanges: () => Effect.succeed(HttpServerResponse.text("retry: 1\n\n", { contentType: "text/event-stream" })),
  }),
)

export const SandboxInbox = HttpApiBuilder.group(Api, "sandboxInbox", (handlers) =>
  handlers.handleAll({
    sandboxGetInbox: read("sandboxInbox.sandboxGetInbox"),
    sandboxOpenInbox: wrote("sandboxInbox.sandboxOpenInbox", 200),
    sandboxListInboxMessages: read("sandboxInbox.sandboxListInboxMessages"),
    sandboxGetInboxMessage: read("sandboxInbox.sandboxGetInboxMessage"),
    sandboxClearInbox: noContent,
    sandboxAnswerInbox: noContent,
  }),
)
