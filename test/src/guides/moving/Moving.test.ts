/** The guide about moving from a hosted sandbox: one tape on two services, of which one has another base path and differs in one answer. */
import { agentHarness, harness, type Tape } from "@countersign/test"
import { expect, it } from "vitest"
import { compare } from "./Compare.ts"
import { remoteTarget } from "./RemoteTarget.ts"

const recorded = async (): Promise<Tape> => {
  await using pay = await agentHarness({}, { suffixes: ["002", "005"] })
  for (const suffix of ["002", "005"]) {
    const body = { source: { accountId: pay.sources[suffix] }, destination: { accountId: pay.accountId }, amount: 500 }
    const answer = await pay.send("POST", "/agents/me/transfer-in", { as: { token: pay.accessToken }, body })
    expect(answer.status).toBe(201)
    // Records of the same millisecond may be listed in another order elsewhere.
    await pay.clock.advance("1 second")
  }
  await pay.clock.advance("1 minute")
  await pay.send("GET", "/transactions?limit=2")
  return JSON.parse(JSON.stringify(pay.tape()))
}

/** A harness on a socket, as a remote service. */
const remote = async (options: Parameters<typeof harness>[0]) => {
  const service = await harness(options)
  const { baseUrl, [Symbol.asyncDispose]: close } = await service.serve()
  const { clientId, clientSecret } = service.credentials
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  const advance = async (millis: number) => void (await service.clock.advance(millis))
  return {
    service,
    target: remoteTarget({ baseUrl, authorization, advance }),
    [Symbol.asyncDispose]: async () => {
      await close()
      await service[Symbol.asyncDispose]()
    },
  }
}

it("a tape has the same answers on two services, whatever their identifiers", { timeout: 120_000 }, async () => {
  const tape = await recorded()
  await using first = await remote({ seed: 7 })
  await using second = await remote({ seed: 8, startsAt: "2027-03-01T08:00:00Z" })
  expect(await compare(tape, first.target, second.target)).toEqual({ onlyFirst: [], onlySecond: [], both: [] })
})

it("a tape shows where one of two services differs", { timeout: 120_000 }, async () => {
  const tape = await recorded()
  await using first = await remote({ seed: 7 })
  first.service.failNext("SERVICE_UNAVAILABLE", "GET /transactions")
  await using second = await remote({ seed: 8 })
  const found = await compare(tape, first.target, second.target)
  expect(found.onlySecond).toEqual([])
  expect(found.onlyFirst).toContainEqual(expect.objectContaining({ at: "status", recorded: 200, played: 503 }))
})
