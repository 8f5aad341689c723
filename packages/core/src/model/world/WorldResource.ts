/**
 * Saved worlds of a sandbox on the wire: an extension of the specification.
 * Source: D-470, D-471.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { atMost, Matching } from "../../foundation/kit/Lengths.ts"

/** A name is also that of a file on every system: lower case, and no dot at its start. */
export const WorldName = Matching(
  "code",
  /^[a-z0-9][a-z0-9._-]*$/u,
  "lower-case letters, digits, dots, hyphens and underscores that begin with a letter or digit",
).annotate({ description: "The name of the saved world.", examples: ["before-refunds"] })

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const about = {
  savedAt: Timestamp.check(atMost("code")).annotate({ description: "Wall time at which it was saved." }),
  businessTime: Timestamp.check(atMost("code")).annotate({ description: "Business time at which it was saved." }),
  aheadMillis: Count.annotate({
    description: "How far its business time is ahead of wall time. A load restores this.",
  }),
  counts: Schema.Struct({ customers: Count, transactions: Count, events: Count }).annotate({
    description: "How many records it has; 10,000 stands for more.",
  }),
}

export const WorldResource = Schema.Struct({
  name: WorldName,
  ...about,
  bytes: Count.annotate({ description: "The size of its file." }),
}).annotate({ identifier: "SandboxWorld" })
export type WorldResource = typeof WorldResource.Type

const current = Schema.optionalKey(
  WorldName.annotate({
    description:
      "The saved world that the server continues since it was loaded, saved or forked; absent after a reset.",
  }),
)

/** Answer of `GET /sandbox/worlds`. */
export const WorldListResponse = Schema.Struct({
  current,
  data: Schema.Array(WorldResource).annotate({ description: "The saved worlds by name: 50 at most." }),
}).annotate({ identifier: "SandboxWorldList" })
export type WorldListResponse = typeof WorldListResponse.Type

/** Body of `POST /sandbox/worlds`. */
export const WorldSaveRequest = Schema.Struct({
  name: WorldName,
  replaces: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether a saved world of this name is replaced. Absent: 409 if one exists.",
    }),
  ),
}).annotate({ identifier: "SandboxWorldSaveRequest" })
export type WorldSaveRequest = typeof WorldSaveRequest.Type

/** Body of `POST /sandbox/worlds/fork`: the name with which the server continues. */
export const WorldForkRequest = Schema.Struct({ name: WorldName }).annotate({ identifier: "SandboxWorldForkRequest" })
export type WorldForkRequest = typeof WorldForkRequest.Type

/** Answer to the load of a saved world, and to a reset. */
export const WorldState = Schema.Struct({ current, businessTime: Timestamp }).annotate({
  identifier: "SandboxWorldState",
})
export type WorldState = typeof WorldState.Type

/** The longest state of a file, in characters: a request has at most 1 MiB. */
export const stateLengthMax = 1_000_000

const header = {
  format: Schema.Literal("countersign sandbox world"),
  version: Schema.Int.annotate({ description: "The version of this format." }),
  name: WorldName,
  ...about,
  store: Schema.String.check(atMost("code")).annotate({
    description: "The kind of store and its schema. Only a server with such a store loads the file.",
    examples: ["memory 4"],
  }),
  platformId: Id("PlatformConfig"),
  walletRoots: Schema.Array(Schema.String.check(atMost("id")).annotate({ examples: ["3f1c0b5a"] }))
    .check(Schema.isMaxLength(16).abort())
    .annotate({ description: "The ids of the roots of its wallets' keys; empty if it has no wallets." }),
  checksum: Schema.String.check(
    atMost("code"),
    Schema.isPattern(/^[0-9a-f]{64}$/u, { expected: "64 hexadecimal digits" }),
  ).annotate({ description: "SHA-256 of all other members.", examples: ["5f".repeat(32)] }),
}

/** The file of a world without its state, and with its size. */
export const WorldFileHeader = Schema.Struct({ ...header, bytes: Count })
export type WorldFileHeader = typeof WorldFileHeader.Type

/** The file of a world. Its state is compressed JSON in Base64. */
export const WorldFile = Schema.Struct({
  ...header,
  state: Schema.String.check(Schema.isMaxLength(stateLengthMax).abort()).annotate({
    description: "The state, compressed and in Base64.",
    examples: ["H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA=="],
  }),
}).annotate({ identifier: "SandboxWorldFile", description: "A world as a file. It contains no credentials." })
export type WorldFile = typeof WorldFile.Type
