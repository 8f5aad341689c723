/**
 * The part of the auditor for the embedded wallet: its credentials and sessions are those that were issued and not ended, no request id was
 * accepted twice, its privacy is that of the last change, and all exports have the same words.
 * Source: wire contract 4.2, 4.6, 4.7 and 4.10.
 */
import type { AuditRecordResource, InternalAccountResource } from "@countersign/core/models"
import { isReplaced } from "./AcceptedChange.ts"
import type { Answers, Body } from "./Answers.ts"
import { bodyOf } from "./ClientRequests.ts"
import { knownCredentials } from "./SignIns.ts"
import type { Pay } from "./World.ts"

type Listed = ReadonlyArray<Body & { readonly id: string; readonly type: string }>

const listOf = async (pay: Pay, what: "credentials" | "sessions"): Promise<Listed> =>
  bodyOf(await pay.send("GET", `/auth/${what}?accountId=${pay.wallet.accountId}`))["data"] as Listed

const repeated = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.filter((id, index) => ids.indexOf(id) !== index)

const credentialProblems = (pay: Pay, answers: Answers, listed: Listed): ReadonlyArray<string> => {
  const { deleted } = answers.wallet
  const known = knownCredentials({ pay, answers })
  const ids = listed.map(({ id }) => id)
  return [
    ...repeated(ids).map((id) => `${id} is listed twice`),
    ...[...known.keys()]
      .filter((id) => !deleted.has(id) && !ids.includes(id))
      .map((id) => `${id} was registered and is not listed`),
    ...ids.filter((id) => deleted.has(id)).map((id) => `${id} was deleted and is listed`),
    ...listed.flatMap(({ id, type }) => {
      const registered = known.get(id)?.type
      if (registered === undefined) return [`${id} is listed and nobody registered it`]
      return registered === type ? [] : [`${id} is listed as ${type} and was registered as ${registered}`]
    }),
  ]
}

/** The sessions now: call it before time ends them. */
export const sessionProblems = async (pay: Pay, answers: Answers): Promise<ReadonlyArray<string>> => {
  const { deleted, sessions, unknownSignIns } = answers.wallet
  const now = await pay.clock.now()
  const listed = await listOf(pay, "sessions")
  const ids = listed.map(({ id }) => id)
  const unknown = ids.filter((id) => !sessions.has(id))
  return [
    ...repeated(ids).map((id) => `${id} is listed twice`),
    ...[...sessions].flatMap(([id, { credentialId, expiresAtMillis, isRevoked }]) => {
      const isActive = !isRevoked && !deleted.has(credentialId) && now < expiresAtMillis
      const found = listed.find((each) => each.id === id)
      if (isActive !== (found !== undefined))
        return [`${id} is ${isActive ? "active and not listed" : "ended and is listed"}`]
      const end = Date.parse(String(found?.["expiresAt"] ?? new Date(expiresAtMillis).toISOString()))
      return end === expiresAtMillis ? [] : [`${id} ends ${end - expiresAtMillis} ms later than it should`]
    }),
    ...(unknown.length <= unknownSignIns.length ? [] : unknown.map((id) => `${id} exists without a sign-in`)),
  ]
}

const privacyProblems = (answers: Answers, account: InternalAccountResource): ReadonlyArray<string> => {
  const all = answers.wallet.privacy
  const last = all.filter((each) => !isReplaced(each, all))
  const is = account.privateEnabled === true
  const isDue = last.length === 0 ? !is : last.some(({ isPrivate }) => isPrivate === is)
  return isDue ? [] : [`${account.id} is private: ${is}, which nobody asked for last`]
}

/** `audited`: the audit of signed actions. */
const requestProblems = (answers: Answers, audited: ReadonlyArray<AuditRecordResource>): ReadonlyArray<string> => {
  const { accepted } = answers.wallet
  const used = audited
    .map(({ details }) => String((details as Body)["signedRequestId"] ?? ""))
    .filter((id) => id !== "")
  return [
    ...[...accepted].filter(([, times]) => times > 1).map(([id, times]) => `${id} was accepted ${times} times`),
    ...repeated(used).map((id) => `${id} is audited twice`),
    ...[...accepted.keys()].filter((id) => !used.includes(id)).map((id) => `${id} was accepted and is not audited`),
  ]
}

const wordCounts = [12, 24]

export const walletProblems = async (
  pay: Pay,
  answers: Answers,
  audited: ReadonlyArray<AuditRecordResource>,
): Promise<ReadonlyArray<string>> => {
  const { words } = answers.wallet
  const account = (await pay.send("GET", `/internal-accounts/${pay.wallet.accountId}`)).body as InternalAccountResource
  return [
    ...credentialProblems(pay, answers, await listOf(pay, "credentials")),
    ...privacyProblems(answers, account),
    ...requestProblems(answers, audited),
    ...(words.size <= 1 ? [] : [`${account.id} was exported with ${words.size} different texts`]),
    ...[...words]
      .filter((text) => !wordCounts.includes(text.split(" ").length))
      .map(() => `${account.id} was exported with another number of words`),
  ]
}
