/**
 * Asks whenever something changed, while the stream of changes is open; otherwise from time to time, less often while the service is
 * unavailable. A hidden page asks nothing, and asks at once when it becomes visible.
 */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { concerns, isStreaming, onChange, type Topic } from "./Changes.ts"

const everyMillis = 2_500
const everyMillisMax = 30_000

/** Changes that follow one another are asked for together. */
const pauseMillis = 1_000

export interface Polled {
  /** Whether the last answer is fresh; `undefined` before the first. */
  readonly isLive: boolean | undefined
  /** Asks now. */
  readonly refresh: () => void
}

/** `ask` resolves whether there was an answer. It is asked again when one of the topics changed; by default for each change. */
export const usePolling = (ask: () => Promise<boolean>, ...topics: ReadonlyArray<Topic>): Polled => {
  const [isLive, setIsLive] = useState<boolean>()
  const latest = useRef(ask)
  latest.current = ask
  const now = useRef<() => void>(() => undefined)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let isAsking = false
    let isStale = false
    let isEnded = false
    const tick = async () => {
      clearTimeout(timer)
      timer = undefined
      if (isEnded || document.hidden) return
      if (isAsking) {
        isStale = true
        return
      }
      isAsking = true
      isStale = false
      const isAnswered = await latest.current().catch(() => false)
      isAsking = false
      if (isEnded) return
      failures = isAnswered ? 0 : failures + 1
      setIsLive(isAnswered)
      if (isStale) timer = setTimeout(tick, pauseMillis)
      else if (!isAnswered || !isStreaming()) {
        timer = setTimeout(tick, Math.min(everyMillis * 2 ** failures, everyMillisMax))
      }
    }
    let askedAt = -pauseMillis
    /** At once, or after the pause since the last change. */
    const soon = () => {
      const at = performance.now()
      const waitMillis = Math.max(0, askedAt + pauseMillis - at)
      clearTimeout(timer)
      timer = setTimeout(() => {
        askedAt = performance.now()
        void tick()
      }, waitMillis)
    }
    const stop = onChange((changed) => {
      if (concerns(changed, topics.length === 0 ? undefined : topics)) soon()
    })
    now.current = () => void tick()
    const wake = () => void tick()
    document.addEventListener("visibilitychange", wake)
    window.addEventListener("online", wake)
    void tick()
    return () => {
      isEnded = true
      clearTimeout(timer)
      stop()
      document.removeEventListener("visibilitychange", wake)
      window.removeEventListener("online", wake)
    }
  }, [])
  return { isLive, refresh: useCallback(() => now.current(), []) }
}
