/**
 * A world in which each request is held against its row. A request is first sent by everyone who must be refused, which must change nothing.
 * Then its owner sends it with exactly the permission of its row: it must succeed, and leave exactly the audit record of its row.
 * Source: `Row.ts`.
 */
import type { KeyPair } from "@countersign/core/crypto"
import { ConsolePermissions, OwnershipRegions } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Layer } from "effect"
import { type Harness, type HarnessOptions, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { newWallet, signIn, signing, stamp } from "../wallet/People.ts"
import { type AgentCaller, basic, bearer, type Callers, callersOf, consoleOf, type Signature } from "./Callers.ts"
import { auditedOf, fingerprintOf } from "./Fingerprint.ts"
import { agentPermissions, permissions, type Row } from "./Row.ts"
import { type Stranger, strangersOf } from "./Strangers.ts"
import { rowOf } from "./Table.ts"

export type Claim = Stranger["claim"] | "pause" | "signature" | "region" | "success" | "audit"

export interface Asked {
  readonly body?: object
  readonly form?: Readonly<Record<string, string | Blob>>
  /** Sends an idempotency key, which is another one for each request. */
  readonly isKeyed?: boolean
  /** The agent of an agent's operation; by default the world's. */
  readonly agent?: AgentCaller
  /** The key of the wallet's session that signs. */
  readonly key?: KeyPair
  /** What it signs, if an earlier answer had it instead of the 202 of this request. */
  readonly payload?: string
  /** An id of the request, and those of customers without the proof of the row: with one of them, the request is a 409. */
  readonly without?: ReadonlyArray<string>
}

/** What steps need of a world. */
export interface StepWorld {
  readonly pay: Harness
  readonly callers: Callers
  /** Sends a request as its owner, and returns the answer. A confined world holds it against its row first. */
  readonly call: (method: string, path: string, asked?: Asked) => Promise<Reply>
  /** Sends a request of the platform that prepares others; it must succeed. */
  readonly prepare: (method: string, path: string, body?: object, headers?: Signature) => Promise<Reply>
}

export interface Confined extends StepWorld, AsyncDisposable {
  /** What differs from the rows. */
  readonly problems: (claim: Claim) => ReadonlyArray<string>
  /** How often a claim was checked for an operation. */
  readonly checked: (claim: Claim) => ReadonlyMap<string, number>
}

const idsIn = (text: string): ReadonlyArray<string> => text.match(/[A-Z][A-Za-z]+:[0-9a-f]{8}-[0-9a-f-]{27}/gu) ?? []

const textOf = (body: unknown): string => JSON.stringify(body) ?? ""

/** The list of requests that were sent shows what a stranger asked for: the ids are those of its own requests. */
const isOfOwnRequests = ({ operation }: Row) => operation === "GET /sandbox/requests"

export const confinedWorld = async (
  options: HarnessOptions & { readonly isAlone?: boolean } = {},
): Promise<Confined> => {
  const { isAlone = false, ...rest } = options
  const ports = Layer.mergeAll(
    Sandbox.layer,
    Layer.succeed(ConsolePermissions, [...permissions]),
    Layer.succeed(OwnershipRegions, ["EU"]),
  )
  const pay = await harness({ tape: false, scaRegions: ["EU"], ports, ...rest })
  const callers = await callersOf(pay, { isAlone })
  const console = await consoleOf(pay)
  const stranger = await newWallet(pay, { email: "stranger@example.com" })
  const { key: strangerKey } = await signIn(pay, stranger.emailId)
  const problems = new Map<Claim, Array<string>>()
  const checked = new Map<Claim, Map<string, number>>()

  const check = (claim: Claim, { operation }: Row, isRight: boolean, what: string) => {
    const counts = checked.get(claim) ?? new Map<string, number>()
    checked.set(claim, counts.set(operation, (counts.get(operation) ?? 0) + 1))
    if (!isRight) problems.set(claim, [...(problems.get(claim) ?? []), `${operation}: ${what}`])
  }

  let keys = 0
  const headersOf = ({ isKeyed = false }: Asked): Signature => {
    keys += 1
    return isKeyed ? { "idempotency-key": `confined-${keys}` } : {}
  }

  const send = (method: string, path: string, asked: Asked, headers: Signature): Promise<Reply> =>
    pay.send(method, path, {
      as: "nobody",
      headers: { ...headersOf(asked), ...headers },
      ...(asked.body === undefined ? {} : { body: asked.body }),
      ...(asked.form === undefined ? {} : { form: asked.form }),
    })

  /** Sends from the page of the console, which sends no files. */
  const sendFromPage = async (method: string, path: string, asked: Asked, cookie: Signature) => {
    const body = asked.body === undefined ? undefined : JSON.stringify(asked.body)
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const { status, text } = await console.send(method, path, { ...headersOf(asked), ...type, ...cookie }, body)
    return { status, text }
  }

  const asStranger = async ({ headers, isOnConsole = false }: Stranger, method: string, path: string, asked: Asked) => {
    if (isOnConsole) return sendFromPage(method, path, asked, headers)
    const { body, status } = await send(method, path, asked, headers)
    return { status, text: textOf(body) }
  }

  /** Sends as everyone who must be refused. Returns a check that none of them saw what the owner sees. */
  const refuseAll = async (row: Row, path: string, asked: Asked) => {
    const request = `${path} ${textOf(asked.body)}`
    const before = await fingerprintOf(pay)
    const blind: Array<readonly [Stranger, string]> = []
    for (const one of strangersOf(row, callers)) {
      const { status, text } = await asStranger(one, row.method, path, asked)
      const isPermission = one.claim !== "permission" || text.includes("PERMISSION_MISSING")
      check(
        one.claim,
        row,
        one.expected.includes(status) && isPermission,
        `${one.who} got ${status} ${text.slice(0, 200)}`,
      )
      if (one.isBlind === true && !isOfOwnRequests(row)) blind.push([one, text])
    }
    check("tenant", row, (await fingerprintOf(pay)) === before, "a refused request changed the state")
    return (answer: string) => {
      const shown = idsIn(answer).filter((id) => !request.includes(id))
      for (const [{ claim, who }, text] of blind) {
        const seen = shown.filter((id) => text.includes(id))
        check(claim, row, seen.length === 0, `${who} saw ${seen.join(" ")}`)
      }
    }
  }

  /** An agent that lacks only the permission is refused, and a paused one may only read. */
  const refuseAgent = async (row: Row, path: string, asked: Asked) => {
    const { agent = callers.agent } = asked
    const others = agentPermissions.filter((each) => each !== row.needs)
    const without = async (claim: Claim, granted: ReadonlyArray<string>, isPaused: boolean, isRefused: boolean) => {
      await callers.setAgent(agent, granted, isPaused)
      const before = await fingerprintOf(pay)
      const { body, status } = await send(row.method, path, asked, bearer(agent))
      check(claim, row, (status === 403) === isRefused, `the agent got ${status} ${textOf(body).slice(0, 200)}`)
      check(claim, row, (await fingerprintOf(pay)) === before, `the agent changed the state with ${status}`)
    }
    if (row.needs !== "TOKEN") await without("permission", others, false, true)
    await without("pause", agentPermissions, true, row.method !== "GET")
    await callers.setAgent(agent, row.needs === "TOKEN" ? [] : [row.needs])
  }

  const ownerOf = (row: Row, { agent = callers.agent }: Asked): Signature => {
    if (row.caller === "nobody") return {}
    if (row.caller === "agent") return bearer(agent)
    return row.needs === "VIEW" || row.needs === "TRANSACT" || row.needs === "MANAGE"
      ? callers.only[row.needs].headers
      : callers.full.headers
  }

  /** A person on the console reads what its token may, as the token itself. */
  const readFromPage = async (row: Row, path: string, asked: Asked) => {
    if (!row.isForConsole || row.method !== "GET") return
    const { cookie } = row.needs === "VIEW" || row.needs === "MANAGE" ? callers.only[row.needs] : callers.full
    const { status, text } = await sendFromPage(row.method, path, asked, cookie)
    check("console", row, status === 200, `a person on the console got ${status} ${text.slice(0, 200)}`)
  }

  const auditOf = async ({ headers }: Reply): Promise<ReadonlyArray<string>> => {
    const requestId = headers.get("x-request-id") ?? ""
    return (await auditedOf(pay)).flatMap((record) => (record.requestId === requestId ? [record.operation] : []))
  }

  /** Whether a success leaves a record that not all successes leave. */
  const isRecorded = (operation: string, reply: Reply, isSigned: boolean) =>
    operation === "SIGNED_ACTION" ? isSigned : Object(reply.body).status === "PENDING_APPROVAL"

  const checkAudit = async (row: Row, reply: Reply, isSigned: boolean) => {
    const expected = row.audit.flatMap(({ isAlways, operation }) =>
      (isAlways && operation !== "SIGNED_ACTION") || isRecorded(operation, reply, isSigned) ? [operation] : [],
    )
    const found = await auditOf(reply)
    const isRight = textOf(found.toSorted()) === textOf(expected.toSorted())
    check("audit", row, isRight, `${reply.status} left ${textOf(found)} instead of ${textOf(expected)}`)
  }

  /** A customer in another region, or one that is not signed in, gets a 409. */
  const checkOutside = async (row: Row, path: string, asked: Asked, headers: Signature) => {
    const [from = "", ...others] = asked.without ?? []
    for (const to of others) {
      const body = asked.body === undefined ? {} : { body: Object(JSON.parse(textOf(asked.body).replaceAll(from, to))) }
      const before = await fingerprintOf(pay)
      const { body: answer, status } = await send(row.method, path.replaceAll(from, to), { ...asked, ...body }, headers)
      check("region", row, status === 409, `a customer without the proof got ${status} ${textOf(answer)}`)
      check("region", row, (await fingerprintOf(pay)) === before, "a customer without the proof changed the state")
    }
  }

  /** The signature of another wallet's owner, and none at all, change nothing. */
  const refuseUnsigned = async (row: Row, path: string, asked: Asked, owner: Signature, headers: Signature) => {
    const before = await fingerprintOf(pay)
    const signature = "service-wallet-signature"
    const { [signature]: _, ...unsigned } = headers
    for (const [who, wrong] of [
      ["the signature of a stranger", headers],
      ["no signature", unsigned],
    ] as const) {
      const { body, status } = await send(row.method, path, asked, { ...owner, ...wrong })
      check("signature", row, status === 401, `${who} got ${status} ${textOf(body)}`)
    }
    check("signature", row, (await fingerprintOf(pay)) === before, "a wrong signature changed the state")
  }

  /** Signs the challenges of a request, or what an earlier answer gave to sign. */
  const signAll = async (row: Row, path: string, asked: Asked, owner: Signature, first: Reply): Promise<Reply> => {
    if (asked.key === undefined) return first
    let reply = first
    while (reply.status === 202) {
      await refuseUnsigned(row, path, asked, owner, await signing(reply, strangerKey))
      reply = await send(row.method, path, asked, { ...owner, ...(await signing(reply, asked.key)) })
      await checkAudit(row, reply, true)
    }
    return reply
  }

  const ask = async (row: Row, path: string, asked: Asked, owner: Signature): Promise<Reply> => {
    const { key, payload } = asked
    if (payload !== undefined && key !== undefined) {
      const stamped = async (by: KeyPair) => ({ "service-wallet-signature": await stamp(by, payload) })
      await refuseUnsigned(row, path, asked, owner, await stamped(strangerKey))
      const reply = await send(row.method, path, asked, { ...owner, ...(await stamped(key)) })
      await checkAudit(row, reply, true)
      return reply
    }
    const first = await send(row.method, path, asked, owner)
    await checkAudit(row, first, false)
    if (row.proof === "signed") check("signature", row, first.status === 202, `the first call got ${first.status}`)
    return signAll(row, path, asked, owner, first)
  }

  const call: Confined["call"] = async (method, path, asked = {}) => {
    const row = rowOf(method, path)
    const checkBlind = await refuseAll(row, path, asked)
    if (row.caller === "agent") await refuseAgent(row, path, asked)
    const owner = ownerOf(row, asked)
    await checkOutside(row, path, asked, owner)
    await readFromPage(row, path, asked)
    const reply = await ask(row, path, asked, owner)
    const answer = textOf(reply.body)
    checkBlind(answer)
    check("success", row, reply.status < 300, `its owner got ${reply.status} ${answer.slice(0, 400)}`)
    await pay.settle()
    return reply
  }

  const prepare: Confined["prepare"] = async (method, path, body, headers) => {
    const { clientId, clientSecret } = pay.credentials
    const more = body === undefined ? {} : { body }
    const reply = await send(method, path, { ...more, isKeyed: true }, headers ?? basic(clientId, clientSecret))
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${textOf(reply.body)}`)
    await pay.settle()
    return reply
  }

  return {
    pay,
    callers,
    call,
    prepare,
    problems: (claim) => problems.get(claim) ?? [],
    checked: (claim) => checked.get(claim) ?? new Map(),
    [Symbol.asyncDispose]: async () => {
      await console.dispose()
      await pay[Symbol.asyncDispose]()
    },
  }
}
