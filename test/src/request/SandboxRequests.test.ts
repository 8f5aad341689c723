/** How many requests a sandbox keeps, and when it masks them. Source: D-464, D-520. */
import type { RequestDetail } from "@countersign/core/models"
import type { AnsweredRequest } from "@countersign/core/ports"
import { SandboxRequests } from "@countersign/core/sandbox"
import { Effect } from "effect"
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

const answered = (request: RequestDetail, characters = JSON.stringify(request).length): AnsweredRequest => ({
  characters,
  masked: () => ({ request, digests: noDigests }),
})

type Journal = ReturnType<typeof SandboxRequests.make>

const kept = (journal: Journal, platformId: string) => Effect.runPromise(journal.of(platformId))
const ids = async (journal: Journal, platformId: string) =>
  (await kept(journal, platformId)).map(({ request }) => Number(request.id))

it("keeps the latest 1,000 requests of each platform", async () => {
  const journal = SandboxRequests.make(() => 0, key)
  for (let id = 1; id <= 1_234; id++) journal.add("Platform:1", answered(requestOf(id)))
  journal.add("Platform:2", answered(requestOf(1)))
  expect(await ids(journal, "Platform:1")).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 235))
  expect(await ids(journal, "Platform:2")).toEqual([1])
  expect((await kept(journal, "Platform:1")).at(-1)?.number).toBe(1_234)
})

it("keeps fewer requests if they are long", async () => {
  const journal = SandboxRequests.make(() => 0, key)
  const text = "A".repeat(99_000)
  for (let id = 1; id <= 200; id++) journal.add("Platform:1", answered(requestOf(id, text)))
  const left = await ids(journal, "Platform:1")
  expect(left.at(-1)).toBe(200)
  expect(left.length).toBeGreaterThan(75)
  expect(left.length * text.length).toBeLessThanOrEqual(SandboxRequests.charactersMax)
})

it.each([
  ["whose size was known", undefined],
  ["that turned out longer than they seemed", 10],
])("counts all that is kept of requests %s, not their bodies alone", async (_, characters) => {
  const journal = SandboxRequests.make(() => 0, key)
  const masked = Array.from({ length: 100 }, (_, index) => `${index}.${"a".repeat(190)}`)
  const bodies = { bytes: 2, text: "{}", isCut: false, masked }
  const requestHeaders = { "user-agent": "a".repeat(1_000) }
  for (let id = 1; id <= 300; id++) {
    const request = { ...requestOf(id), requestHeaders, requestBody: bodies, responseBody: bodies }
    journal.add("Platform:1", answered(request, characters))
  }
  const left = await kept(journal, "Platform:1")
  expect(JSON.stringify(left).length).toBeLessThanOrEqual(SandboxRequests.charactersMax)
  expect(left.at(-1)?.request.id).toBe("300")
})

it("masks a request at its first read, once, and a long one at once", async () => {
  const journal = SandboxRequests.make(() => 0, key)
  const made: Array<number> = []
  const noted = (id: number, characters: number): AnsweredRequest => ({
    characters,
    masked: () => {
      made.push(id)
      return { request: requestOf(id), digests: noDigests }
    },
  })
  journal.add("Platform:1", noted(1, 100))
  journal.add("Platform:1", noted(2, 100_000))
  expect(made).toEqual([2])
  expect(await ids(journal, "Platform:1")).toEqual([1, 2])
  expect(await ids(journal, "Platform:1")).toEqual([1, 2])
  expect(made).toEqual([2, 1])
})

it("masks a request once when two read at the same time", async () => {
  const journal = SandboxRequests.make(() => 0, key)
  let made = 0
  for (let id = 1; id <= 100; id++) {
    const masked = () => {
      made += 1
      return { request: requestOf(id), digests: noDigests }
    }
    journal.add("Platform:1", { characters: 100, masked })
  }
  const [one, other] = await Promise.all([ids(journal, "Platform:1"), ids(journal, "Platform:1")])
  expect(one).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  expect(other).toEqual(one)
  expect(made).toBe(100)
})

it("keeps nothing of a request that cannot be masked, and all others", async () => {
  const journal = SandboxRequests.make(() => 0, key)
  const broken = (): never => {
    throw new Error("a schema that no mask can be made of")
  }
  journal.add("Platform:1", answered(requestOf(1)))
  journal.add("Platform:1", { characters: 100, masked: broken })
  journal.add("Platform:1", answered(requestOf(3)))
  expect(await ids(journal, "Platform:1")).toEqual([1, 3])
})

it("lets others run while it masks many", async () => {
  const journal = SandboxRequests.make(() => 0, key)
  let made = 0
  for (let id = 1; id <= 1_000; id++) {
    const masked = () => {
      made += 1
      return { request: requestOf(id), digests: noDigests }
    }
    journal.add("Platform:1", { characters: 100, masked })
  }
  const seen: Array<number> = []
  const others = Effect.repeat(
    Effect.andThen(
      Effect.sync(() => seen.push(made)),
      Effect.yieldNow,
    ),
    { until: () => made === 1_000 },
  )
  await Effect.runPromise(Effect.all([journal.of("Platform:1"), others], { concurrency: 2 }))
  const longest = Math.max(...seen.map((count, index) => count - (seen[index - 1] ?? 0)))
  expect(longest).toBeLessThan(100)
})
