/**
 * The auditor finds each problem of delegated keys in a run that was corrupted for it.
 * Source: wire contract 4.1 and 4.11; D-177, D-261.
 */
import type { Reply } from "@countersign/test"
import { describe, it } from "vitest"
import type { Body } from "./Answers.ts"
import { answering, findsIn, unheard, withBody, withData } from "./Corruptions.ts"

const finds = findsIn("delegated")

const lists = (corrupt: (each: Body) => ReadonlyArray<Body>) =>
  answering(
    (method, path) => method === "GET" && path.startsWith("/auth/delegated-keys?"),
    withData((data) => data.flatMap(corrupt)),
  )

const purchases = (corrupt: (reply: Reply) => Reply) =>
  answering((method, path) => method === "POST" && path.includes("/simulate/"), corrupt)

describe("the auditor of delegated keys", { timeout: 120_000 }, () => {
  it("finds a purchase without an active key, and one that was declined in spite of it", async () => {
    const approved = purchases((reply) => withBody(reply, { declineReason: undefined }))
    await finds(approved, /a purchase was approved without an active delegated key/u)
    const declined = purchases((reply) =>
      reply.status === 202 ? withBody(reply, { declineReason: "FUNDING_SOURCE_UNAVAILABLE" }) : reply,
    )
    await finds(declined, /a purchase was declined in spite of an active delegated key/u)
  })

  it("finds a revocation without an effect: the key signs on", async () => {
    const revoked = unheard("DELETE", /^\/auth\/delegated-keys\//u, { status: 204, body: undefined })
    await finds(
      revoked,
      /DelegatedKey:\S+ is ACTIVE, and should be REVOKED/u,
      /a purchase was approved without an active delegated key/u,
    )
  })

  it("finds a key that is lost, listed in another state, or exists without a registration", async () => {
    await finds(
      lists(() => []),
      /DelegatedKey:\S+ was registered and is not listed/u,
    )
    await finds(
      lists((each) => [
        { ...each, status: "ACTIVE" },
        ...["a", "b", "c"].map((id) => ({ ...each, id: `DelegatedKey:${id}` })),
      ]),
      /DelegatedKey:\S+ is ACTIVE, and should be \w+/u,
      /DelegatedKey:c is listed and nobody registered it/u,
      /two delegated keys are the same/u,
      /\d delegated keys of one funding source are active/u,
      /\d keys of one funding source are active/u,
    )
  })
})
