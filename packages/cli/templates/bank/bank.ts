/**
 * A bank that answers the ports of Countersign over HTTP, on Node alone.
 *
 * It takes an order once for each reference, and keeps it in SQLite, so that a repeated reference has the same answer after a restart.
 * Orders below 1,000.00 are booked at once, those above 10,000.00 are rejected. The others are booked later and reported to the service.
 * Its variables are those of the bank in Python.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as pause } from "node:timers/promises"

const {
  BANK_BOOKS_AFTER = "5",
  BANK_DATABASE = "bank.sqlite",
  BANK_PORT = "8080",
  BANK_REPORTS_URL,
  BANK_SECRETS = "",
} = process.env
const secrets = BANK_SECRETS.split(",").filter((secret) => secret !== "")
if (secrets.length === 0) throw new Error("BANK_SECRETS is not set")
const [late, limit] = [100_000, 1_000_000]
const sixHours = 6 * 60 * 60 * 1000
const [windowSeconds, bodyBytesMax] = [300, 1024 * 1024]

type State = "ACCEPTED" | "BOOKED" | "CANCELLED" | "REJECTED"
type Request = { readonly reference: string; readonly amount: number }

const database = new DatabaseSync(BANK_DATABASE)
database.exec(
  "create table if not exists orders (reference text primary key, platform text, amount integer, state text)",
)
const selected = database.prepare("select state from orders where reference = ?")
const inserted = database.prepare("insert or ignore into orders values (?, ?, ?, ?)")
const updated = database.prepare("update orders set state = ? where reference = ? and state = 'ACCEPTED'")
const waiting = database.prepare("select reference, platform from orders where state = 'ACCEPTED'")

/** The signatures of a message, one for each secret. */
const macs = (body: Buffer | string, ...message: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = ["v1", ...message, createHash("sha256").update(body).digest("hex")].join("\n")
  return secrets.map((secret) => `v1,${createHmac("sha256", secret).update(text).digest("base64")}`)
}

const isSigned = (header: string, body: Buffer, ...message: ReadonlyArray<string>): boolean => {
  const given = header.split(" ").slice(0, 4)
  const isEqual = (own: string, each: string) =>
    own.length === each.length && timingSafeEqual(Buffer.from(own), Buffer.from(each))
  return macs(body, ...message).some((own) => given.some((each) => isEqual(own, each)))
}

const stateOf = (reference: string) => selected.get(reference)?.["state"] as State | undefined

const outcome = (state: State | undefined, now: number) => {
  // The service asks then, in case that no report arrives.
  if (state === "ACCEPTED") return { outcome: "Later", at: now + sixHours }
  if (state === "REJECTED") return { outcome: "Refused", reason: "BANK_REJECTED" }
  return { outcome: state === "CANCELLED" ? "Cancelled" : "Done" }
}

/** Books an order, and reports it until the service has taken the report. */
const book = async (reference: string, platformId: string | null): Promise<void> => {
  await pause(Number(BANK_BOOKS_AFTER) * 1000)
  updated.run("BOOKED", reference)
  const body = JSON.stringify({ platformId, report: { reference, ...outcome(stateOf(reference), 0) } })
  while (BANK_REPORTS_URL !== undefined) {
    const url = `${BANK_REPORTS_URL}/rails/outcome`
    const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))]
    const signature = macs(body, "report", "POST", new URL(url).pathname, timestamp, id).join(" ")
    const signed = { "port-request-id": id, "port-timestamp": timestamp, "port-signature": signature }
    const headers = { "content-type": "application/json", ...signed }
    const response = await fetch(url, { method: "POST", headers, body }).catch(() => undefined)
    if (response?.ok === true) return
    await pause(1000)
  }
}

const order = ({ amount, reference }: Request, platformId: string | null, now: number) => {
  const state: State = amount < late ? "BOOKED" : amount <= limit ? "ACCEPTED" : "REJECTED"
  // The first order with this reference counts, whatever a second one says.
  const isNew = inserted.run(reference, platformId, amount, state).changes === 1
  if (isNew && state === "ACCEPTED") void book(reference, platformId)
  return outcome(stateOf(reference), now)
}

const refused = { outcome: "Refused", reason: "BANK_REJECTED" }
const operations: Record<string, (request: Request, platformId: string | null, now: number) => object> = {
  "/rails/inspect-pull": () => ({ result: { pullable: true, funds: "unknown" } }),
  "/rails/pull": order,
  "/rails/push": order,
  "/rails/inquire": ({ reference }, _platformId, now) => {
    const state = stateOf(reference)
    return state === undefined ? { outcome: "NotReceived" } : outcome(state, now)
  },
  "/rails/cancel": ({ reference }) => {
    updated.run("CANCELLED", reference)
    return stateOf(reference) === "CANCELLED" ? { outcome: "Done" } : refused
  },
  "/rails/refund": ({ reference }) => (stateOf(reference) === "BOOKED" ? refused : { outcome: "Done" }),
  "/verifier/check-customer": () => ({ result: "APPROVED" }),
  "/verifier/verify-beneficiary": () => ({ outcome: "Result", status: "MATCHED" }),
  "/exchange-rates/rate": () => ({ result: null }),
  "/port-server/describe": () => ({ result: { operations: Object.keys(operations), isTest: true } }),
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) {
    chunks.push(chunk)
    if (Buffer.concat(chunks).length > bodyBytesMax) throw new Error("the body is too large")
  }
  return Buffer.concat(chunks)
}

const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await bodyOf(incoming)
  const header = (name: string) => String(incoming.headers[name] ?? "")
  const [path = "", timestamp, id] = [incoming.url, header("port-timestamp"), header("port-request-id")]
  const isKnown = isSigned(header("port-signature"), body, "request", "POST", path, timestamp, id)
  if (!isKnown || Math.abs(Date.now() / 1000 - Number(timestamp)) > windowSeconds) {
    return void response.writeHead(401).end()
  }
  const operation = operations[path]
  if (operation === undefined) return void response.writeHead(404).end()
  const { businessTime, platformId, request } = JSON.parse(body.toString())
  const echoed = request.reference === undefined ? {} : { reference: request.reference }
  const text = JSON.stringify({ ...operation(request, platformId, businessTime), ...echoed })
  const signature = macs(text, "answer", "200", path, timestamp, id).join(" ")
  response.writeHead(200, { "Content-Length": Buffer.byteLength(text), "Port-Signature": signature }).end(text)
}

for (const row of waiting.all()) void book(String(row["reference"]), row["platform"] as string | null)
const server = createServer((incoming, response) => {
  answer(incoming, response).catch(() => incoming.destroy())
})
server.listen(Number(BANK_PORT), "127.0.0.1", () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
