/** The typed client of the guide calls a server, repeats a call safely, and reads a refusal. */
import { ApiError, makeClient } from "@countersign/client"
import { named } from "@countersign/test"
import { expect, it } from "vitest"

it("pulls once with one key, and explains a refusal", async () => {
  await using pay = await named("agent-waiting-for-approval")
  await using server = await pay.serve()
  const { baseUrl } = server
  const { accessToken, accountId, sourceId } = pay.handles

  const agent = makeClient({ baseUrl, credentials: { accessToken } })
  const pull = (amount: number, key: string) =>
    agent.agentsMe.agentCreateTransferIn({
      // The key makes a repetition safe: it gets the first answer, and no second transfer is made.
      headers: { "idempotency-key": key },
      payload: { source: { accountId: sourceId }, destination: { accountId }, amount },
    })

  const first = await pull(500, "order-17")
  expect(await pull(500, "order-17")).toEqual(first)

  const refused = await pull(90_000, "order-18").catch((error: unknown) => error)
  if (!(refused instanceof ApiError)) throw refused
  // The code decides, the details are for a program, the message is for a person.
  expect(refused).toMatchObject({ status: 403, code: "FORBIDDEN", details: { limit: "perTransactionLimit" } })
  expect(refused.message).toMatch(/limit/u)
  expect(refused.requestId).toBeTypeOf("string") // names the request in the service's log
})
