/** Reads of an area: of one answer, and of a list page by page. A session that has ended signs out. */
import { useEffect, useState } from "preact/hooks"
import { Refused } from "./Api.ts"
import { useSession } from "./Session.ts"

export interface Loaded<A> {
  readonly value: A | undefined
  readonly problem: string | undefined
}

/** Returns what a failed call says to the reader; `undefined` if it ended the session. */
export const useProblemOf = () => {
  const { signOut } = useSession()
  return (failure: unknown): string | undefined => {
    if (failure instanceof Refused && failure.status === 401) {
      signOut("Your session has ended. Sign in again.")
      return undefined
    }
    return failure instanceof Refused ? failure.message : "Something went wrong."
  }
}

/** Reads a path, again whenever it or `round` changes. */
export const useLoaded = <A>(path: string, round: number): Loaded<A> => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const [loaded, setLoaded] = useState<Loaded<A> & { readonly path: string }>()
  useEffect(() => {
    let isCurrent = true
    api.get<A>(path).then(
      (value) => {
        if (isCurrent) setLoaded({ path, value, problem: undefined })
      },
      (failure) => {
        if (isCurrent) setLoaded({ path, value: undefined, problem: problemOf(failure) })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [path, round])
  return loaded?.path === path ? loaded : { value: undefined, problem: undefined }
}

interface Paged {
  readonly nextCursor?: string
}

/** Reads the pages of a list one after another: the first at once, the next by `more`. */
export const usePages = <A extends Paged>(path: string, round: number) => {
  const { api } = useSession()
  const problemOf = useProblemOf()
  const first = useLoaded<A>(path, round)
  const [rest, setRest] = useState<{ readonly path: string; readonly pages: ReadonlyArray<A> }>({ path, pages: [] })
  const [problem, setProblem] = useState<string>()
  const pages = [...(first.value === undefined ? [] : [first.value]), ...(rest.path === path ? rest.pages : [])]
  const cursor = pages.at(-1)?.nextCursor
  const more = async () => {
    try {
      const next = await api.get<A>(`${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`)
      setRest({ path, pages: [...pages.slice(1), next] })
      setProblem(undefined)
    } catch (failure) {
      setProblem(problemOf(failure))
    }
  }
  return { pages, problem: first.problem ?? problem, more: cursor === undefined ? undefined : more }
}
