/** What a request carries to its handler. Source: D-435. */
import * as core from "@countersign/core"
import { DailyVolume, Rails, WallTime } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { Context } from "effect"
import { expect, it } from "vitest"
import { outerServices } from "../../../packages/adapter-http/src/server/OuterServices.ts"

const keysOf = (...keys: ReadonlyArray<string>) =>
  [...outerServices(Context.makeUnsafe(new Map(keys.map((key) => [key, key])))).mapUnsafe.keys()].toSorted()

it("leaves out the services that handlers alone use, and the groups of the interface", () => {
  expect(keysOf(core.Cards.key, core.Transfers.key, core.Jobs.key, "effect/http-api/HttpApiGroup/cards")).toEqual([])
})

it("leaves out ports and settings, which every group brings, and the time, so that services of the core bring theirs", () => {
  expect(keysOf(WallTime.key, Rails.key, DailyVolume.key)).toEqual([])
})

it("keeps what routes outside the interface need, and services of others", () => {
  const kept = [
    core.Authentication.key,
    core.ConsoleSessions.key,
    core.WebhookKeys.key,
    Store.key,
    "@countersign/core/WireNames",
    "effect/Logger/CurrentLoggers",
    "an embedder's own",
  ]
  expect(keysOf(...kept)).toEqual(kept.toSorted())
})
