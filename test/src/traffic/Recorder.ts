/**
 * Checks every answer that a process of the tests sends, and notes it, in the folder of the run: once for each operation, status and code.
 * Source: D-366.
 */
import { subscribe } from "node:diagnostics_channel"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { serviceNameDefault } from "@countersign/core/names"
// Every test file loads this one, and few need all of the adapter.
import { answerChannelName, type PublishedAnswer } from "../../../packages/adapter-http/src/middleware/AnswerChannel.ts"
import type { JsonObject } from "../../../packages/adapter-http/src/server/Json.ts"
import { readDocument, trafficFolder } from "./Document.ts"
import { messagesOf, problemsOfMessages, withoutValues } from "./Messages.ts"
import { type TrafficCheck, trafficCheck } from "./TrafficCheck.ts"

/** Receivers of the tests publish the webhooks of services with the default name here. */
const webhookChannelName = "countersign:test:webhook"

/** One line of the folder: an answer of a kind that this process had not sent before. */
export interface Noted {
  readonly operation: string
  readonly status: number
  readonly code: string | undefined
  readonly serviceName: string
  readonly problems: ReadonlyArray<string>
}

/** Another line: the text of a refusal, or of one of its fields. */
export interface NotedMessage {
  readonly message: string
}

const errorOf = ({ body, contentType, status }: PublishedAnswer): unknown =>
  status < 400 || body === undefined || contentType?.startsWith("application/json") !== true
    ? undefined
    : JSON.parse(new TextDecoder().decode(body))

const codeOf = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined

/** What answers are held against, and where a line of them is kept. */
export interface RunRecord {
  readonly document: () => JsonObject
  readonly append: (line: string) => void
}

/** The folder of the run. */
const ofTheRun = (): RunRecord => {
  const file = join(trafficFolder, `${process.pid}-${performance.timeOrigin}.jsonl`)
  return { document: readDocument, append: (line) => appendFileSync(file, `${line}\n`) }
}

/** Starts to check answers; `onProblems` gets what is wrong with one. */
export const record = (
  onProblems: (problems: ReadonlyArray<string>) => void,
  isReal = () => true,
  { append, document } = ofTheRun(),
): void => {
  const seen = new Set<string>()
  let check: TrafficCheck | undefined
  const checked = (): TrafficCheck => {
    check ??= trafficCheck(document())
    return check
  }
  const write = (noted: Noted | NotedMessage): void => {
    const line = JSON.stringify(noted)
    if (seen.has(line)) return
    seen.add(line)
    append(line)
  }
  const note = (noted: Noted): void => {
    if (noted.problems.length > 0) onProblems(noted.problems)
    write(noted)
  }
  /** The service's own texts are real, also where a fake service has decided. */
  const noteMessages = (error: unknown): ReadonlyArray<string> => {
    const messages = messagesOf(error)
    if (messages === undefined) return []
    for (const text of [messages.message, ...messages.fields.map(({ message }) => message)])
      write({ message: withoutValues(text) })
    return problemsOfMessages(messages)
  }
  subscribe(answerChannelName, (message) => {
    const answer = message as PublishedAnswer
    const error = errorOf(answer)
    const problemsOfTexts = noteMessages(error)
    if (!isReal()) return
    const { operation, problems } = checked().answer(answer)
    if (operation === undefined) return
    const { serviceName, status } = answer
    note({ operation, status, code: codeOf(error), serviceName, problems: [...problems, ...problemsOfTexts] })
  })
  subscribe(webhookChannelName, (message) => {
    const event = message as { readonly type: string }
    const problems = checked().webhook(event)
    note({
      operation: `webhook ${event.type}`,
      status: 200,
      code: undefined,
      serviceName: serviceNameDefault,
      problems,
    })
  })
}
