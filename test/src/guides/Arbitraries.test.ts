/** Requests generated from the contract, sent to a service with the records that they name. */
import { agentHarness } from "@countersign/test"
import {
  knownIdsIn,
  malformed,
  problemsOfAnswer,
  problemsOfMalformed,
  requestOf,
  search,
} from "@countersign/test/arbitraries"
import { expect, it } from "vitest"

it("every generated transfer receives a response that the interface declares", async () => {
  await using pay = await agentHarness()
  const known = knownIdsIn([pay.customerId, pay.accountId, pay.sources])
  const problems = await search(requestOf("transfers.createTransferIn", { known }), async (request) => {
    const answer = await pay.send(request.method, request.path, request)
    expect(problemsOfAnswer("transfers.createTransferIn", answer)).toEqual([])
  })
  expect(problems).toEqual([])
})

it("a malformed request is rejected with all of its problems", async () => {
  await using pay = await agentHarness()
  const wrong = malformed("quotes.createQuote")
  const problems =
    wrong &&
    (await search(wrong, async (request) => {
      const answer = await pay.send(request.method, request.path, request)
      expect(problemsOfMalformed(request, answer)).toEqual([])
    }))
  expect(problems).toEqual([])
})
