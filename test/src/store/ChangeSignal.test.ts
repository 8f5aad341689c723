/** Who is informed of a change, and until when. Source: store/Store.ts (watch); D-453. */
import { Effect, Exit, Scope } from "effect"
import { expect, it } from "vitest"
import * as ChangeSignal from "../../../packages/core/src/store/ChangeSignal.ts"
import type { ChangeTopic } from "../../../packages/core/src/store/ChangeTopics.ts"

const jobs: ReadonlySet<ChangeTopic> = new Set(["jobs"])

const world = () => {
  const signal = ChangeSignal.make()
  const informed: Array<readonly [who: string, topics: ReadonlyArray<string>]> = []
  /** Watches a platform; the returned function ends it. */
  const watch = (who: string, platformId: string, onChange?: () => void) => {
    const scope = Effect.runSync(Scope.make())
    const own = onChange ?? (() => undefined)
    const watching = signal.watch(platformId, (topics) => {
      informed.push([who, [...topics]])
      own()
    })
    Effect.runSync(Effect.provideService(watching, Scope.Scope, scope))
    return () => Effect.runSync(Scope.close(scope, Exit.void))
  }
  const namesOf = (change: () => void) => {
    informed.length = 0
    change()
    return informed.map(([who]) => who)
  }
  return { informed, namesOf, signal, watch }
}

it("those who watch the platform are informed of its changes, and nobody else", () => {
  const { informed, namesOf, signal, watch } = world()
  watch("a", "one")
  watch("b", "two")
  expect(namesOf(() => signal.changed("one", jobs))).toEqual(["a"])
  expect(informed).toEqual([["a", ["jobs"]]])
  expect(namesOf(() => signal.changed("three", jobs))).toEqual([])
})

it("all are informed where the platform is not known", () => {
  const { namesOf, signal, watch } = world()
  watch("a", "one")
  watch("b", "two")
  expect(namesOf(() => signal.changed(undefined, ChangeSignal.everyTopic))).toEqual(["a", "b"])
})

it("a change of no topic informs nobody", () => {
  const { namesOf, signal, watch } = world()
  watch("a", "one")
  expect(namesOf(() => signal.changed("one", new Set()))).toEqual([])
})

it("one who ends does not end the others of the platform", () => {
  const { namesOf, signal, watch } = world()
  const end = watch("a", "one")
  const endOther = watch("b", "one")
  end()
  expect(namesOf(() => signal.changed("one", jobs))).toEqual(["b"])
  endOther()
  expect(namesOf(() => signal.changed("one", jobs))).toEqual([])
})

it("one who begins or ends while a change is reported does not disturb the report", () => {
  const { namesOf, signal, watch } = world()
  const ends: Array<() => void> = []
  const endAll = () => {
    for (const end of ends.splice(0)) end()
    watch("late", "one")
  }
  ends.push(watch("a", "one", endAll), watch("b", "one"))
  expect(namesOf(() => signal.changed("one", jobs))).toEqual(["a", "b"])
  expect(namesOf(() => signal.changed("one", jobs))).toEqual(["late"])
})
