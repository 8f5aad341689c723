/**
 * Reports the topics of commits to those who watch a platform. Adapters implement `watch` with it.
 * Source: store/Store.ts (watch); D-453.
 */
import { Effect, type Scope } from "effect"
import { type ChangeTopic, changeTopics } from "./ChangeTopics.ts"

/** Must not block: it runs within the commit of another caller. */
export type OnChange = (topics: ReadonlySet<ChangeTopic>) => void

export interface ChangeSignal {
  /** Call after a commit of the platform; `undefined`: all platforms may have changed. */
  readonly changed: (platformId: string | undefined, topics: ReadonlySet<ChangeTopic>) => void
  /** Reports the changes of a platform until the scope closes. */
  readonly watch: (platformId: string, onChange: OnChange) => Effect.Effect<void, never, Scope.Scope>
}

/** All topics, for changes of which nothing else is known. */
export const everyTopic: ReadonlySet<ChangeTopic> = new Set(changeTopics)

/** Returns a signal without watchers. It reaches those of this process only. */
export const make = (): ChangeSignal => {
  const watchers = new Map<string, Set<OnChange>>()
  const add = (platformId: string, onChange: OnChange): void => {
    const those = watchers.get(platformId) ?? new Set()
    watchers.set(platformId, those.add(onChange))
  }
  const remove = (platformId: string, onChange: OnChange): void => {
    const those = watchers.get(platformId)
    those?.delete(onChange)
    if (those?.size === 0) watchers.delete(platformId)
  }
  return {
    changed: (platformId, topics) => {
      if (topics.size === 0 || watchers.size === 0) return
      const those = platformId === undefined ? [...watchers.values()] : [watchers.get(platformId) ?? []]
      for (const watching of those) for (const onChange of [...watching]) onChange(topics)
    },
    watch: (platformId, onChange) => {
      // Each call is a watcher of its own, whatever function it brings.
      const own: OnChange = (topics) => onChange(topics)
      return Effect.acquireRelease(
        Effect.sync(() => add(platformId, own)),
        () => Effect.sync(() => remove(platformId, own)),
      )
    },
  }
}
