/** Values of the ports that every deployment has: wall time on its own clock, and secrets that a text of them does not show. */
import { WallTime } from "@countersign/core/ports"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { secretBytes, vaultSecretMin } from "../../../packages/core/src/ports/KeyVault.ts"

it.effect("wall time sleeps until its clock has passed the time, and no longer", () =>
  Effect.gen(function* () {
    const wall = yield* WallTime
    yield* TestClock.setTime(5000)
    const woken = yield* Effect.forkChild(Effect.andThen(wall.sleep(100), wall.now), { startImmediately: true })
    yield* TestClock.adjust("99 millis")
    assert.isUndefined(woken.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* Fiber.join(woken), 5100)
  }).pipe(Effect.provide(WallTime.layerClock)),
)

it("the secret of a vault has its least length, and its text is only its purpose", () => {
  const text = "ab-".repeat(vaultSecretMin).slice(0, vaultSecretMin)
  assert.deepStrictEqual([...Redacted.value(secretBytes(Redacted.make(text)))], [...new TextEncoder().encode(text)])
  assert.strictEqual(String(secretBytes(Redacted.make(text))), "<redacted:wallet secret>")
  assert.throws(() => secretBytes(Redacted.make(text.slice(1))), /at least 32 characters/u)
})
