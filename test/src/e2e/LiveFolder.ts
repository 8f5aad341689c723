/** A folder of `countersign init --live` with the packages of the repository, and its scripts. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { symlink } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { newFolder } from "./Folder.ts"
import { inProcess } from "./InProcess.ts"
import { binaries, repository } from "./ServerProcess.ts"

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  const listening = once(server.listen(port, "127.0.0.1"), "listening").then(
    () => true,
    () => false,
  )
  const free = await listening
  if (free) await new Promise((resolve) => server.close(resolve))
  return free
}

/** A port that is free like the next one, which the bank takes. Outside of the range from which the system gives ports. */
const freePorts = async (): Promise<number> => {
  for (let port = 20_000 + (process.pid % 10_000); ; port += 2) {
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

export interface Script extends AsyncDisposable {
  readonly output: () => string
  readonly exited: Promise<number | null>
}

/** Runs a line of `package.json` in a folder. */
export const script = (cwd: string, line: string): Script => {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:COUNTERSIGN_|NODE_|VITEST)/u.test(name))
  const env = { ...Object.fromEntries(own), PATH: `${binaries}:${process.env["PATH"] ?? ""}` }
  const child = spawn("/bin/sh", ["-c", `exec ${line}`.replace(/^exec (?=set )/u, "")], {
    cwd,
    env: { ...env, PYTHONUNBUFFERED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output: Array<string> = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text))
  }
  const exited = once(child, "close").then(([code]): number | null => code)
  return {
    output: () => output.join(""),
    exited,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
      await exited
    },
  }
}

/** Makes the folder `pay` of a deployment. */
export const liveFolder = async (bank: string, store: string) => {
  const parent = await newFolder()
  const port = await freePorts()
  const path = join(parent.path, "pay")
  const made = await inProcess(["init", "--live", "--bank", bank, "--store", store, "--port", String(port), path])
  if (made.code !== 0) throw new Error(made.stderr)
  await symlink(join(repository, "node_modules"), join(path, "node_modules"), "dir")
  return { path, port, made, [Symbol.asyncDispose]: () => parent[Symbol.asyncDispose]() }
}
