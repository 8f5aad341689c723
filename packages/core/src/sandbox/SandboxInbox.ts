/**
 * The inboxes of a sandbox, in memory: of each platform the latest messages, bounded in number, in size and in rate.
 * Source: D-473.
 */
import { Layer } from "effect"
import type { InboxAnswers, InboxMessage } from "../model/inbox/InboxResource.ts"
import { sandboxOnly } from "../ports/SandboxOnly.ts"
import { type KeptMessage, WebhookInbox } from "../ports/WebhookInbox.ts"
import * as ChangeSignal from "../store/ChangeSignal.ts"

/** Of one platform. */
const messagesMax = 100
/** Characters of one platform's messages together. */
const charactersMax = 2_000_000
/** Messages of one platform in one second. */
const perSecondMax = 50

interface Kept {
  number: number
  messages: ReadonlyArray<KeptMessage>
  answers: InboxAnswers | undefined
  second: number
  inSecond: number
}

const charactersOf = ({ body, headers }: InboxMessage): number =>
  body.length + Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)

/** The newest of these messages that fit into the bounds. */
const bounded = (messages: ReadonlyArray<KeptMessage>): ReadonlyArray<KeptMessage> => {
  let characters = 0
  let first = messages.length
  while (first > 0 && messages.length - first < messagesMax) {
    const next = messages[first - 1]
    if (next === undefined) break
    characters += charactersOf(next.message)
    if (characters > charactersMax) break
    first -= 1
  }
  return messages.slice(first)
}

/** Returns inboxes without messages. */
export const make = (): WebhookInbox => {
  const platforms = new Map<string, Kept>()
  const changes = ChangeSignal.make()
  const keptOf = (platformId: string): Kept => {
    const known = platforms.get(platformId)
    if (known !== undefined) return known
    const kept: Kept = { number: 0, messages: [], answers: undefined, second: 0, inSecond: 0 }
    platforms.set(platformId, kept)
    return kept
  }
  const changed = (platformId: string) => changes.changed(platformId, new Set(["inbox"]))
  return {
    admit: (platformId, wallNow) => {
      const kept = keptOf(platformId)
      const second = Math.floor(wallNow / 1000)
      if (kept.second !== second) {
        kept.second = second
        kept.inSecond = 0
      }
      kept.inSecond += 1
      return kept.inSecond <= perSecondMax
    },
    add: (platformId, message) => {
      const kept = keptOf(platformId)
      kept.number += 1
      kept.messages = bounded([...kept.messages, { number: kept.number, message }])
      changed(platformId)
    },
    of: (platformId) => platforms.get(platformId)?.messages ?? [],
    clear: (platformId) => {
      keptOf(platformId).messages = []
      changed(platformId)
    },
    answerNext: (platformId, answers) => {
      keptOf(platformId).answers = answers
      changed(platformId)
    },
    nextAnswers: (platformId) => platforms.get(platformId)?.answers,
    takeAnswer: (platformId) => {
      const kept = keptOf(platformId)
      const { answers } = kept
      if (answers !== undefined) {
        kept.answers = answers.count > 1 ? { ...answers, count: answers.count - 1 } : undefined
      }
      return answers
    },
    watch: (platformId, onChange) => changes.watch(platformId, onChange),
  }
}

/** Provides `WebhookInbox` in memory, which ends with the process. */
export const layer = Layer.sync(WebhookInbox, make).pipe(sandboxOnly("SandboxInbox"))
