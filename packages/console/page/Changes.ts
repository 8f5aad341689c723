/**
 * What changed on the platform, as the service says while the page is visible: one stream for all parts of the page. Between its end and
 * the next connect the parts ask from time to time.
 * Source: D-453; HTML Living Standard, 9.2.2 (the EventSource interface).
 */
import { useEffect, useState } from "preact/hooks"
import { baseAddress } from "./Api.ts"

export type Topic =
  | "approvals"
  | "events"
  | "deliveries"
  | "records"
  | "books"
  | "jobs"
  | "clock"
  | "audit"
  | "access"
  | "requests"
  | "inbox"
  | "faults"

/** `undefined`: anything may have changed, or the stream has begun or ended. */
type Listener = (topics: ReadonlySet<string> | undefined) => void

/** When a browser has given up, which it does after an error status. */
const retryMillis = 30_000

const listeners = new Set<Listener>()
let source: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let isOpen = false

const tell = (topics?: ReadonlySet<string>): void => {
  for (const listener of [...listeners]) listener(topics)
}

const close = (): void => {
  clearTimeout(retry)
  source?.close()
  source = undefined
  isOpen = false
}

const topicsOf = (data: string): ReadonlySet<string> | undefined => {
  try {
    return new Set((JSON.parse(data) as { readonly topics: ReadonlyArray<string> }).topics)
  } catch {
    return undefined
  }
}

const connect = (): void => {
  close()
  if (listeners.size === 0 || document.hidden) return
  const opened = new EventSource(`${baseAddress()}/operator/changes`)
  source = opened
  opened.addEventListener("open", () => {
    isOpen = true
    tell()
  })
  opened.addEventListener("changed", ({ data }: MessageEvent<string>) => tell(topicsOf(data)))
  opened.addEventListener("error", () => {
    if (opened !== source) return
    const wasOpen = isOpen
    isOpen = false
    if (opened.readyState === EventSource.CLOSED) retry = setTimeout(connect, retryMillis)
    if (wasOpen) tell()
  })
}

document.addEventListener("visibilitychange", connect)

/** Whether every change is said, so that nobody needs to ask. */
export const isStreaming = (): boolean => isOpen

/** Calls `listener` with what changed; returns the function that stops it. The last one closes the stream. */
export const onChange = (listener: Listener): (() => void) => {
  listeners.add(listener)
  if (listeners.size === 1) connect()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) close()
  }
}

/** Whether a part that shows these topics reads them again; without topics it shows anything. */
export const concerns = (changed: ReadonlySet<string> | undefined, topics: ReadonlyArray<Topic> | undefined): boolean =>
  changed === undefined || topics === undefined || topics.some((topic) => changed.has(topic))

const pauseMillis = 1_000

/** Grows with the changes of these topics, at most once a second. */
export const useRound = (...topics: ReadonlyArray<Topic>): number => {
  const [round, setRound] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onChange((changed) => {
      if (!concerns(changed, topics)) return
      timer ??= setTimeout(() => {
        timer = undefined
        setRound((known) => known + 1)
      }, pauseMillis)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [])
  return round
}
