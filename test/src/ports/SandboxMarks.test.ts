/** The mark of what only a sandbox may use: who has it, which name it keeps, and what a live deployment refuses. Source: D-340. */
import { refuseSandboxOnly, SandboxOnlyServices, sandboxOnly, sandboxOnlyName } from "@countersign/core/ports"
import { Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"

class One extends Context.Service<One, { readonly call: () => number }>()("test/One") {}
class Two extends Context.Service<Two, { readonly call: () => number }>()("test/Two") {}
class Text extends Context.Service<Text, string>()("test/Text") {}
class Nothing extends Context.Service<Nothing, null>()("test/Nothing") {}
class Calling extends Context.Service<Calling, () => number>()("test/Calling") {}

const one = () => Layer.succeed(One, { call: () => 1 })
const two = () => Layer.succeed(Two, { call: () => 2 })
const problemOf = <A>(layer: Layer.Layer<A>) =>
  Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(refuseSandboxOnly(layer))))).then(
    (error) => error.message,
    () => undefined,
  )

describe("a layer that only a sandbox may use", () => {
  it("has the name itself, and gives it to its services", async () => {
    const marked = sandboxOnly("a simulated bank")(one())
    expect(sandboxOnlyName(marked)).toBe("a simulated bank")
    const context = await Effect.runPromise(Effect.scoped(Layer.build(marked)))
    expect(sandboxOnlyName(Context.get(context, One))).toBe("a simulated bank")
    expect(Context.get(context, One).call()).toBe(1)
  })

  it("leaves the first name to a service that has one", async () => {
    const inner = sandboxOnly("the inner one")(one())
    const outer = sandboxOnly("the outer one")(Layer.merge(inner, two()))
    expect(await problemOf(outer)).toBe("the inner one, the outer one: only a sandbox may use them")
  })

  it("marks a function, and not what has no behaviour", async () => {
    const layer = Layer.mergeAll(
      Layer.succeed(Calling, () => 3),
      Layer.succeed(Text, "a"),
      Layer.succeed(Nothing, null),
    )
    const context = await Effect.runPromise(Effect.scoped(Layer.build(sandboxOnly("a call")(layer))))
    expect(sandboxOnlyName(Context.get(context, Calling))).toBe("a call")
    expect(sandboxOnlyName(Context.get(context, Text))).toBeUndefined()
    expect(sandboxOnlyName(Context.get(context, Nothing))).toBeUndefined()
  })
})

describe("a live deployment", () => {
  it("takes services without a mark", async () => {
    const context = await Effect.runPromise(Effect.scoped(Layer.build(refuseSandboxOnly(one()))))
    expect(Context.get(context, One).call()).toBe(1)
    expect(await problemOf(Layer.merge(one(), two()))).toBeUndefined()
  })

  it("refuses one with a mark, also as a copy that was changed, and names each once", async () => {
    expect(await problemOf(sandboxOnly("a bank")(one()))).toBe("a bank: only a sandbox may use it")
    expect(await problemOf(sandboxOnly("a bank")(Layer.merge(one(), two())))).toBe("a bank: only a sandbox may use it")
    const copy = Layer.effect(
      One,
      Effect.map(One, (service) => ({ ...service, call: () => 9 })),
    ).pipe(Layer.provide(sandboxOnly("a bank")(one())))
    expect(await problemOf(copy)).toBe("a bank: only a sandbox may use it")
  })

  it.each([undefined, null, 1, "text", {}, () => undefined])("finds no mark on %s", (value) => {
    expect(sandboxOnlyName(value)).toBeUndefined()
  })

  it("says it in the plural for several", () => {
    expect(new SandboxOnlyServices({ names: ["a", "b"] }).message).toBe("a, b: only a sandbox may use them")
  })
})
