/** The limits of a world's file, its checksum, and the refusal of each file that a server cannot load. Source: D-471. */
import { type WorldFile, withChecksum } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import {
  refusalOfFile,
  sharedByPlatforms,
  tooManyWorlds,
  worldExists,
  worldInvalid,
  worldsNotOffered,
  worldTooLarge,
} from "../../../packages/core/src/decision/world/WorldDecision.ts"
import { checksumOf, isShallow, isWithin } from "../../../packages/core/src/model/world/WorldFileText.ts"

const file: WorldFile = withChecksum({
  format: "countersign sandbox world",
  version: 1,
  name: "monday",
  savedAt: "2026-11-21T12:00:00.000Z",
  businessTime: "2026-11-21T12:00:00.000Z",
  aheadMillis: 0,
  counts: { customers: 1, transactions: 2, events: 3 },
  store: "memory 4",
  platformId: "PlatformConfig:00000000-0000-4000-8000-000000000001" as WorldFile["platformId"],
  walletRoots: ["root-1"],
  state: "AAAA",
})
const server = { store: "memory 4", walletRoots: ["root-1", "root-2"] }

describe("the levels of JSON", () => {
  const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}${close.repeat(levels)}`

  it("are at most 100, of lists and objects alike", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
      ['[{"a":', "}]"],
    ] as const) {
      const each = open.startsWith("[{") ? 2 : 1
      expect(isShallow(nested(open, close, 100 / each))).toBe(true)
      expect(isShallow(nested(open, close, 100 / each + 1))).toBe(false)
    }
  })

  it("end, so that many may follow each other", () => {
    expect(isShallow(`[${Array(500).fill("[]").join(",")}]`)).toBe(true)
    expect(isShallow(`[${Array(500).fill("{}").join(",")}]`)).toBe(true)
    expect(isShallow("")).toBe(true)
  })

  it("are not those of brackets in a text, whatever it escapes", () => {
    const brackets = "[{".repeat(100)
    expect(isShallow(JSON.stringify([brackets]))).toBe(true)
    expect(isShallow(JSON.stringify([`"${brackets}"`]))).toBe(true)
    expect(isShallow(JSON.stringify({ [`\\${brackets}`]: `\\"${brackets}` }))).toBe(true)
    expect(isShallow(JSON.stringify(["]".repeat(50)]) + "[".repeat(101))).toBe(false)
    expect(isShallow(`["\\\\",${"[".repeat(101)}`)).toBe(false)
    expect(isShallow(`["\\"",${"[".repeat(101)}`)).toBe(false)
  })
})

it("counts the bytes of a state as UTF-8", () => {
  expect([isWithin("abcd", 4), isWithin("abcde", 4), isWithin("€", 3), isWithin("€€", 5), isWithin("", 0)]).toEqual([
    true,
    false,
    true,
    false,
    true,
  ])
})

describe("a checksum", () => {
  it("is the same whatever the order of members, and the earlier checksum is no part of it", () => {
    const reversed = Object.fromEntries(Object.entries(file).reverse()) as WorldFile
    expect(checksumOf(reversed)).toBe(file.checksum)
    expect(checksumOf({ ...file, checksum: "other" })).toBe(file.checksum)
  })

  it.each(Object.keys(file).filter((member) => member !== "checksum"))("is another one for another %s", (member) => {
    expect(checksumOf({ ...file, [member]: "other" })).not.toBe(file.checksum)
  })
})

describe("a file", () => {
  const refusal = (change: Partial<WorldFile>) => refusalOfFile(withChecksum({ ...file, ...change }), server)

  it("of this server or an earlier version is loaded", () => {
    for (const change of [{}, { version: 0 }, { walletRoots: [] }, { walletRoots: ["root-2", "root-1"] }])
      expect(refusal(change)).toBeUndefined()
  })

  it.each<readonly [what: string, refused: ReturnType<typeof refusal>, why: string]>([
    ["of a newer version", refusal({ version: 2 }), "a newer version saved it (format 2; this server reads up to 1)"],
    [
      "that was changed",
      refusalOfFile({ ...file, name: "other" }, server),
      "its checksum does not match: the file is damaged or changed",
    ],
    [
      "of another store",
      refusal({ store: "pglite 2" }),
      'it was saved by a store "pglite 2", and this server has a store "memory 4"',
    ],
    [
      "with a wallet of other roots",
      refusal({ walletRoots: ["root-1", "root-3"] }),
      "it has wallets, whose keys only the server has that saved it",
    ],
  ])("%s is refused with that reason", (_, refused, why) => {
    expect(refused).toEqual({
      code: "INVALID_INPUT",
      message: `The world cannot be loaded, and nothing was changed: ${why}.`,
      details: { reason: "WORLD_INVALID" },
    })
  })
})

it.each([
  [worldInvalid("x"), "INVALID_INPUT", "The world cannot be loaded, and nothing was changed: x.", "WORLD_INVALID"],
  [
    sharedByPlatforms,
    "CONFLICT",
    "Several platforms share this server, and a world is the state of all.",
    "SEVERAL_PLATFORMS",
  ],
  [
    worldExists("monday"),
    "CONFLICT",
    "A world monday is saved already: choose another name, or replace it.",
    "WORLD_EXISTS",
  ],
  [tooManyWorlds, "CONFLICT", "50 worlds are saved, which is the most: delete one first.", "TOO_MANY_WORLDS"],
  [worldTooLarge, "CONFLICT", "The world is too large to be saved.", "WORLD_TOO_LARGE"],
  [
    worldsNotOffered,
    "NOT_IMPLEMENTED",
    "This server saves no worlds: its store must be in memory or in a folder.",
    undefined,
  ],
] as const)("a refusal says why: %j", (refusal, code, message, reason) => {
  expect(refusal).toEqual({ code, message, ...(reason === undefined ? {} : { details: { reason } }) })
})
