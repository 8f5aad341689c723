/** What the start prints: where everything is kept, how to sign in, where to ask. The last line says that it is ready. */
import { hasConsole, type ServeOptions } from "./ServeFlags.ts"
import type { StartPlatforms } from "./StartPlatforms.ts"
import { handleLines } from "./StartScenario.ts"
import { placeName, type StorePlace } from "./StorePlace.ts"

export interface Banner {
  /** Business time, where it was moved ahead of real time. */
  readonly movedTo: string | undefined
  readonly options: ServeOptions
  readonly place: StorePlace
  /** Absent where the process only works. */
  readonly platforms: StartPlatforms | undefined
  readonly publicKey: string
  /** What the named world has, where this start set it up. */
  readonly handles: object | undefined
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

const worldLines = ({ world }: ServeOptions, handles: object | undefined): ReadonlyArray<string> => {
  if (world === "empty") return []
  if (handles === undefined) return [`world          not set up again: the platform was there before`]
  return [`world          ${world}`, ...handleLines(handles).map((line) => `  ${line}`)]
}

export const banner = ({ handles, movedTo, options, place, platforms, publicKey, root }: Banner): string => {
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
    ...(movedTo === undefined ? [] : [`clock          ${movedTo}, ahead of real time`]),
    ...signIn,
    `webhook key    ${root}/webhooks/public-key`,
    publicKey.trimEnd(),
    ...worldLines(options, handles),
    `ready ${root}${platforms === undefined ? "" : options.basePath}`,
  ].join("\n")
}
