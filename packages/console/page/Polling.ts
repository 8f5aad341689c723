/** Polls while the page is visible: at once when it becomes visible, less often while the service is unavailable. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"

const everyMillis = 2_500
const everyMillisMax = 30_000

export interface Polled {
  /** Whether the last answer is fresh; `undefined` before the first. */
  readonly isLive: boolean | undefined
  /** Asks now. */
  readonly refresh: () => void
}

/** `ask` resolves whether there was an answer. */
export const usePolling = (ask: () => Promise<boolean>): Polled => {
  const [isLive, setIsLive] = useState<boolean>()
  const latest = useRef(ask)
  latest.current = ask
  const now = useRef<() => void>(() => undefined)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let isAsking = false
    let isEnded = false
    const tick = async () => {
      clearTimeout(timer)
      if (isAsking || isEnded || document.hidden) return
      isAsking = true
      const isAnswered = await latest.current().catch(() => false)
      isAsking = false
      if (isEnded) return
      failures = isAnswered ? 0 : failures + 1
      setIsLive(isAnswered)
      timer = setTimeout(tick, Math.min(everyMillis * 2 ** failures, everyMillisMax))
    }
    now.current = () => void tick()
    const wake = () => void tick()
    document.addEventListener("visibilitychange", wake)
    window.addEventListener("online", wake)
    void tick()
    return () => {
      isEnded = true
      clearTimeout(timer)
      document.removeEventListener("visibilitychange", wake)
      window.removeEventListener("online", wake)
    }
  }, [])
  return { isLive, refresh: useCallback(() => now.current(), []) }
}
