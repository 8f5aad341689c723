/** The signed-in page: what waits, what was decided, and whether it is fresh. */
import { useEffect, useRef, useState } from "preact/hooks"
import { Refused } from "./Api.ts"
import { History } from "./History.tsx"
import { usePolling } from "./Polling.ts"
import { useSession } from "./Session.ts"
import { Waiting } from "./Waiting.tsx"
import type { Action, Page } from "./Wire.ts"

const views = [
  ["#waiting", "Waiting"],
  ["#history", "History"],
] as const

/** Limits are asked for anew after so many looks at the list, whatever has changed. */
const looksPerRound = 8

const viewGiven = () => (location.hash === "#history" ? "#history" : "#waiting")

export const Desk = () => {
  const { announce, api, signedIn, signOut } = useSession()
  const [page, setPage] = useState<Page<Action>>()
  const [now, setNow] = useState(Date.now())
  const [round, setRound] = useState(0)
  const [view, setView] = useState(viewGiven())
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  const looks = useRef(0)

  const { isLive, refresh } = usePolling(async () => {
    try {
      const next = await api.get<Page<Action>>("/agents/approvals?limit=50&sortOrder=asc")
      const ids = new Set(next.data.map(({ id }) => id))
      const before = known.current
      known.current = ids
      looks.current += 1
      setPage(next)
      setNow(Date.now())
      const arrived = before === undefined ? 0 : [...ids].filter((id) => !before.has(id)).length
      if (arrived > 0) announce(arrived === 1 ? "A new action waits." : `${arrived} new actions wait.`)
      if (before?.size !== ids.size || arrived > 0 || looks.current % looksPerRound === 0) setRound(looks.current)
      return true
    } catch (failure) {
      if (failure instanceof Refused && failure.status === 401) signOut("Your session has ended. Sign in again.")
      return false
    }
  })

  const waiting = page?.totalCount ?? page?.data.length ?? 0
  useEffect(() => {
    document.title = waiting === 0 ? "Approvals" : `(${waiting}) Approvals`
  }, [waiting])
  useEffect(() => {
    const turn = () => {
      setView(viewGiven())
      requestAnimationFrame(() => document.querySelector<HTMLElement>("main h2")?.focus())
    }
    window.addEventListener("hashchange", turn)
    return () => window.removeEventListener("hashchange", turn)
  }, [])

  return (
    <>
      <header class="top">
        <h1>Approvals</h1>
        <nav aria-label="Views">
          {views.map(([hash, name]) => (
            <a key={hash} href={hash} {...(view === hash ? { "aria-current": "page" as const } : {})}>
              {name}
              {hash === "#waiting" && waiting > 0 ? <span class="count">{waiting}</span> : null}
            </a>
          ))}
        </nav>
        <p class={isLive === false ? "live away" : "live"} role="status">
          <span class="dot" aria-hidden="true" />
          {isLive === undefined ? "Connecting" : isLive ? "Live" : "Not reached, trying again"}
        </p>
        <div class="who">
          <span class="soft small id" title="Signed in as">
            {signedIn.approver}, {signedIn.clientId}
          </span>
          <button type="button" class="quiet" onClick={() => signOut()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {view === "#history" ? (
          <History now={now} round={round} />
        ) : (
          <Waiting page={page} now={now} round={round} onDecided={refresh} />
        )}
      </main>
    </>
  )
}
