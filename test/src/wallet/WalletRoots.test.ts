/** The check of a deployment's wallet secret against its store. Source: D-345. */
import { checkWalletRoot } from "@countersign/core"
import { KeyVault, vaultOf } from "@countersign/core/ports"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"

const secretOf = (letter: string) => Redacted.make(`${letter}`.repeat(40))
const checkWith = (letter: string) => checkWalletRoot.pipe(Effect.provide(vaultOf(secretOf(letter))))
const rootIdOf = (letter: string) =>
  Effect.runPromise(KeyVault.useSync(({ rootId }) => rootId).pipe(Effect.provide(vaultOf(secretOf(letter)))))

describe("the wallet secret of a store", () => {
  it("is that of the first start, and any other is refused by its name", async () => {
    await using pay = await harness()
    await pay.run(checkWith("a"))
    await pay.run(checkWith("a"))
    const error = await pay.run(Effect.flip(checkWith("b")))
    expect(error).toMatchObject({ _tag: "OtherWalletSecret", stored: await rootIdOf("a"), given: await rootIdOf("b") })
    await pay.run(checkWith("a"))
  })

  it("is one of two that start at once", async () => {
    await using pay = await harness({ interleave: 7 })
    const outcomes = await pay.run(
      Effect.all(
        ["a", "b"].map((letter) => Effect.result(checkWith(letter))),
        { concurrency: "unbounded" },
      ),
    )
    expect(outcomes.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Success"])
  })

  it("has a name that does not contain it and differs between secrets", async () => {
    const [a, b] = [await rootIdOf("a"), await rootIdOf("b")]
    expect(a).toMatch(/^[0-9a-f]{16}$/u)
    expect(a).not.toBe(b)
  })
})
