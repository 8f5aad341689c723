/** A section of the books behind the trial balance: the way back, its heading, and why it could not be read. */
import type { ComponentChildren } from "preact"

interface Props {
  readonly title: string
  /** The id of what it shows. */
  readonly id?: string
  readonly problem: string | undefined
  /** Whether it has been read. */
  readonly isLoaded: boolean
  readonly children: ComponentChildren
}

export const BooksSection = ({ children, id, isLoaded, problem, title }: Props) => (
  <section aria-labelledby="books-title">
    <p class="small">
      <a href="#books">Trial balance</a>
    </p>
    <h2 id="books-title" tabIndex={-1}>
      {title}
    </h2>
    {id === undefined ? null : <p class="soft small id">{id}</p>}
    <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
    {isLoaded ? children : <p class="soft">{problem === undefined ? "Loading…" : ""}</p>}
  </section>
)
