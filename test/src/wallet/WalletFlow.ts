/**
 * Complete flow of a wallet's owner, beginning with one type of credential: registration, use, a second credential, contact changes and
 * revocation until one credential is left. It records the secrets of all requests and answers.
 * Source: wire contract 4.
 */
import { type KeyPair, SignedClient } from "@countersign/client"
import { CredentialType, serviceNameDefault } from "@countersign/core/models"
import { expect } from "vitest"
import {
  type Device,
  type DeviceConnection,
  type DeviceOptions,
  device,
} from "../../../packages/test/src/harness/Device.ts"
import { at } from "../customer/CustomerRequests.ts"

export const credentialTypes = CredentialType.literals

/** Recorded secrets with their names. */
export type Secrets = ReadonlyArray<readonly [name: string, secret: string]>

/** Members of requests and answers that must not appear in a store or a log. */
const secretMembers = [
  "oidcToken",
  "challenge",
  "encryptedOtpBundle",
  "encryptedSessionSigningKey",
  "encryptedWalletCredentials",
] as const

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Records the secrets of every request and answer. */
const recording = (transport: DeviceConnection, record: (name: string, secret: unknown) => void): DeviceConnection => {
  const search = (text: string) => {
    const body = parsed(text)
    for (const member of secretMembers) record(member, at({ body }, member))
  }
  return {
    ...transport,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      search(await request.clone().text())
      const response = await transport.fetch(request)
      search(await response.clone().text())
      return response
    },
  }
}

/** Contacts that the first credential needs. */
const contactsOf: { readonly [T in CredentialType]: NonNullable<DeviceOptions["contacts"]> } = {
  EMAIL_OTP: { email: "first@flow.example" },
  SMS_OTP: { phoneNumber: "+14155550101" },
  PASSKEY: {},
  OAUTH: {},
}

/** Type of the second credential. */
const secondOf: { readonly [T in CredentialType]: CredentialType } = {
  EMAIL_OTP: "PASSKEY",
  SMS_OTP: "OAUTH",
  PASSKEY: "OAUTH",
  OAUTH: "PASSKEY",
}

/** Contact change of an OTP flow. */
const changeOf: { readonly [T in CredentialType]?: Readonly<Record<string, string>> } = {
  EMAIL_OTP: { email: "moved@flow.example" },
  SMS_OTP: { phoneNumber: "+14155550199" },
}

const wrongOf = { EMAIL_OTP: "code", SMS_OTP: "bundle", PASSKEY: "signature", OAUTH: "otherSubject" } as const

export interface WalletFlow {
  readonly device: Device
  readonly secrets: Secrets
}

export const walletFlow = async (
  first: CredentialType,
  deviceKeys: DeviceConnection,
  options: Omit<DeviceOptions, "contacts">,
): Promise<WalletFlow> => {
  const secrets: Array<readonly [string, string]> = []
  const record = (name: string, secret: unknown) => {
    if (typeof secret === "string") secrets.push([name, secret])
  }
  const transport = recording(deviceKeys, record)
  const codeOf = async (contact: string) => {
    const code = await options.codeOf?.(contact)
    record("a code", code)
    return code ?? ""
  }
  const { baseUrl, fetch, headers, serviceName = serviceNameDefault } = transport
  const own = await device(transport, { ...options, contacts: contactsOf[first], codeOf })
  const { accountId, customerId } = own
  const second = secondOf[first]
  const account = `/internal-accounts/${accountId}`

  const by = (keys: KeyPair) =>
    new SignedClient({ baseUrl, fetch, headers, serviceName, sign: (payload) => own.crypto.stamp(keys, payload) })
  const keysOf = () => {
    if (own.session === undefined) throw new Error("no session is held")
    record("a private key", own.crypto.exportKeys(own.session.keys))
    return own.session.keys
  }
  const list = async (of: "credentials" | "sessions") =>
    at(await own.signedSend("GET", `/auth/${of}?accountId=${accountId}`), "data") as ReadonlyArray<{ id: string }>

  // The first credential is registered or already exists; it accepts a right answer and refuses a wrong one.
  const firstId = own.credentials[first] ?? (await own.register(first))
  expect(await list("credentials")).toMatchObject([{ id: firstId, type: first, accountId }])
  expect(await list("sessions")).toEqual([])
  const wrong = own.signIn(first, { wrong: wrongOf[first] })
  await expect(wrong).rejects.toMatchObject({ status: 401, code: "UNAUTHORIZED", reason: expect.any(String) })
  const session = await own.signIn(first)
  const [listed, ...others] = await list("sessions")
  expect(listed).toMatchObject({ id: session.id, type: first, accountId })
  expect(listed).not.toHaveProperty("encryptedSessionSigningKey")
  expect(others).toEqual([])

  // The refreshed session keeps its id, and its old key is refused.
  const before = keysOf()
  expect((await own.refresh()).id).toBe(session.id)
  await expect(by(before).request("PATCH", account, { body: { privateEnabled: true } })).rejects.toMatchObject({
    status: 401,
    code: "WALLET_SIGNATURE_INVALID",
    reason: "Session not active",
  })

  // The session signs the privacy change and the export, whose words are always the same.
  expect(await by(keysOf()).request("PATCH", account, { body: { privateEnabled: true } })).toMatchObject({
    status: 200,
    body: { id: accountId, privateEnabled: true },
  })
  const words = await own.exportWords()
  expect(words.split(" ")).toHaveLength(12)
  record("the words", words)

  // The contact changes with its credential, and the next code is sent to the new contact.
  const change = changeOf[first]
  if (change !== undefined) {
    const moved = await own.signedSend("PATCH", `/customers/${customerId}`, { customerType: "INDIVIDUAL", ...change })
    expect(moved).toMatchObject({ status: 200, body: change })
    expect(await list("credentials")).toMatchObject([{ id: firstId, nickname: Object.values(change)[0] }])
    await own.signIn(first, { clientHeld: true })
    keysOf()
  }

  // A session of the second credential exports the same words.
  const firstKeys = keysOf()
  const secondId = await own.register(second)
  const another = await own.signIn(second, { clientHeld: true })
  expect(await own.exportWords()).toBe(words)
  expect(await list("credentials")).toHaveLength(2)
  await expect(own.register(second)).rejects.toMatchObject({ name: "RequestRefused", status: 400 })

  // Sessions revoke themselves and each other.
  const gone = await own.signedSend("DELETE", `/auth/sessions/${another.id}`)
  expect([gone.status, gone.body]).toEqual([204, undefined])
  expect((await list("sessions")).map(({ id }) => id)).not.toContain(another.id)
  await own.signIn(second)
  keysOf()

  // A session of the other credential revokes the first one and its sessions; the last credential stays.
  await expect(by(firstKeys).request("DELETE", `/auth/credentials/${firstId}`)).rejects.toMatchObject({
    code: "WALLET_SIGNATURE_INVALID",
    reason: "Session not admitted",
  })
  expect((await own.signedSend("DELETE", `/auth/credentials/${firstId}`)).status).toBe(204)
  expect(await list("credentials")).toMatchObject([{ id: secondId, type: second }])
  expect(await list("sessions")).toMatchObject([{ id: own.session?.id, type: second }])
  await expect(own.signedSend("DELETE", `/auth/credentials/${secondId}`)).rejects.toMatchObject({
    status: 400,
    details: { reason: "LAST_CREDENTIAL" },
  })
  return { device: own, secrets }
}
