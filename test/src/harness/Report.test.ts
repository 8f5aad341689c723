/** The report of a run: sandbox leniencies it relied on, and codes, transitions and rules it reached; several processes share one report. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const run = (folder: string, body: string) => {
  const text = `import { agentHarness, harness, report, reportText } from "@countersign/test"\n${body}`
  const { stderr, stdout } = spawnSync(
    process.execPath,
    ["--conditions=@countersign/source", "--input-type=module", "-e", text],
    { encoding: "utf8", env: { ...process.env, COUNTERSIGN_REPORT: folder } },
  )
  return { stdout, stderr }
}

const lines = (text: string, title: string) => text.split("\n").filter((line) => line.includes(title))

describe("the report of a run", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-"))

  it("starts with nothing reached and counts what the run reaches", () => {
    const { stdout } = run(
      folder,
      `{ await using pay = await agentHarness()
         await pay.send("GET", "/customers/Customer:nobody") }
       console.log(reportText(report()))`,
    )
    expect(stdout).toContain("Strict: the run relied on no sandbox-only leniency.")
    expect(lines(stdout, "USER_NOT_FOUND")).toEqual([])
    expect(lines(stdout, "never  USER_LOCKED").length + lines(stdout, "never  RATE_LIMITED").length).toBe(1)
    expect(lines(stdout, "Arrows: ")[0]).toMatch(/^Arrows: [1-9]\d* of \d+ reached$/u)
    expect(lines(stdout, "Rules: ")[0]).toMatch(/^Rules: 0 of \d+ reached$/u)
    expect(stdout).toContain("never  AgentSpending: ")
  })

  it("lists a leniency with its description", () => {
    const { stdout } = run(
      folder,
      `{ await using pay = await harness({ scaRegions: ["DE"] })
         const customer = await pay.client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL", region: "DE", email: "ada@example.com" } })
         await pay.send("POST", "/customers/" + customer.id + "/verify-email")
         await pay.send("POST", "/customers/" + customer.id + "/verify-email/confirm", { body: { code: "123456" } }) }
       console.log(reportText(report()))`,
    )
    expect(stdout).toContain("Lenient: the run relied on sandbox-only leniencies.")
    expect(stdout).toContain("1 times  FIXED_CODE: a fixed code replaced one that a customer would receive")
  })

  it.each([
    ["FIXED_OTP", `await device.signIn("EMAIL_OTP")`],
    ["TOKEN_SIGNATURE_UNCHECKED", `await device.signIn("OAUTH")`],
    [
      "PASSKEY_SIGNATURE_LITERAL",
      `const id = await device.register("PASSKEY")
       const clientPublicKey = (await device.crypto.makeKeys()).publicKey.uncompressed
       const { body } = await pay.send("POST", "/auth/credentials/" + id + "/challenge", { body: { clientPublicKey } })
       const assertion = { ...device.passkey.assert(body.challenge), signature: "sandbox-valid-passkey-signature" }
       const reply = await pay.send("POST", "/auth/credentials/" + id + "/verify", {
         headers: { "request-id": body.requestId }, body: { type: "PASSKEY", assertion } })
       if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))`,
    ],
    [
      "WALLET_SIGNATURE_LITERAL",
      `await device.signIn("PASSKEY")
       const path = "/internal-accounts/" + device.accountId
       const { body } = await pay.send("PATCH", path, { body: { privateEnabled: true } })
       const reply = await pay.send("PATCH", path, { body: { privateEnabled: true },
         headers: { "request-id": body.requestId, "service-wallet-signature": "sandbox-valid-signature" } })
       if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))`,
    ],
  ])("lists the wallet leniency %s alone", (name, body) => {
    const { stdout } = run(
      join(folder, "wallets"),
      `{ await using pay = await harness()
         const device = await pay.device({ contacts: ${name === "FIXED_OTP" ? `{ email: "ada@example.com" }` : "{}"} })
         ${body} }
       console.log(report().leniencies.map(({ name }) => name).join())`,
    )
    expect(stdout).toBe(`${name}\n`)
  })

  it("combines the counts of all processes", () => {
    const { stderr, stdout } = run(
      join(folder, "other"),
      `import { gather } from "@countersign/test"
       console.log(reportText(report(gather(${JSON.stringify(folder)}))))`,
    )
    expect(stderr.replaceAll(/^npm warn.*$/gmu, "")).toBe("")
    expect(stdout).toContain("1 times  FIXED_CODE")
    expect(lines(stdout, "never  USER_NOT_FOUND")).toEqual([])
    rmSync(folder, { recursive: true })
  })
})
