/**
 * The database's functions. Those made from `Kinds` carry the hash of their text in their names, so that processes of two releases
 * can work on one database.
 * Source: architecture, "The Store port" (PostgreSQL).
 */
import { createHash } from "node:crypto"
import { claimJobsFunction, forgetFunction, openLaneFunction } from "./ClaimJobs.ts"
import { commitGroupFunction } from "./CommitGroup.ts"
import { commitSerialFunction } from "./CommitSerial.ts"
import { readPointsFunction } from "./ReadPoints.ts"

const text = [
  openLaneFunction,
  claimJobsFunction,
  forgetFunction,
  commitSerialFunction,
  commitGroupFunction,
  readPointsFunction,
].join("\n")

const mark = createHash("sha256").update(text).digest("hex").slice(0, 12)

const own = (name: string): string => `countersign.${name}_${mark}`

/** What a process calls. */
export const functions = {
  commitSerial: own("commit_serial"),
  commitGroup: own("commit_group"),
  claimJobs: own("claim_jobs"),
  forget: own("forget"),
  readPoints: own("read_points"),
} as const

const names = ["commit_serial", "commit_group", "open_lane", "claim_jobs", "forget", "read_points"]

/** Creates or replaces all of them. */
export const functionsSql: string = names.reduce(
  (sql, name) => sql.replaceAll(new RegExp(`\\b${name}(?:_\\$H)?(?=\\()`, "gu"), `${name}_${mark}`),
  text,
)
