/** What becomes of the console's sessions when another world, whose clock is elsewhere, replaces the present one. Source: D-470. */
import { expect, it } from "vitest"
import { auditReplacedWorld } from "../../../packages/core/src/decision/world/WorldDecision.ts"
import type { ConsoleSession } from "../../../packages/core/src/model/approval/ConsoleSession.ts"
import type { Stored } from "../../../packages/core/src/store/ChangeSet.ts"
import { contextAt } from "../approval/DecisionContexts.ts"

const minute = 60_000
const before = Date.parse("2026-03-02T08:00:00Z")

const sessionOf = (id: string, data: Partial<ConsoleSession>): Stored<"ConsoleSession"> => ({
  platformId: "Platform:1",
  customerId: null,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  kind: "ConsoleSession",
  id,
  data: {
    status: "ACTIVE",
    tokenId: "ApiToken:1",
    clientId: "console",
    approverName: "Ada Lovelace",
    proof: "SECRET",
    origin: "https://pay.example.com",
    expiresAt: before + 480 * minute,
    activeAt: before - minute,
    ...data,
  },
})

it.each([60 * minute, -60 * minute])(
  "a clock that moves by %i ms ends no session, and begins no ended one again",
  (millis) => {
    const sessions = [
      sessionOf("active", {}),
      sessionOf("idle", { activeAt: before - 16 * minute }),
      sessionOf("over", { expiresAt: before }),
      sessionOf("ended", { status: "ENDED" }),
    ]
    const { changes } = auditReplacedWorld("SANDBOX_WORLD_LOAD", millis, "main")(sessions, contextAt(before + millis))
    const data = { activeAt: before - minute + millis, expiresAt: before + 480 * minute + millis }
    expect(changes?.updates).toMatchObject([{ id: "active", data }])
    expect(changes?.inserts).toMatchObject([
      {
        kind: "AuditRecord",
        data: { operation: "SANDBOX_WORLD_LOAD", target: "Platform:1", details: { name: "main" } },
      },
    ])
  },
)

it("a clock that stays changes no session", () => {
  const { changes } = auditReplacedWorld("SANDBOX_WORLD_RESET", 0)([sessionOf("active", {})], contextAt(before))
  expect(changes?.updates).toEqual([])
})
