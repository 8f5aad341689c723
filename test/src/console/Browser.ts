/**
 * A headless browser for a test: `await using chrome = await browser()`. It is controlled through a pipe, so it opens no port. It has a
 * profile of its own and ends with the test.
 * Source: D-168.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CDPSession, launch, type Browser as Puppeteer } from "puppeteer-core"
import { chromium } from "./Chromium.ts"

interface Members {
  readonly [member: string]: unknown
}

export interface Page {
  /** Sends a command of the DevTools protocol. */
  readonly send: (method: Parameters<CDPSession["send"]>[0], parameters?: Members) => Promise<Members>
  /** Navigates to the address and waits for the load event. */
  readonly open: (url: string) => Promise<void>
  /** The value of an expression, awaited; an exception rejects. */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** What the page wrote to its console, and its uncaught exceptions. */
  readonly console: ReadonlyArray<string>
  readonly screenshot: () => Promise<Buffer>
  /** Adds a virtual authenticator that confirms every passkey request; returns its id. */
  readonly addAuthenticator: (options?: Members) => Promise<string>
}

export interface Browser extends AsyncDisposable {
  readonly version: string
  readonly pid: number
  /** A page that shares nothing with others. */
  readonly page: (url: string) => Promise<Page>
}

const flags = [
  // Tests run as root in containers, where Chromium's own sandbox does not start.
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--disable-software-rasterizer",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
]

const textOf = ({ description, value }: { readonly description?: string; readonly value?: unknown }): string =>
  description ?? String(value)

const pageOf = async (chrome: Puppeteer): Promise<Page> => {
  const context = await chrome.createBrowserContext()
  const page = await context.newPage()
  const session = await page.createCDPSession()
  const lines: Array<string> = []
  // The page's own calls and exceptions, in order; puppeteer's console event adds Chromium's remarks on failed requests.
  session.on("Runtime.consoleAPICalled", ({ args }) => lines.push(args.map(textOf).join(" ")))
  session.on("Runtime.exceptionThrown", ({ exceptionDetails: { exception, text } }) =>
    lines.push(exception === undefined ? text : textOf(exception)),
  )
  await session.send("Runtime.enable")
  const send: Page["send"] = async (method, parameters) => Object(await session.send(method, parameters as never))
  return {
    send,
    open: async (url) => {
      await page.goto(url, { waitUntil: "load" })
    },
    console: lines,
    evaluate: (expression) => page.evaluate(expression),
    screenshot: async () => Buffer.from(await page.screenshot()),
    addAuthenticator: async (options = {}) => {
      await send("WebAuthn.enable")
      const { authenticatorId } = await send("WebAuthn.addVirtualAuthenticator", {
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

/** Rejects with Chromium's own output if it cannot start; nothing is skipped. */
export const browser = async (): Promise<Browser> => {
  const { environment, program } = await chromium()
  const profile = mkdtempSync(join(tmpdir(), "countersign-browser-"))
  const forget = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  try {
    const chrome = await launch({
      executablePath: program,
      args: flags,
      pipe: true,
      userDataDir: profile,
      env: { ...environment, HOME: profile, TZ: "UTC", PATH: process.env["PATH"] ?? "" },
      // A test decides the size of its page.
      defaultViewport: null,
    })
    return {
      version: await chrome.version(),
      pid: chrome.process()?.pid ?? 0,
      page: async (url) => {
        const page = await pageOf(chrome)
        await page.open(url)
        return page
      },
      [Symbol.asyncDispose]: async () => {
        await chrome.close()
        forget()
      },
    }
  } catch (error) {
    forget()
    throw error
  }
}
