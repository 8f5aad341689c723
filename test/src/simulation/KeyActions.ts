/**
 * Actions on idempotency keys of any age and of any client: within a day the stored response is repeated, and after that a key is new.
 * Source: wire contract 0.4; D-004.
 */
import type { KeyedRequest } from "./Answers.ts"
import { anyOf, type Client, type ClientActions } from "./ClientRequests.ts"
import { remembered } from "./QuoteActions.ts"

const keptMillis = 24 * 60 * 60 * 1000

/** Uses an expired key for a new quote. It is taken from the others first, so that no other client uses it at the same time. */
const reuse = async (client: Client, key: string, { options, path }: KeyedRequest): Promise<boolean> => {
  const { answers, under } = client
  const before = answers.byKey.get(key)
  answers.byKey.delete(key)
  answers.keyed.delete(key)
  const quote = await under(key, path, options)
  if (quote !== undefined && answers.byKey.get(key) === before)
    answers.problems.push(`${key} was answered ${before}, which had expired`)
  return remembered(client, quote)
}

export const keyActions: ClientActions = {
  "key of another client": {
    weight: 3,
    run: async (client) => {
      const { answers, pay, random, under } = client
      const now = await pay.wallNow()
      const found = anyOf(random, answers.keyed)
      if (found === undefined) return undefined
      const [key, request] = found
      const { options, path, storedAt } = request
      if (now < storedAt + keptMillis) return (await under(key, path, options)) !== undefined
      // The others are left alone: what they did must not be done again.
      return path === "/quotes" && options.as === undefined ? reuse(client, key, request) : undefined
    },
  },
}
