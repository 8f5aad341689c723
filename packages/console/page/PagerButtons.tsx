/** Turns the pages of a list. The buttons stay where they are, so that a key pressed again turns on. Source: D-467. */
import { count } from "./Format.ts"
import type { Pager } from "./Pager.ts"

export const PagerButtons = ({ pager: { newer, number, older, page } }: { readonly pager: Pager<unknown> }) =>
  number === 1 && older === undefined && page?.hasMore !== true ? null : (
    <div class="pager">
      <button type="button" aria-disabled={newer === undefined} onClick={newer}>
        Newer
      </button>
      <p class="soft small" role="status">
        Page {count(number)}
        {page?.totalCount === undefined ? "" : `, ${count(page.totalCount)} in all`}
      </p>
      <button type="button" aria-disabled={older === undefined} onClick={older}>
        Older
      </button>
    </div>
  )
