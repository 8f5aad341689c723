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

export const App = () => {
  const [signedIn, setSignedIn] = useState<SignedIn>()
  const [isKnown, setIsKnown] = useState(false)
  const [why, setWhy] = useState<string>()
  const [said, setSaid] = useState<Said>()

  const announce = useCallback(
    (text: string, isUrgent = false) => setSaid({ text, isUrgent, at: performance.now() }),
    [],
  )
  const signOut = useCallback((reason?: string) => {
    // An ended session needs no end.
    if (reason === undefined) void endSession().catch(() => undefined)
    setSignedIn(undefined)
    setWhy(reason)
    document.title = isSandbox() ? "Workbench" : "Approvals"
  }, [])
  useEffect(() => {
    const timer = said === undefined ? undefined : setTimeout(() => setSaid(undefined), shownMillis)
    return () => clearTimeout(timer)
  }, [said])
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
      <div class="said" role="status" aria-live="polite">
        {said === undefined ? null : (
          <p key={said.at} class={said.isUrgent ? "urgent" : ""}>
            {said.text}
          </p>
        )}
      </div>
    </>
  )
}
