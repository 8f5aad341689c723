/** Plain pages that show files of the repository to which other pages link. */
import { posix } from "node:path"
import { filesBelow, isFolder, readText } from "./Repository.ts"

/** The address of such a page below the site's. */
export const sourcePath = (path: string): string => `source/${path}.html`

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const pageOf = (path: string, content: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escaped(posix.basename(path))} | Countersign</title></head>
<body><p><code>${escaped(path)}</code></p>
${content}
</body></html>
`

const filePage = (path: string): string => pageOf(path, `<pre>${escaped(readText(path))}</pre>`)

/** The pages of a file, or of a folder with its files, by their paths on the site. */
export const sourcePages = (path: string): ReadonlyArray<readonly [string, string]> => {
  if (!isFolder(path)) return [[sourcePath(path), filePage(path)]]
  const files = filesBelow(path)
  const address = (file: string) => encodeURI(posix.relative(posix.dirname(sourcePath(path)), sourcePath(file)))
  const list = files.map((file) => `<li><a href="${address(file)}">${escaped(posix.relative(path, file))}</a></li>`)
  return [
    [sourcePath(path), pageOf(path, `<ul>${list.join("\n")}</ul>`)],
    ...files.map((file) => [sourcePath(file), filePage(file)] as const),
  ]
}
