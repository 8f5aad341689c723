/**
 * What the person of an embedded wallet holds: keys, a passkey, an account at an OIDC provider, and the key of a session. It registers and
 * signs in by each type of credential in one call, and signs; a refusal rejects with `SignedRequestError`.
 * Source: wire contract 4; D-272.
 */
import { createHash } from "node:crypto"
import { type KeyPair, type Sign, type SignedAnswer, SignedClient, type WalletCrypto } from "@countersign/client"
import type { CredentialType, OtpType } from "@countersign/core/models"
import { SandboxOtp } from "@countersign/core/sandbox"
import type { RegistrationFaults, SignedFault, SignInFaults } from "./DeviceFaults.ts"
import { faultyRequest } from "./FaultyRequest.ts"
import { type OidcClaims, type OidcPerson, oidcPerson, unsigned } from "./OidcPerson.ts"
import { type PasskeyDevice, type PasskeyDeviceOptions, passkeyDevice } from "./PasskeyDevice.ts"
import { numberOf, seededWallet } from "./SeededWallet.ts"

/** The service that a device speaks to, through its platform. */
export interface DeviceConnection {
  /** With its version segment. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** The platform's credentials. */
  readonly headers: { readonly [name: string]: string }
  readonly now: () => Promise<number>
}

export interface DeviceOptions {
  /** Another seed gives other keys; by default the world's, and the number of the device. */
  readonly seed?: string
  /** A wallet that is there; absent: a customer of its own is made. */
  readonly accountId?: string
  /** Of the customer that is made: with an e-mail address the wallet starts with an `EMAIL_OTP`. */
  readonly contacts?: { readonly email?: string; readonly phoneNumber?: string }
  /** A session that is there, such as a named world's. */
  readonly session?: { readonly sessionId: string; readonly privateKey: string }
  /** The code that was sent to a contact; by default the sandbox's. */
  readonly codeOf?: (contact: string) => string | Promise<string>
  readonly passkey?: Omit<PasskeyDeviceOptions, "seed">
  /** Whose tokens they are, and who signs them; by default nobody. */
  readonly person?: Parameters<typeof oidcPerson>[0]
  readonly tokenOf?: (claims: OidcClaims) => string
}

export interface DeviceSession {
  readonly id: string
  readonly keys: KeyPair
}

export interface Device {
  readonly customerId: string
  readonly accountId: string
  readonly crypto: WalletCrypto
  readonly passkey: PasskeyDevice
  readonly person: OidcPerson
  /** The ids of its credentials, as far as it has registered or found them. */
  readonly credentials: { readonly [T in CredentialType]?: string }
  /** Of the last sign-in or refresh. */
  readonly session: DeviceSession | undefined
  /** A new credential and its id. Where the wallet has one already a session signs: where there is none yet, it signs in first. */
  readonly register: <T extends CredentialType>(
    type: T,
    options?: { readonly wrong?: RegistrationFaults[T] },
  ) => Promise<string>
  /** A new session, held from now on; what is not registered is registered first. `clientHeld`: its key is the device's own. */
  readonly signIn: <T extends CredentialType>(
    type: T,
    options?: { readonly wrong?: SignInFaults[T]; readonly clientHeld?: boolean },
  ) => Promise<DeviceSession>
  /** The session's key is replaced. */
  readonly refresh: () => Promise<DeviceSession>
  /** The wallet's words. */
  readonly exportWords: () => Promise<string>
  /** The signature header of a payload, by the session's key. */
  readonly sign: Sign
  /** A request that the session signs where it is asked to; the last answer. */
  readonly signedSend: (
    method: string,
    path: string,
    body?: object,
    options?: { readonly wrong?: SignedFault },
  ) => Promise<SignedAnswer>
}

const textOf = ({ body, status }: SignedAnswer, name: string): string => {
  const { [name]: value }: { [member: string]: unknown } = Object(body)
  if (typeof value !== "string") throw new Error(`no ${name} in ${status} ${JSON.stringify(body)}`)
  return value
}

const membersOf = ({ body }: SignedAnswer): ReadonlyArray<{ readonly [member: string]: unknown }> => Object(body).data

const digest = (text: string) => createHash("sha256").update(text).digest()

/** A code of the same form that is another one. */
const otherCode = (code: string): string => code.replace(/.$/u, (last) => (last === "1" ? "2" : "1"))

/** The wallet of a customer that is made, or whose it is that is given. */
const walletOf = async (
  request: (method: string, path: string, body?: object) => Promise<SignedAnswer>,
  number: string,
  { accountId, contacts }: DeviceOptions,
) => {
  if (accountId !== undefined) {
    return { accountId, customerId: textOf(await request("GET", `/internal-accounts/${accountId}`), "customerId") }
  }
  const given = contacts ?? { email: `person-${number}@example.com`, phoneNumber: `+1415${number.slice(0, 7)}` }
  const customer = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", ...given }
  const customerId = textOf(await request("POST", "/customers", customer), "id")
  const path = `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`
  return { accountId: String(membersOf(await request("GET", path))[0]?.["id"]), customerId }
}

export const device = async (deck: DeviceConnection, options: DeviceOptions = {}): Promise<Device> => {
  const { baseUrl, headers } = deck
  const { codeOf = () => SandboxOtp.sandboxOtp, seed = "device", tokenOf = unsigned } = options
  const number = String(numberOf(seed)).padStart(10, "0")
  const crypto = seededWallet(seed)
  const passkey = passkeyDevice({ ...options.passkey, seed })
  const person = oidcPerson({ subject: number, email: `person-${number}@mail.example`, ...options.person })
  const credentials: { [T in CredentialType]?: string } = {}
  let session: DeviceSession | undefined
  let registrations = 0

  const sign: Sign = (payload) => {
    if (session === undefined) throw new Error("the device has no session: sign in first")
    return crypto.stamp(session.keys, payload)
  }
  const request = (
    method: string,
    path: string,
    body?: object,
    more: { readonly sign?: Sign; readonly headers?: Record<string, string>; readonly fetch?: typeof fetch } = {},
  ): Promise<SignedAnswer> => {
    const client = new SignedClient({ baseUrl, headers, fetch: more.fetch ?? deck.fetch, sign: more.sign ?? sign })
    return client.request(method, path, {
      ...(body === undefined ? {} : { body }),
      ...(more.headers === undefined ? {} : { headers: more.headers }),
    })
  }
  const wallet = await walletOf(request, number, options)
  const { accountId, customerId } = wallet

  for (const { id, type, credentialId } of membersOf(
    await request("GET", `/auth/credentials?accountId=${accountId}`),
  )) {
    if (type === "EMAIL_OTP" || type === "SMS_OTP") credentials[type] = String(id)
    if (type === "PASSKEY" && credentialId === passkey.credentialId) credentials.PASSKEY = String(id)
  }
  if (options.session !== undefined) {
    const { privateKey, sessionId } = options.session
    session = { id: sessionId, keys: await crypto.importKeys(privateKey) }
  }

  const token = async (wrong: SignInFaults["OAUTH"] | undefined, clientPublicKey?: string) =>
    tokenOf(
      person.claims(await deck.now(), {
        ...(clientPublicKey === undefined ? {} : { clientPublicKey }),
        ...(wrong === undefined ? {} : { wrong }),
      }),
    )

  const registering: { [T in CredentialType]: (wrong: RegistrationFaults[T] | undefined) => Promise<object> } = {
    EMAIL_OTP: async () => ({}),
    SMS_OTP: async () => ({}),
    OAUTH: async (wrong) => ({ oidcToken: await token(wrong) }),
    PASSKEY: async (wrong) => {
      const challenge = digest(`${seed} challenge ${++registrations}`).toString("base64url")
      return { nickname: "Phone", challenge, attestation: passkey.register(challenge, wrong) }
    },
  }

  const register: Device["register"] = async (type, { wrong } = {}) => {
    const [known] = Object.keys(credentials) as ReadonlyArray<CredentialType>
    if (session === undefined && known !== undefined && known !== type) await signIn(known)
    const id = textOf(
      await request("POST", "/auth/credentials", { type, accountId, ...(await registering[type](wrong)) }),
      "id",
    )
    credentials[type] = id
    return id
  }

  const byCode =
    (type: OtpType) => async (path: string, keys: KeyPair, _: string, wrong: SignInFaults[OtpType] | undefined) => {
      const challenge = await request("POST", `${path}/challenge`)
      const code = await codeOf(textOf(challenge, "nickname"))
      const target = textOf(challenge, "otpEncryptionTargetBundle")
      const sealed = await crypto.sealOtp(target, wrong === "code" ? otherCode(code) : code, keys)
      const signer = wrong === "signer" ? await crypto.makeKeys() : keys
      return request(
        "POST",
        `${path}/verify`,
        { type, encryptedOtpBundle: wrong === "bundle" ? `${sealed}.` : sealed },
        { sign: (payload) => crypto.stamp(signer, payload) },
      )
    }

  const signingIn: {
    [T in CredentialType]: (
      path: string,
      keys: KeyPair,
      clientPublicKey: string,
      wrong: SignInFaults[T] | undefined,
    ) => Promise<SignedAnswer>
  } = {
    EMAIL_OTP: byCode("EMAIL_OTP"),
    SMS_OTP: byCode("SMS_OTP"),
    OAUTH: async (path, _, clientPublicKey, wrong) => {
      const oidcToken = await token(wrong, clientPublicKey)
      return request("POST", `${path}/verify`, { type: "OAUTH", oidcToken, clientPublicKey })
    },
    PASSKEY: async (path, _, clientPublicKey, wrong) => {
      const challenge = await request("POST", `${path}/challenge`, { clientPublicKey })
      const assertion = passkey.assert(textOf(challenge, "challenge"), wrong)
      const answered = { "Request-Id": textOf(challenge, "requestId") }
      return request("POST", `${path}/verify`, { type: "PASSKEY", assertion }, { headers: answered })
    },
  }

  /** What was issued to these keys is the session from now on. */
  const hold = async (answer: SignedAnswer, keys: KeyPair): Promise<DeviceSession> => {
    const { encryptedSessionSigningKey: sealed }: { encryptedSessionSigningKey?: unknown } = Object(answer.body)
    const held = typeof sealed === "string" ? await crypto.openSession(keys, sealed) : keys
    session = { id: textOf(answer, "id"), keys: held }
    return session
  }

  const signIn: Device["signIn"] = async (type, { clientHeld = false, wrong } = {}) => {
    const path = `/auth/credentials/${credentials[type] ?? (await register(type))}`
    const keys = await crypto.makeKeys()
    const clientPublicKey = clientHeld ? keys.publicKey.compressed : keys.publicKey.uncompressed
    return hold(await signingIn[type](path, keys, clientPublicKey, wrong), keys)
  }

  const signedSend: Device["signedSend"] = async (method, path, body, { wrong } = {}) => {
    if (wrong === undefined) return request(method, path, body)
    const other = async () => {
      const clientPublicKey = (await crypto.makeKeys()).publicKey.uncompressed
      const asked = deck.fetch(`${baseUrl}/internal-accounts/${accountId}/export`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ clientPublicKey }),
      })
      return String(Object(await (await asked).json()).requestId)
    }
    const stranger: Sign = async (payload) => crypto.stamp(await crypto.makeKeys(), payload)
    return request(method, path, body, faultyRequest(wrong, { fetch: deck.fetch, sign, stranger, otherRequest: other }))
  }

  return {
    customerId,
    accountId,
    crypto,
    passkey,
    person,
    credentials,
    get session() {
      return session
    },
    register,
    signIn,
    refresh: async () => {
      const keys = await crypto.makeKeys()
      const clientPublicKey = keys.publicKey.uncompressed
      return hold(await request("POST", `/auth/sessions/${session?.id}/refresh`, { clientPublicKey }), keys)
    },
    exportWords: async () => {
      const keys = await crypto.makeKeys()
      const clientPublicKey = keys.publicKey.uncompressed
      const answer = await request("POST", `/internal-accounts/${accountId}/export`, { clientPublicKey })
      return crypto.openExport(keys, textOf(answer, "encryptedWalletCredentials"))
    },
    sign,
    signedSend,
  }
}
