/** The time for texts such as "2 minutes ago", which go on without any answer of the service. */
import { useEffect, useState } from "preact/hooks"

const tickMillis = 5_000

/** Real time (ms), a few seconds old at most. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMillis)
    return () => clearInterval(timer)
  }, [])
  // A part that is drawn for another reason shows the time of then.
  return Math.max(now, Date.now())
}
