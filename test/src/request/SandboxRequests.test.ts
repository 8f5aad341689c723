/** How many requests a sandbox keeps. Source: D-464. */
import type { RequestDetail } from "@countersign/core/models"
import { SandboxRequests } from "@countersign/core/sandbox"
import { expect, it } from "vitest"

const key = new Uint8Array(32)
const noDigests = { sent: {}, received: {} }

const requestOf = (id: number, text = ""): RequestDetail => ({
  id: String(id),
  receivedAt: "",
  at: "",
  method: "GET",
  path: "/",
  operation: "",
  caller: { kind: "NOBODY" },
  status: 200,
  durationMillis: 0,
  isReplay: false,
  requestHeaders: {},
  responseHeaders: {},
  rules: [],
  commits: [],
  responseBody: { bytes: text.length, text, isCut: false, masked: [] },
})

const ids = (journal: ReturnType<typeof SandboxRequests.make>, platformId: string) =>
  journal.of(platformId).map(({ request }) => Number(request.id))

it("keeps the latest 1,000 requests of each platform", () => {
  const journal = SandboxRequests.make(() => 0, key)
  for (let id = 1; id <= 1_234; id++) journal.add("Platform:1", requestOf(id), noDigests)
  journal.add("Platform:2", requestOf(1), noDigests)
  expect(ids(journal, "Platform:1")).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 235))
  expect(ids(journal, "Platform:2")).toEqual([1])
  expect(journal.of("Platform:1").at(-1)?.number).toBe(1_234)
})

it("keeps fewer requests if they are long", () => {
  const journal = SandboxRequests.make(() => 0, key)
  const text = "A".repeat(99_000)
  for (let id = 1; id <= 200; id++) journal.add("Platform:1", requestOf(id, text), noDigests)
  const kept = ids(journal, "Platform:1")
  expect(kept.at(-1)).toBe(200)
  expect(kept.length).toBeGreaterThan(75)
  expect(kept.length * text.length).toBeLessThanOrEqual(SandboxRequests.charactersMax)
})

it("counts all that is kept of a request, not its bodies alone", () => {
  const journal = SandboxRequests.make(() => 0, key)
  const masked = Array.from({ length: 100 }, (_, index) => `${index}.${"a".repeat(190)}`)
  const bodies = { bytes: 2, text: "{}", isCut: false, masked }
  const requestHeaders = { "user-agent": "a".repeat(1_000) }
  for (let id = 1; id <= 300; id++) {
    journal.add(
      "Platform:1",
      { ...requestOf(id), requestHeaders, requestBody: bodies, responseBody: bodies },
      noDigests,
    )
  }
  expect(JSON.stringify(journal.of("Platform:1")).length).toBeLessThanOrEqual(SandboxRequests.charactersMax)
})
