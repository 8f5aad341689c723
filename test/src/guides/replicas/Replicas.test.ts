/**
 * The guide about replicas: three processes behind a balancer, one of which is killed and one is stopped, lose no request and pay nothing twice.
 * Source: docs/guides/replicas.md.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { textAt } from "../../e2e/Client.ts"
import { eventually } from "../../e2e/Deadline.ts"
import { balanceOf, credentialOptions, newCustomer, newSource, platformAt } from "../../e2e/Flow.ts"
import { newDatabase } from "../../e2e/ServerDatabase.ts"
import { startServer } from "../../e2e/ServerProcess.ts"
import { roundRobin } from "./RoundRobin.ts"

const webhookKey = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString()

it("three replicas behind a balancer lose no payment when one is killed and one is stopped", {
  timeout: 180_000,
}, async () => {
  await using database = await newDatabase()
  const env = { COUNTERSIGN_WEBHOOK_KEY: webhookKey, COUNTERSIGN_WALLET_SECRET: randomBytes(32).toString("hex") }
  const options = [...credentialOptions, ...database.options, "--trusted-proxy", "127.0.0.1"]
  const start = () => startServer({ options, env })
  await using first = await start()
  await using second = await start()
  await using third = await start()
  const balancer = roundRobin([first, second, third].map(({ port }) => ({ host: "127.0.0.1", port }))).listen(
    0,
    "127.0.0.1",
  )
  await once(balancer, "listening")
  const { port } = balancer.address() as AddressInfo
  const platform = platformAt(`http://127.0.0.1:${port}${new URL(first.base).pathname}`)

  const customer = await newCustomer(platform)
  const source = await newSource(platform, customer)
  const pay = async (index: number) => {
    const body = { source: { accountId: source }, destination: { accountId: customer.accountId }, amount: 100 + index }
    const answer = await platform("POST", "/transfer-in", { body, headers: { "idempotency-key": `invoice-${index}` } })
    expect(answer.status).toBe(201)
    return textAt(answer, "id")
  }
  const numbers = (from: number) => Array.from({ length: 20 }, (_, index) => from + index)

  const killed = numbers(0).map(pay)
  first.kill()
  const stopped = numbers(20).map(pay)
  third.terminate()
  const ids = await Promise.all([...killed, ...stopped, ...numbers(40).map(pay)])
  expect(await third.exited).toEqual({ code: 0, signal: null })
  expect(new Set(ids).size).toBe(60)
  // A repetition has the stored answer, whichever replica gets it.
  expect(await Promise.all(numbers(0).map(pay))).toEqual(ids.slice(0, 20))

  const total = 60 * 100 + (60 * 59) / 2
  await eventually(
    "the payments",
    () => balanceOf(platform, customer),
    (balance) => balance === total,
  )
  balancer.close()
})
