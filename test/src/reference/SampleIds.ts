/** The page's own module that finds the ids of the samples. Source: D-484. */

interface SampleIds {
  readonly placeholders: ReadonlyArray<string>
  readonly readIds: (
    read: (path: string) => Promise<unknown>,
    clientId?: string,
  ) => Promise<ReadonlyMap<string, string>>
  readonly filled: (source: string, ids: ReadonlyMap<string, string>, origin: string) => string
  readonly unfilled: (source: string) => ReadonlyArray<{ readonly placeholder: string; readonly maker: string }>
}

const file = new URL("../../../packages/adapter-http/assets/reference-ids.js", import.meta.url)

export const { filled, placeholders, readIds, unfilled }: SampleIds = await import(file.href)
