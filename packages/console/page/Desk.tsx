/** The signed-in page: its areas, what waits for approval, and whether the service is reached. */
import { useEffect, useRef, useState } from "preact/hooks"
import { Refused } from "./Api.ts"
import { useRound } from "./Changes.ts"
import { FaultsBadge } from "./FaultsBadge.tsx"
import { useFocusKept } from "./FocusKept.ts"
import { isSandbox } from "./Mode.ts"
import { useNow } from "./Now.ts"
import { usePolling } from "./Polling.ts"
import { SandboxClock } from "./SandboxClock.tsx"
import { useSession } from "./Session.ts"
import { viewGiven, views } from "./Views.tsx"
import type { Action, Page } from "./Wire.ts"

/** Limits are asked for anew after so many looks at the list, whatever has changed. */
const looksPerRound = 8

const pageName = isSandbox() ? "Workbench" : "Approvals"

export const Desk = () => {
  const { announce, api, signedIn, signOut } = useSession()
  useFocusKept()
  const [waiting, setWaiting] = useState<Page<Action>>()
  const now = useNow()
  const changes = useRound("approvals", "records", "books", "audit", "access")
  const moves = useRound("clock")
  const [round, setRound] = useState(0)
  const [view, setView] = useState(viewGiven())
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  const looks = useRef(0)

  const { isLive, refresh } = usePolling(
    async () => {
      try {
        const next = await api.get<Page<Action>>("/agents/approvals?limit=50&sortOrder=asc")
        const ids = new Set(next.data.map(({ id }) => id))
        const before = known.current
        known.current = ids
        looks.current += 1
        setWaiting(next)
        const arrived = before === undefined ? 0 : [...ids].filter((id) => !before.has(id)).length
        if (arrived > 0) announce(arrived === 1 ? "A new action waits." : `${arrived} new actions wait.`)
        if (before?.size !== ids.size || arrived > 0 || looks.current % looksPerRound === 0) setRound(looks.current)
        return true
      } catch (failure) {
        if (failure instanceof Refused && failure.status === 401) signOut("Your session has ended. Sign in again.")
        return false
      }
    },
    "approvals",
    // A session ends with the time, or with what it is made from.
    "clock",
    "access",
  )

  const count = waiting?.totalCount ?? waiting?.data.length ?? 0
  useEffect(() => {
    document.title = count === 0 ? pageName : `(${count}) ${pageName}`
  }, [count])
  useEffect(() => {
    const turn = () => {
      setView(viewGiven())
      requestAnimationFrame(() => document.querySelector<HTMLElement>("main h2")?.focus())
    }
    window.addEventListener("hashchange", turn)
    return () => window.removeEventListener("hashchange", turn)
  }, [])

  // On a narrow screen the areas scroll sideways.
  useEffect(() => {
    document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [view])

  return (
    <div class="desk">
      <header class="top">
        <h1>
          {pageName} {isSandbox() ? <span class="badge sandbox">SANDBOX</span> : null}
        </h1>
        {isSandbox() ? <SandboxClock round={round + moves} /> : null}
        {isSandbox() ? <FaultsBadge /> : null}
        <p class={isLive === false ? "reached away" : "reached"} role="status">
          <span class="dot" aria-hidden="true" />
          {isLive === undefined ? "Connecting" : isLive ? "Connected" : "Not reached, trying again"}
        </p>
        <nav aria-label="Areas">
          {views.map(({ hash, name }) => (
            <a key={hash} href={hash} {...(view.hash === hash ? { "aria-current": "page" as const } : {})}>
              {name}
              {hash === "#waiting" && count > 0 ? <span class="count">{count}</span> : null}
            </a>
          ))}
        </nav>
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
        <view.Area waiting={waiting} now={now} round={round + changes} refresh={refresh} />
      </main>
    </div>
  )
}
