/** The inboxes of a sandbox: how many messages they keep and admit, and how they answer. Source: D-473. */
import type { InboxMessage } from "@countersign/core/models"
import { SandboxInbox } from "@countersign/core/sandbox"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const messageOf = (id: number, body = "", headers: InboxMessage["headers"] = {}): InboxMessage => ({
  id: String(id),
  receivedAt: "2026-11-21T12:00:00.000Z",
  verification: { isVerified: false },
  answeredStatus: 200,
  bytes: body.length,
  headers,
  body,
})

type Inbox = ReturnType<typeof SandboxInbox.make>
const idsOf = (inbox: Inbox, platformId = "Platform:1") => inbox.of(platformId).map(({ message: { id } }) => Number(id))
const filled = (count: number, body?: string, headers?: InboxMessage["headers"]) => {
  const inbox = SandboxInbox.make()
  for (let id = 1; id <= count; id++) inbox.add("Platform:1", messageOf(id, body, headers))
  return inbox
}

describe("an inbox", () => {
  it("keeps the latest 100 messages of each platform, and numbers them", () => {
    const inbox = filled(103)
    inbox.add("Platform:2", messageOf(1))
    expect(idsOf(inbox)).toEqual(Array.from({ length: 100 }, (_, at) => at + 4))
    expect(inbox.of("Platform:1").map(({ number }) => number)).toEqual(idsOf(inbox))
    expect(idsOf(inbox, "Platform:2")).toEqual([1])
    expect(idsOf(inbox, "Platform:3")).toEqual([])
  })

  it("keeps at most 2,000,000 characters of bodies and headers", () => {
    expect(idsOf(filled(21, "x".repeat(100_000)))).toEqual(Array.from({ length: 20 }, (_, at) => at + 2))
    expect(idsOf(filled(20, "x".repeat(99_997), { ab: "c" }))).toHaveLength(20)
    expect(idsOf(filled(20, "x".repeat(99_998), { ab: "c" }))).toHaveLength(19)
    expect(idsOf(filled(1, "x".repeat(2_000_001)))).toEqual([])
  })

  it("goes on counting after it is emptied", () => {
    const inbox = filled(3)
    inbox.answerNext("Platform:1", { status: 503, count: 2 })
    inbox.clear("Platform:1")
    expect(idsOf(inbox)).toEqual([])
    expect(inbox.nextAnswers("Platform:1")).toEqual({ status: 503, count: 2 })
    inbox.add("Platform:1", messageOf(9))
    expect(inbox.of("Platform:1")).toMatchObject([{ number: 4, message: { id: "9" } }])
  })

  it("admits 50 messages of a platform in each second", () => {
    const inbox = SandboxInbox.make()
    const admitted = (now: number, platformId = "Platform:1") =>
      Array.from({ length: 60 }, () => inbox.admit(platformId, now)).filter(Boolean).length
    expect([admitted(1_000), admitted(1_999), admitted(2_000), admitted(2_000, "Platform:2")]).toEqual([50, 0, 50, 50])
  })

  it("gives the chosen answers to as many messages as were chosen, then none", () => {
    const inbox = SandboxInbox.make()
    expect([inbox.nextAnswers("Platform:1"), inbox.takeAnswer("Platform:1")]).toEqual([undefined, undefined])
    inbox.answerNext("Platform:1", { status: 503, count: 2 })
    expect(inbox.nextAnswers("Platform:1")).toEqual({ status: 503, count: 2 })
    expect(inbox.takeAnswer("Platform:1")).toEqual({ status: 503, count: 2 })
    expect(inbox.nextAnswers("Platform:1")).toEqual({ status: 503, count: 1 })
    expect(inbox.takeAnswer("Platform:2")).toBeUndefined()
    expect(inbox.takeAnswer("Platform:1")).toEqual({ status: 503, count: 1 })
    expect([inbox.nextAnswers("Platform:1"), inbox.takeAnswer("Platform:1")]).toEqual([undefined, undefined])
    inbox.answerNext("Platform:1", { status: 500, count: 9 })
    inbox.answerNext("Platform:1", undefined)
    expect(inbox.takeAnswer("Platform:1")).toBeUndefined()
  })

  it("reports each change to those who watch the platform", () => {
    const inbox = SandboxInbox.make()
    let count = 0
    const changes = Effect.gen(function* () {
      yield* inbox.watch("Platform:1", () => {
        count += 1
      })
      inbox.add("Platform:1", messageOf(1))
      inbox.clear("Platform:1")
      inbox.answerNext("Platform:1", { status: 500, count: 1 })
      inbox.add("Platform:2", messageOf(1))
      return count
    })
    expect(Effect.runSync(Effect.scoped(changes))).toBe(3)
    inbox.add("Platform:1", messageOf(2))
    expect(count).toBe(3)
  })
})
