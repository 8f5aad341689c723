/** People who sign in on the console, with a name alone or with a passkey, and what is refused. */
import { ApiTokens, type Caller, ConsoleSessions } from "@countersign/core"
import { Result } from "effect"
import { type PasskeyDevice, passkeyDevice } from "../../../packages/test/src/harness/PasskeyDevice.ts"
import { deviceOf, newHolder, origin } from "../approval/ConsoleSteps.ts"
import type { TranscriptSteps } from "./TranscriptWorld.ts"

const textOf = (challenge: string) => Buffer.from(challenge).toString("base64url")

export const consoleSteps = async ({ pay, run }: TranscriptSteps) => {
  const holder = await newHolder(pay)
  const signIn = (name: string, as: Caller = holder) =>
    run(
      `sign in ${name}`,
      ConsoleSessions.use((all) => all.signIn(name, origin)),
      as,
    )
  await signIn("?")
  await signIn("Mary Somerville")
  await signIn("MARY  Somerville")
  await signIn("Mary", { ...holder, tokenId: "ApiToken:none" })
  const gone = await newHolder(pay)
  const mary = deviceOf("Mary Somerville")
  const begin = async (name: string, as: Caller = holder) =>
    Result.getOrThrow(
      await run(
        `challenge ${name}`,
        ConsoleSessions.use((all) => all.challenge(name, origin)),
        as,
      ),
    )
  const prove = (
    sessionId: string,
    used: Pick<ReturnType<PasskeyDevice["register"]>, "clientDataJson" | "credentialId">,
    from = origin,
    as: Caller = holder,
  ) =>
    run(
      "prove",
      ConsoleSessions.use((all) => all.prove({ sessionId, ...used }, from)),
      as,
    )
  const first = await begin("Mary Somerville")
  await prove(first.sessionId, mary.register(textOf(first.challenge)), "https://other.example.com")
  await prove(first.sessionId, mary.register(textOf(first.challenge)))
  const second = await begin("Mary Somerville")
  await prove(second.sessionId, mary.register(textOf(second.challenge), "challenge"))
  const third = await begin("Mary Somerville")
  await prove(third.sessionId, mary.register(textOf(third.challenge)), origin, gone)
  await prove(third.sessionId, mary.register(textOf(third.challenge)))
  const late = await begin("Mary Somerville")
  await pay.clock.advance("5 minutes")
  await prove(late.sessionId, mary.assert(late.challenge))
  const wrong = await begin("mary somerville")
  await prove(wrong.sessionId, mary.assert(wrong.challenge, "signature"))
  await prove(wrong.sessionId, { credentialId: "x", clientDataJson: "{" })
  const unread = await begin("Mary Somerville")
  await prove(unread.sessionId, { ...mary.assert(unread.challenge), clientDataJson: textOf("[]") })
  const last = await begin("Mary Somerville", gone)
  await prove(last.sessionId, mary.assert(last.challenge), origin, gone)
  const asked = await begin("Mary Somerville", gone)
  await run(
    "remove the token",
    ApiTokens.use((all) => all.remove(gone.tokenId ?? "")),
  )
  await signIn("Mary Somerville", gone)
  await prove(asked.sessionId, mary.assert(asked.challenge), origin, gone)
  await run(
    "challenge of a removed token",
    ConsoleSessions.use((all) => all.challenge("Mary Somerville", origin)),
    gone,
  )
  for (const more of [{ relyingPartyId: "example.com" }, { verifiesUser: false }]) {
    const device = passkeyDevice({ seed: "Sophie Germain", origin, relyingPartyId: "pay.example.com", ...more })
    const begun = await begin("Sophie Germain")
    await prove(begun.sessionId, device.register(textOf(begun.challenge)))
  }
  const note = (id: string) =>
    run(
      "note activity",
      ConsoleSessions.use((all) => all.noteActivity(id)),
      holder,
    )
  for (const wait of ["1 second", "59 seconds", "29 minutes", "31 minutes"] as const) {
    await pay.clock.advance(wait)
    await note(third.sessionId)
  }
  await note("ConsoleSession:00000000-0000-4000-8000-000000000001")
  for (const _ of [1, 2])
    await run(
      "sign out",
      ConsoleSessions.use((all) => all.signOut(third.sessionId)),
      holder,
    )
}
