/**
 * Forms that are refused before their end, sent in one process with the service: the answer comes, and nothing fails afterwards.
 * Source: D-376, D-423.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { passport, pdfFile, pdfText, person, sendForm } from "./DocumentHarness.ts"

const megabytes = (count: number) => "x".repeat(count * 1_000_000)

let pay: Harness
const rejections: Array<unknown> = []
const note = (reason: unknown) => rejections.push(reason)
beforeAll(async () => {
  pay = await harness({ tape: false })
  process.on("unhandledRejection", note)
})
afterAll(() => void process.off("unhandledRejection", note))

it.each<readonly [string, number, (holder: string) => Promise<{ readonly status: number }>]>([
  [
    "a file that is too large",
    400,
    (holder) =>
      sendForm(pay, "POST", "/documents", passport(holder, { file: pdfFile("a.pdf", pdfText + megabytes(20)) })),
  ],
  [
    "a file of another type",
    400,
    (holder) => sendForm(pay, "POST", "/documents", passport(holder, { file: pdfFile("a.pdf", megabytes(9)) })),
  ],
  [
    "other parts that are too large",
    400,
    (holder) => sendForm(pay, "POST", "/documents", { note: megabytes(5), ...passport(holder), more: megabytes(5) }),
  ],
  [
    "a path that takes no form",
    403,
    () => sendForm(pay, "POST", "/customers", { file: pdfFile("a.pdf", megabytes(9)) }),
  ],
  [
    "wrong credentials",
    401,
    (holder) =>
      sendForm(pay, "POST", "/documents", passport(holder, { file: pdfFile("a.pdf", megabytes(9)) }), {
        authorization: "Basic x",
      }),
  ],
])("a form with %s is refused, and what is not read of it fails nowhere", async (_, status, send) => {
  const reply = await send(await person(pay))
  expect(reply.status).toBe(status)
  // The sender writes the rest of its form in later turns.
  for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate)
  expect(rejections).toEqual([])
})
