/**
 * What an operator can find out about a server of ports before it is used: it is reached, both sides verify signatures, the clocks agree, and
 * it knows the operations. Nothing is asked that acts.
 * Source: D-534.
 */
import { randomBytes } from "node:crypto"
import type { PortCheck, PortFinding } from "@countersign/core/ports"
import { Effect, Redacted } from "effect"
import { portServerOperations } from "../contract/PortServerOperations.ts"
import { headerNames, isSigned, type PortSecrets } from "../signing/Signatures.ts"
import { openAgents } from "./Agents.ts"
import { post } from "./Exchange.ts"
import { answerBytesDefault, type PortOptions } from "./PortOptions.ts"
import {
  answerFinding,
  clockFinding,
  type Described,
  lostFinding,
  operationsFinding,
  strangerFinding,
} from "./PortServerFindings.ts"
import { processClock, signedRequest } from "./SignedRequest.ts"

const { path } = portServerOperations.describe

/** Returns the checks of a port of the server. All ports share those of the server itself, and one question. */
export const portServerChecks = Effect.fnUntraced(function* ({ secrets, url }: PortOptions) {
  const agents = yield* openAgents(new URL(url), 2)
  const ask = Effect.fnUntraced(function* (keys: PortSecrets) {
    const target = new URL(url.replace(/\/+$/u, "") + path)
    const sentAt = processClock.currentTimeMillisUnsafe() / 1000
    const body = new TextEncoder().encode(
      JSON.stringify({ platformId: null, businessTime: processClock.currentTimeMillisUnsafe(), request: {} }),
    )
    const { headers, of } = signedRequest(keys, target, body)
    const request = { url: target, headers, body, answerBytesMax: answerBytesDefault }
    const answer = yield* post(request, agents.fresh, headerNames.signature)
    const message = { direction: "answer", methodOrStatus: String(answer.status), body: answer.body, ...of } as const
    return { ...answer, sentAt, isSigned: isSigned(secrets, message, answer.signature) }
  })
  const own = yield* Effect.cached(ask(secrets))
  const finding = (of: (answer: Described) => PortFinding) =>
    Effect.match(own, { onSuccess: of, onFailure: lostFinding })
  const stranger = Effect.suspend(() => ask([Redacted.make(randomBytes(32).toString("hex"))]))
  const shared: ReadonlyArray<PortCheck> = [
    { name: "ports server", run: finding(answerFinding) },
    { name: "ports clock", run: finding(clockFinding) },
    {
      name: "ports signature",
      run: Effect.match(stranger, { onSuccess: strangerFinding, onFailure: lostFinding }),
    },
  ]
  return (operations: Readonly<Record<string, { readonly path: string }>>) => {
    const paths = Object.values(operations).map((operation) => operation.path)
    const [name = ""] = (paths[0] ?? "").split("/").slice(1)
    return [...shared, { name: name.slice(0, 16), run: finding(operationsFinding(paths)) }]
  }
})
