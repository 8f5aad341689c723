/**
 * A headless browser of one's own: `await using chrome = await browser()`. It is spoken to over a pipe, so it opens no port; it has a
 * profile of its own, and ends with whoever started it.
 * Source: D-168; Chrome DevTools Protocol.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import { chromium } from "./Chromium.ts"

interface Members {
  readonly [member: string]: unknown
}

export interface Page {
  /** A command of the protocol. */
  readonly send: (method: string, parameters?: Members) => Promise<Members>
  /** Goes there, and waits until it is loaded. */
  readonly open: (url: string) => Promise<void>
  /** The value of an expression, awaited; what it throws rejects. */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** What the page wrote on its console, and what it did not catch. */
  readonly console: ReadonlyArray<string>
  readonly screenshot: () => Promise<Buffer>
  /** From now on a virtual authenticator answers for passkeys, as a person would who is there and is willing. */
  readonly addAuthenticator: (options?: Members) => Promise<string>
}

export interface Browser extends AsyncDisposable {
  readonly version: string
  readonly pid: number
  /** A page that shares nothing with others. */
  readonly page: (url: string) => Promise<Page>
}

const flags = [
  "--headless",
  // It is started as root in containers, which its own sandbox refuses.
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--disable-software-rasterizer",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--no-first-run",
  "--remote-debugging-pipe",
]

/** How long a browser has to end when it is asked to. */
const graceMillis = 5_000

/** Ends a process group, if there is anything left of it. */
const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // Nobody is left in it.
  }
}

interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: Members
  readonly result?: Members
  readonly error?: { readonly message: string }
}

/** The protocol over two pipes: JSON with a zero byte behind each message. */
const connect = (child: ChildProcess, complaint: () => string) => {
  const input = child.stdio[3] as Writable
  const output = child.stdio[4] as Readable
  const waiting = new Map<number, PromiseWithResolvers<Members>>()
  const listeners = new Set<(message: Message) => void>()
  let last = 0
  let rest = Buffer.alloc(0)

  const take = ({ error, id, result = {}, ...event }: Message) => {
    const caller = id === undefined ? undefined : waiting.get(id)
    if (caller === undefined || id === undefined) for (const listener of listeners) listener(event)
    else {
      waiting.delete(id)
      if (error === undefined) caller.resolve(result)
      else caller.reject(new Error(error.message))
    }
  }
  output.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message: Message = JSON.parse(rest.subarray(0, end).toString("utf8"))
      rest = rest.subarray(end + 1)
      take(message)
    }
  })
  // A browser that is gone answers nobody any more.
  const abandon = () => {
    for (const { reject } of waiting.values()) reject(new Error(`the browser ended: ${complaint()}`))
    waiting.clear()
  }
  child.once("close", abandon)
  child.once("error", abandon)
  input.on("error", abandon)

  const send = (method: string, params: Members = {}, sessionId?: string): Promise<Members> => {
    last += 1
    const answer = Promise.withResolvers<Members>()
    waiting.set(last, answer)
    const head = sessionId === undefined ? {} : { sessionId }
    input.write(`${JSON.stringify({ id: last, method, params, ...head })}\0`)
    if (child.exitCode !== null || child.signalCode !== null) abandon()
    return answer.promise
  }
  return { send, listeners }
}

type Connection = ReturnType<typeof connect>

const textOf = (value: unknown): string => {
  const { description, value: given }: { description?: unknown; value?: unknown } = Object(value)
  return typeof description === "string" ? description : String(given)
}

const pageOf = async ({ listeners, send }: Connection): Promise<Page> => {
  const { browserContextId } = await send("Target.createBrowserContext")
  const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId })
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true })
  const own: Page["send"] = (method, parameters) => send(method, parameters, String(sessionId))
  const said: Array<string> = []
  const loads = new EventTarget()
  listeners.add(({ method, params = {}, sessionId: of }) => {
    if (of !== sessionId) return
    const { args, exceptionDetails } = params
    if (method === "Page.loadEventFired") loads.dispatchEvent(new Event("load"))
    if (method === "Runtime.consoleAPICalled" && Array.isArray(args)) said.push(args.map(textOf).join(" "))
    if (method === "Runtime.exceptionThrown") said.push(textOf(Object(exceptionDetails).exception))
  })
  await Promise.all([own("Page.enable"), own("Runtime.enable")])

  const open: Page["open"] = async (url) => {
    const loaded = once(loads, "load")
    const { errorText } = await own("Page.navigate", { url })
    if (errorText !== undefined) throw new Error(`${url}: ${errorText}`)
    await loaded
  }
  return {
    send: own,
    open,
    console: said,
    evaluate: async (expression) => {
      const asked = { expression, awaitPromise: true, returnByValue: true, userGesture: true }
      const { exceptionDetails, result } = await own("Runtime.evaluate", asked)
      if (exceptionDetails !== undefined) throw new Error(textOf(Object(exceptionDetails).exception))
      return Object(result).value
    },
    screenshot: async () => {
      const { data } = await own("Page.captureScreenshot")
      return Buffer.from(String(data), "base64")
    },
    addAuthenticator: async (options = {}) => {
      await own("WebAuthn.enable")
      const { authenticatorId } = await own("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
          ...options,
        },
      })
      return String(authenticatorId)
    },
  }
}

/** Rejects where the browser cannot start, with what it said: nothing is skipped. */
export const browser = async (): Promise<Browser> => {
  const { environment, program } = await chromium()
  const profile = mkdtempSync(join(tmpdir(), "countersign-browser-"))
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`], {
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    env: { ...environment, HOME: profile, TZ: "UTC", PATH: process.env["PATH"] ?? "" },
    // A group of its own: what it starts ends with it.
    detached: true,
  })
  let complaints = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    complaints = (complaints + chunk.toString("utf8")).slice(-4_000)
  })
  const ended = Promise.race([once(child, "close"), once(child, "error").then(([error]) => (complaints += error))])
  const connection = connect(child, () => complaints)

  const dispose = async () => {
    const { pid } = child
    if (pid !== undefined && child.exitCode === null && child.signalCode === null) {
      connection.send("Browser.close").catch(() => undefined)
      const grace = AbortSignal.timeout(graceMillis)
      const late = once(grace, "abort").then(() => endGroup(pid))
      await Promise.race([ended, late])
    }
    await ended
    // What it had started notices its end by itself, though not at once.
    if (pid !== undefined) endGroup(pid)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const { product } = await connection.send("Browser.getVersion")
    return {
      version: String(product),
      pid: child.pid ?? 0,
      page: async (url) => {
        const page = await pageOf(connection)
        await page.open(url)
        return page
      },
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}
