/** Runs an example project in its own process, with the requests for each server: an agent's transfer-in, pending and approved. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { delimiter, join } from "node:path"
import { basic, client } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { balanceOf, held, newAgent, newCustomer, newSource, transfer } from "../e2e/Flow.ts"
import { binaries } from "../e2e/ServerProcess.ts"

export interface Example extends AsyncDisposable {
  /** Base address with the base path, from the ready line. */
  readonly base: string
  readonly stdout: () => string
  /** Stops the process, and returns its exit code. */
  readonly stop: () => Promise<number | null>
}

const environment = (more: Readonly<Record<string, string>>) => {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:COUNTERSIGN_|NODE_|VITEST|PORT$)/u.test(name))
  return { ...Object.fromEntries(own), PATH: `${binaries}${delimiter}${process.env["PATH"] ?? ""}`, PORT: "0", ...more }
}

/** Starts `src/main.ts` of a project, and waits for its ready line. */
export const start = async (project: string, env: Readonly<Record<string, string>> = {}): Promise<Example> => {
  const child = spawn(join(binaries, "node"), ["src/main.ts"], {
    cwd: project,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  })
  const output: Array<string> = []
  const listen = (text: string) => void output.push(text)
  child.stdout.setEncoding("utf8").on("data", listen)
  child.stderr.setEncoding("utf8").on("data", listen)
  const exited = once(child, "close").then(([code]): number | null => code)
  const ready = () => /^ready (http:\/\/\S+)$/mu.exec(output.join(""))?.[1]
  const isSettled = (base: string | undefined) => base !== undefined || child.exitCode !== null
  const base = await eventually("the ready line", ready, isSettled, 60_000)
  if (base === undefined) throw new Error(`it ended before it was ready: ${output.join("")}`)
  const stop = () => {
    child.kill("SIGTERM")
    return exited
  }
  return {
    base,
    stdout: () => output.join(""),
    stop,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
      await exited
    },
  }
}

/** Runs a new user's first requests; returns the statuses of a small and a pending transfer, and the balance. */
export const tour = async (base: string) => {
  const platform = client(base, basic("demo", "demo-secret"))
  const customer = await newCustomer(platform)
  const source = await newSource(platform, customer)
  const policy = { approvalThresholds: { currency: "USD", amount: 10_000 } }
  const agent = await newAgent(base, platform, customer, policy)
  const small = await agent.send("POST", "/agents/me/transfer-in", { body: transfer(source, customer, 5000) })
  const action = await held(agent, transfer(source, customer, 20_000))
  const approved = await platform("POST", `/agents/${agent.agentId}/actions/${action}/approve`)
  const malformed = await platform("POST", "/customers", { body: {} })
  const balance = await eventually(
    "the money",
    () => balanceOf(platform, customer),
    (found) => found === 25_000,
  )
  return {
    small: [small.status, small.body["status"]],
    approved: [approved.status, approved.body["status"]],
    malformed: [malformed.status, malformed.body["code"]],
    balance,
  }
}
