/** Describes the machine of a measurement. */
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from "node:os"

const gibibyte = 1024 ** 3

export const machine = (): string =>
  [
    `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? "unknown processor"}`,
    `${Math.round(totalmem() / gibibyte)} GiB`,
    `${platform()} ${arch()}`,
    `Node ${process.version}`,
    `load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  ].join(", ")
