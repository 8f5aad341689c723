/** What the start prints: where everything is kept, how to sign in, where to ask. The last line says that it is ready. */
import { hasConsole, type ServeOptions } from "./ServeFlags.ts"
import type { StartPlatforms } from "./StartPlatforms.ts"
import { placeName, type StorePlace } from "./StorePlace.ts"

export interface Banner {
  readonly options: ServeOptions
  readonly place: StorePlace
  /** Absent where the process only works. */
  readonly platforms: StartPlatforms | undefined
  readonly publicKey: string
  /** The address without the base path. */
  readonly root: string
}

const keptIn = (place: StorePlace): string => {
  if (place._tag === "Memory") return "memory: it is gone when this process ends"
  return place._tag === "Folder"
    ? `${place.folder}, for this process alone`
    : `${placeName(place)}, shared with the other processes of this database`
}

const secretLine = ({ secret }: StartPlatforms): string => {
  if (secret === "given") return "as given"
  if (secret === "kept") return "as it was shown or given before; --client-secret SECRET sets a new one"
  return `${secret.drawn}   (drawn for this start, shown this once)`
}

export const banner = ({ options, place, platforms, publicKey, root }: Banner): string => {
  const signIn =
    platforms === undefined
      ? []
      : [
          `client id      ${platforms.clientId}`,
          `client secret  ${secretLine(platforms)}`,
          ...platforms.further.map((clientId) => `also           ${clientId}`),
          `docs           ${root}/docs   ${root}/openapi.json`,
          ...(hasConsole(options) ? [`approvals      ${root}/console`] : []),
        ]
  return [
    `countersign, ${options.mode} mode${options.role === "all" ? "" : `, role ${options.role}`}`,
    `kept in        ${keptIn(place)}`,
    ...signIn,
    `webhook key    ${root}/webhooks/public-key`,
    publicKey.trimEnd(),
    `ready ${root}${platforms === undefined ? "" : options.basePath}`,
  ].join("\n")
}
