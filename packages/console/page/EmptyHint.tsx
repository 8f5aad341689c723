/** How a newcomer fills a sandbox, where an area has nothing to show. A page of a live server has no scenarios. */
import { isSandbox } from "./Mode.ts"

export const EmptyHint = () =>
  isSandbox() ? (
    <p class="soft">
      <a href="#worlds">Run a scenario</a> to fill this sandbox with examples.
    </p>
  ) : null
