/**
 * The database functions of this release. Their names end in a hash of their texts, so that processes of two releases can work on one
 * database: each calls its own functions.
 * Source: architecture, "The Store port" (PostgreSQL); D-061.
 */
import { createHash } from "node:crypto"
import * as SqlFiles from "../sql/SqlFiles.ts"
import { fill } from "./SqlTemplate.ts"

const {
  claimJobs,
  commitGroup,
  commitSerial,
  dueJobs,
  findLocked,
  forget,
  openLane,
  readPoints,
  registerSession,
  releaseJobs,
  releaseLostJobs,
  vaultAddChunk,
  vaultComplete,
  vaultErase,
} = SqlFiles
const text = [
  openLane,
  dueJobs,
  claimJobs,
  releaseJobs,
  releaseLostJobs,
  registerSession,
  forget,
  commitSerial,
  commitGroup,
  findLocked,
  readPoints,
  vaultAddChunk,
  vaultComplete,
  vaultErase,
]
  .map(fill)
  .join("\n")

const releaseHash = createHash("sha256").update(text).digest("hex").slice(0, 12)

const released = (name: string): string => `countersign.${name}_${releaseHash}`

/** The functions that a process calls. */
export const functions = {
  commitSerial: released("commit_serial"),
  commitGroup: released("commit_group"),
  claimJobs: released("claim_jobs"),
  releaseJobs: released("release_jobs"),
  releaseLostJobs: released("release_lost_jobs"),
  registerSession: released("register_session"),
  findLocked: released("find_locked"),
  forget: released("forget"),
  readPoints: released("read_points"),
  vaultAddChunk: released("vault_add_chunk"),
  vaultComplete: released("vault_complete"),
  vaultErase: released("vault_erase"),
} as const

const names = [
  "commit_serial",
  "commit_group",
  "open_lane",
  "due_jobs",
  "claim_jobs",
  "release_jobs",
  "release_lost_jobs",
  "register_session",
  "find_locked",
  "forget",
  "read_points",
  "vault_add_chunk",
  "vault_complete",
  "vault_erase",
]

/** A statement under the released names of the functions that it creates and calls. */
export const withReleasedNames = (sql: string): string =>
  names.reduce((all, name) => all.replaceAll(new RegExp(`\\b${name}(?=\\()`, "gu"), `${name}_${releaseHash}`), sql)

/** Creates or replaces all of them. */
export const functionsSql: string = withReleasedNames(text)
