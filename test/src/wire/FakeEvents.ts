/** Handlers of webhooks and of the operator's events that return the decoded request. */

import { Api } from "@countersign/client/api"
import { HttpApiBuilder } from "effect/http-api"
import { read, wrote } from "./FakeAnswers.ts"

export const OperatorEvents = HttpApiBuilder.group(Api, "operatorEvents", (handlers) =>
  handlers.handleAll({
    listEvents: read("operatorEvents.listEvents"),
    getEvent: read("operatorEvents.getEvent"),
    resendEvent: wrote("operatorEvents.resendEvent", 202),
  }),
)

export const SandboxEvents = HttpApiBuilder.group(Api, "sandboxEvents", (handlers) =>
  handlers.handleAll({ sandboxSendEvent: wrote("sandboxEvents.sandboxSendEvent", 202) }),
)

export const Webhooks = HttpApiBuilder.group(Api, "webhooks", (handlers) =>
  handlers.handleAll({
    getWebhookEndpoint: read("webhooks.getWebhookEndpoint"),
    disableWebhookEndpoint: read("webhooks.disableWebhookEndpoint"),
    enableWebhookEndpoint: read("webhooks.enableWebhookEndpoint"),
    listWebhookKeys: read("webhooks.listWebhookKeys"),
    rotateWebhookKeys: wrote("webhooks.rotateWebhookKeys", 201),
    revealWebhookSecret: read("webhooks.revealWebhookSecret"),
  }),
)
