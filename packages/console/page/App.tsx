/** The page: signed out, or at the desk; and the place where everything that happens is said. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks"
import { api } from "./Api.ts"
import { Desk } from "./Desk.tsx"
import { isSandbox } from "./Mode.ts"
import { makeNames } from "./Names.ts"
import { type Session, SessionContext } from "./Session.ts"
import { endSession, resume, type SignedIn, watchActivity } from "./SignedIn.ts"
import { SignIn } from "./SignIn.tsx"

interface Said {
  readonly text: string
  readonly isUrgent: boolean
  readonly at: number
}

const shownMillis = 8_000
const shownMax = 3

export const App = () => {
  const [signedIn, setSignedIn] = useState<SignedIn>()
  const [isKnown, setIsKnown] = useState(false)
  const [why, setWhy] = useState<string>()
  const [said, setSaid] = useState<ReadonlyArray<Said>>([])

  // What an action did is still read when something else happens at the same moment.
  const announce = useCallback((text: string, isUrgent = false) => {
    const message = { text, isUrgent, at: performance.now() }
    setSaid((known) => [...known, message].slice(-shownMax))
    setTimeout(() => setSaid((known) => known.filter((each) => each !== message)), shownMillis)
  }, [])
  const signOut = useCallback((reason?: string) => {
    // An ended session needs no end.
    if (reason === undefined) void endSession().catch(() => undefined)
    setSignedIn(undefined)
    setWhy(reason)
    document.title = isSandbox() ? "Workbench" : "Approvals"
  }, [])
  // A page that was reloaded, or that the browser kept for the way back, has the session if it has not ended since.
  useEffect(() => {
    const look = () => {
      setSignedIn(undefined)
      setIsKnown(false)
      resume()
        .then(setSignedIn, () => undefined)
        .finally(() => setIsKnown(true))
    }
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) look()
    }
    look()
    window.addEventListener("pageshow", onShow)
    return () => window.removeEventListener("pageshow", onShow)
  }, [])
  useEffect(() => (signedIn === undefined ? undefined : watchActivity()), [signedIn])
  const session = useMemo<Session | undefined>(
    () => (signedIn === undefined ? undefined : { api, signedIn, namesOf: makeNames(api), announce, signOut }),
    [signedIn],
  )

  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
        Skip to the content
      </button>
      {!isKnown ? (
        <main id="content" tabIndex={-1} />
      ) : session === undefined ? (
        <SignIn why={why} onSignedIn={setSignedIn} />
      ) : (
        <SessionContext.Provider value={session}>
          <Desk />
        </SessionContext.Provider>
      )}
      <div class="said" role="status" aria-live="polite" aria-atomic="false">
        {said.map(({ at, isUrgent, text }) => (
          <p key={at} class={isUrgent ? "urgent" : ""}>
            {text}
          </p>
        ))}
      </div>
    </>
  )
}
