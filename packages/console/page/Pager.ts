/**
 * Reads a list one page at a time, so that the document stays as small for many records as for few.
 * Source: D-467.
 */
import { useRef, useState } from "preact/hooks"
import { useLoaded } from "./Loaded.ts"
import type { Page } from "./Wire.ts"

export interface Pager<A> {
  /** The last page that was read; while another is read, still this one. */
  readonly page: Page<A> | undefined
  /** The number of that page: 1 for the first. */
  readonly number: number
  readonly problem: string | undefined
  readonly newer: (() => void) | undefined
  readonly older: (() => void) | undefined
}

interface Place {
  readonly path: string
  /** The cursors of the pages behind the first, up to the present one. */
  readonly cursors: ReadonlyArray<string>
}

/** `path` has a query. The first page is read again whenever `round` changes. */
export const usePager = <A>(path: string, round: number): Pager<A> => {
  const [place, setPlace] = useState<Place>({ path, cursors: [] })
  const shown = useRef<{ readonly path: string; readonly page: Page<A>; readonly number: number }>(undefined)
  const cursors = place.path === path ? place.cursors : []
  const cursor = cursors.at(-1)
  const asked = cursor === undefined ? path : `${path}&cursor=${encodeURIComponent(cursor)}`
  const { problem, value } = useLoaded<Page<A>>(asked, cursor === undefined ? round : 0)
  if (value !== undefined) shown.current = { path, page: value, number: cursors.length + 1 }
  const last = shown.current?.path === path ? shown.current : undefined
  const next = value?.nextCursor
  return {
    page: last?.page,
    number: last?.number ?? 1,
    problem,
    newer: cursors.length === 0 ? undefined : () => setPlace({ path, cursors: cursors.slice(0, -1) }),
    older: next === undefined ? undefined : () => setPlace({ path, cursors: [...cursors, next] }),
  }
}
