/** Requests to the worlds of a sandbox, and what can be seen of a world over the interface. */
import type { WorldFile, WorldListResponse, WorldState } from "@countersign/core/models"
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"

const expectStatus = async (status: number, reply: Promise<Reply>): Promise<unknown> => {
  const { body, status: actual } = await reply
  if (actual !== status) throw new Error(`${actual} ${JSON.stringify(body)}`)
  return body
}

export const list = async (pay: Pick<Harness, "send">) =>
  (await expectStatus(200, pay.send("GET", "/sandbox/worlds"))) as WorldListResponse
export const save = (pay: Pick<Harness, "send">, name: string, more: object = {}) =>
  expectStatus(201, pay.send("POST", "/sandbox/worlds", { body: { name, ...more } }))
export const fork = (pay: Pick<Harness, "send">, name: string) =>
  expectStatus(201, pay.send("POST", "/sandbox/worlds/fork", { body: { name } }))
export const load = async (pay: Pick<Harness, "send">, name: string) =>
  (await expectStatus(200, pay.send("POST", `/sandbox/worlds/${name}/load`))) as WorldState
export const reset = async (pay: Pick<Harness, "send">) =>
  (await expectStatus(200, pay.send("POST", "/sandbox/world/reset"))) as WorldState
export const fileOf = async (pay: Pick<Harness, "send">, name: string) =>
  (await expectStatus(200, pay.send("GET", `/sandbox/worlds/${name}/file`))) as WorldFile
export const importFile = (pay: Pick<Harness, "send">, file: object) =>
  pay.send("POST", "/sandbox/worlds/import", { body: file })

const pages = [
  "/customers?limit=100",
  "/internal-accounts?limit=100",
  "/platform/internal-accounts",
  "/transactions?limit=100",
  "/agents?limit=100",
  "/operator/events?limit=100",
  "/operator/jobs?limit=100",
  "/operator/books/trial-balance",
  "/operator/books/accounts?limit=100",
  "/config",
  "/webhooks/endpoint",
]

/** Everything that lists and balances show, with how far the clock is ahead. The audit is not part of it: it records each load. */
export const seen = async (pay: Pick<Harness, "send">) => {
  const bodies = await Promise.all(pages.map(async (page) => [page, (await pay.send("GET", page)).body]))
  const { aheadMillis } = (await pay.send("GET", "/sandbox/clock")).body as { readonly aheadMillis: number }
  return { ...Object.fromEntries(bodies), aheadMillis }
}
