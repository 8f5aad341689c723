/** A service with a name of its own, and everything that leaves it: answers, webhooks, the document and its page. */
import { ServiceElements } from "@countersign/core/models"
import type { Send } from "../../../packages/test/src/harness/Harness.ts"
import { type QuoteHarness, quoteHarness } from "../../../packages/test/src/harness/QuoteHarness.ts"
import type { WorldOptions } from "../../../packages/test/src/harness/World.ts"

export interface NamedService extends QuoteHarness {
  /** The texts that have left so far, each with where it was. */
  readonly left: () => Promise<ReadonlyArray<readonly [where: string, text: string]>>
}

const email = "ada@example.com"

/** Starts the service of this name, with a customer who has a wallet. */
export const namedService = async (serviceName: string, options: WorldOptions = {}): Promise<NamedService> => {
  const pay = await quoteHarness({ ...options, serviceName }, { email })
  const headers: Array<readonly [string, string]> = []
  const send = async (method: string, path: string, more?: Send) => {
    const reply = await pay.send(method, path, more)
    headers.push([`headers of ${method} ${path}`, JSON.stringify([...reply.headers])])
    return reply
  }
  const pageOf = async (path: string) => {
    const response = await pay.fetch(new URL(path, pay.baseUrl))
    return [path, `${JSON.stringify([...response.headers])} ${await response.text()}`] as const
  }
  return {
    ...pay,
    send,
    left: async () => [
      ...headers,
      ...pay
        .tape()
        .steps.flatMap((step) =>
          step._tag === "Call"
            ? [[`${step.method} ${step.path} ${step.answer.status}`, JSON.stringify(step.answer)] as const]
            : [],
        ),
      ...pay.inbox.received.map(({ body, headers: sent, type }) => [type, `${JSON.stringify(sent)} ${body}`] as const),
      await pageOf("/openapi.json"),
      await pageOf("/docs"),
      await pageOf("/docs/static"),
    ],
  }
}

/** The elements in a text under their default names, in any case. */
export const defaultNamesIn = (text: string): ReadonlyArray<string> => {
  const lower = text.toLowerCase()
  return ServiceElements.keys.filter((element) => lower.includes(element.toLowerCase()))
}
