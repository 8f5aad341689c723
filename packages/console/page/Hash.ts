/** What the address names within an area: `#books/account/available%3A1` is the account `available:1` of the books. */
import { useEffect, useState } from "preact/hooks"

export const hashOf = (...parts: ReadonlyArray<string>): string => `#${parts.map(encodeURIComponent).join("/")}`

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const partsGiven = () => location.hash.slice(1).split("/").slice(1).map(decoded)

/** The parts after the area's name; they change with the address. */
export const useHashParts = (): ReadonlyArray<string> => {
  const [parts, setParts] = useState(partsGiven())
  useEffect(() => {
    const turn = () => setParts(partsGiven())
    window.addEventListener("hashchange", turn)
    return () => window.removeEventListener("hashchange", turn)
  }, [])
  return parts
}
