/** A signed request of a tape is sent twice, with the same sealed code. Source: D-449. */
import { NodeCrypto } from "@countersign/adapter-http"
import { type Hpke, OtpBundle, P256 } from "@countersign/core/crypto"
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { replay } from "../../../packages/client/src/tape/Replay.ts"
import type { Tape } from "../../../packages/client/src/tape/Tape.ts"

const run = <A, E>(effect: Effect.Effect<A, E, P256 | Hpke>) =>
  Effect.runPromise(Effect.provide(effect, NodeCrypto.layer()))
const generate = () => run(P256.use((p256) => p256.generate))

it("the code of a bundle is sealed once, and that of another bundle by itself", async () => {
  const [quorum, target] = await Promise.all([generate(), generate()])
  const bundleOf = () => run(OtpBundle.makeTarget(quorum, target.publicKey, "org-1"))
  const bundles = [await bundleOf(), await run(OtpBundle.makeTarget(quorum, target.publicKey, "org-2"))]
  const challenge = (at: number) => ({ path: `/challenges/${at}`, answer: { status: 200, isBodyUnknown: true } })
  const verify = (at: number) => ({
    path: "/verify",
    body: { code: `{{otp:${at}:bundle}}` },
    answer: { status: 200, isBodyUnknown: true },
  })
  const steps = [challenge(0), challenge(1), verify(0), verify(0), verify(1)].map((step): Tape["steps"][number] => ({
    _tag: "Call",
    as: "platform",
    method: "POST",
    headers: {},
    ...step,
  }))
  const codes: Array<string> = []
  const differences = await replay(
    { format: "countersign tape 1", steps },
    {
      advance: () => Promise.resolve(),
      send: async ({ body, path }) => {
        if (path === "/verify") codes.push(String(Object(body).code))
        return { status: 200, body: { bundle: bundles[Number(path.slice(-1))] } }
      },
    },
  )
  expect(differences).toEqual([])
  const [first, second, other] = codes
  expect(second).toBe(first)
  expect(other).not.toBe(first)
  for (const code of [first, other]) {
    const opened = await run(OtpBundle.open(target, code ?? ""))
    expect(Redacted.value(opened.otpCode)).toBe("000000")
  }
})
