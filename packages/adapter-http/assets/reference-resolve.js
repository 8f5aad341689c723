/**
 * Resolves the references of the one part of the document that is shown. The renderer's own resolver walks the whole document for each part,
 * which is seconds for a large one. Source: D-486.
 */

const partAt = (document, path) => path.reduce((part, key) => part?.[key], document)

const pointed = (document, reference) =>
  partAt(
    document,
    reference
      .slice("#/".length)
      .split("/")
      .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")),
  )

/** A reference into another document, to nothing, or into what contains it stays as it is. */
const resolved = (document, part, within = []) => {
  if (Array.isArray(part)) return part.map((item) => resolved(document, item, within))
  if (part === null || typeof part !== "object") return part
  const { $ref: reference, ...own } = part
  if (typeof reference !== "string") {
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(document, value, within)]))
  }
  const target = reference.startsWith("#/") && !within.includes(reference) ? pointed(document, reference) : undefined
  if (target === undefined) return part
  // Alternatives without a title are all called "object".
  return resolved(document, { title: reference.split("/").at(-1), ...target, ...own }, [...within, reference])
}

/** All references of this server's document point into it, and its operations repeat what holds for all of them. */
export const resolvePlugin = () => ({
  fn: { resolveSubtree: async (document, path) => ({ spec: resolved(document, partAt(document, path)), errors: [] }) },
})
