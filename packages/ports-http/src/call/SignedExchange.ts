/**
 * Sends a signed request, and returns the JSON of an answer that the bank has signed for this request.
 * Source: D-527.
 */
import { Outside } from "@countersign/core"
import { Effect, Result } from "effect"
import type { PortOperation } from "../contract/PortOperation.ts"
import { headerNames, isSigned } from "../signing/Signatures.ts"
import { openAgents } from "./Agents.ts"
import { Lost, post, type RawAnswer } from "./Exchange.ts"
import { answerBytesDefault, connectionsDefault, type PortOptions } from "./PortOptions.ts"
import { signedRequest } from "./SignedRequest.ts"

export const lost = (reason: string) => Effect.fail(new Lost({ reason }))

/** Returns the function that sends the body of a request of an operation. Its connections close with the scope. */
export const signedExchange = Effect.fnUntraced(function* (options: PortOptions) {
  const { answerBytesMax = answerBytesDefault, connectionsMax = connectionsDefault, secrets } = options
  const base = options.url.replace(/\/+$/u, "")
  const agents = yield* openAgents(new URL(base), connectionsMax)

  const read = (
    parse: typeof Outside.parseStorable,
    { body, signature, status }: RawAnswer,
    of: { path: string; id: string; timestamp: string },
  ) => {
    if (status !== 200) return lost(`the answer has the status ${status}`)
    const message = { direction: "answer", methodOrStatus: String(status), body, ...of } as const
    if (!isSigned(secrets, message, signature)) return lost("the signature of the answer is not valid")
    const parsed = parse(new TextDecoder().decode(body))
    return Result.isSuccess(parsed) ? Effect.succeed(parsed.success) : lost("the answer is not JSON")
  }

  return Effect.fnUntraced(function* <Q, A>(
    { carriesBytes = false, path, repetition }: PortOperation<Q, A>,
    body: Uint8Array,
  ) {
    const url = new URL(base + path)
    const { headers, of } = signedRequest(secrets, url, body)
    const agent = repetition === "again" ? agents.fresh : agents.kept
    const answer = yield* post({ url, headers, body, answerBytesMax }, agent, headerNames.signature)
    return yield* read(carriesBytes ? Outside.parseStorable : Outside.parseClean, answer, of)
  })
})
