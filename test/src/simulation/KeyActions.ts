/**
 * Actions on idempotency keys of any age and of any client: within a day the stored response is repeated, and after that a key is new.
 * Source: wire contract 0.4; D-004.
 */
import { anyOf, type Client, type ClientActions } from "./ClientRequests.ts"
import { remembered } from "./QuoteActions.ts"

const keptMillis = 24 * 60 * 60 * 1000

/** Uses an expired key for a new quote. The others are left alone: what they did must not be done again. */
const reuse = async (client: Client, key: string): Promise<boolean> => {
  const { answers, under } = client
  const { options, path } = answers.keyed.get(key) ?? { options: {}, path: "" }
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
      const found = anyOf(random, answers.keyed)
      if (found === undefined) return undefined
      const [key, { options, path, storedAt }] = found
      const isKept = (await pay.wallNow()) < storedAt + keptMillis
      if (isKept) return (await under(key, path, options)) !== undefined
      return path === "/quotes" && options.as === undefined ? reuse(client, key) : undefined
    },
  },
}
