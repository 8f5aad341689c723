/** The links of a page: where each leads on the site. */
import { posix } from "node:path"

/** Splits a page at its fenced blocks, whose texts are no links; every second part is such a block. */
const splitAtFences = (text: string): ReadonlyArray<string> => text.split(/^(```[\s\S]*?^```$)/mu)

const pattern = /\]\((?![a-z]+:|#|\/)([^)#\s]+)((?:#[^)\s]*)?)\)/gu

/** An address below the site's, and whether it is a plain page, which the browser has to load. */
export interface SiteAddress {
  readonly address: string
  readonly isPlain: boolean
}

/** Returns the page with each link to a path of the repository replaced by what `siteOf` returns for it. */
export const rewriteLinks = (path: string, text: string, siteOf: (target: string) => SiteAddress): string =>
  splitAtFences(text)
    .map((part, number) =>
      number % 2 === 1
        ? part
        : part.replace(pattern, (_, target: string, anchor: string) => {
            const { address, isPlain } = siteOf(posix.join(posix.dirname(path), decodeURIComponent(target)))
            return `](${encodeURI(address)}${anchor})${isPlain ? '{target="_self"}' : ""}`
          }),
    )
    .join("")
