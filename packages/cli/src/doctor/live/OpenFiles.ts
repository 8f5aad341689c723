/** Whether this process may open as many files as its limits allow connections. Source: D-534. */
import { existsSync, readFileSync } from "node:fs"
import { type ServerLimitOptions, serverLimits } from "@countersign/adapter-http"
import { type Finding, ok, problem, skipped } from "../Finding.ts"

/** Linux has it. */
const limitsFile = "/proc/self/limits"

/** Databases, banks, logs and the files of the program itself. */
const othersMax = 256

/** The soft limit of open files; `undefined`: unlimited, or the system does not say it. */
const openFilesMax = (): number | undefined => {
  if (!existsSync(limitsFile)) return undefined
  const soft = Number(/^Max open files\s+(\d+)/mu.exec(readFileSync(limitsFile, "utf8"))?.[1])
  return Number.isInteger(soft) ? soft : undefined
}

export const checkOpenFiles = (limits: ServerLimitOptions, max: number | undefined = openFilesMax()): Finding => {
  const connections = limits.connectionsMax ?? serverLimits.connectionsMax.byDefault
  if (max === undefined) return skipped("open files", "the system states no limit")
  return max >= connections + othersMax
    ? ok("open files", `${max} are allowed, for ${connections} connections`)
    : problem(
        "open files",
        `${max} are allowed, and ${connections} connections with the rest need ${connections + othersMax}`,
        "raise LimitNOFILE or `ulimit -n`, or lower --limit connectionsMax=NUMBER",
      )
}
