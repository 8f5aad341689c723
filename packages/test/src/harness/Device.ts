/**
 * The device of a person with an embedded wallet. It holds keys, a passkey, an account at an OIDC provider and a session
 * key. It registers and signs in with each type of credential in one call, and signs requests. An error response rejects
 * with `SignedRequestError`.
 * Source: wire contract 4; D-272.
 */
import { createHash } from "node:crypto"
import { type KeyPair, type Sign, type SignedAnswer, SignedClient, type WalletCrypto } from "@countersign/client"
import { type CredentialType, type OtpType, serviceNameDefault } from "@countersign/core/models"
import { SandboxOtp } from "@countersign/core/sandbox"
import type { RegistrationFaults, SignedFault, SignInFaults } from "./DeviceFaults.ts"
import { faultyRequest } from "./FaultyRequest.ts"
import { type OidcClaims, type OidcPerson, oidcPerson, unsigned } from "./OidcPerson.ts"
import { type PasskeyDevice, type PasskeyDeviceOptions, passkeyDevice } from "./PasskeyDevice.ts"
import { numberOf, seededWallet } from "./SeededWallet.ts"

/** How a device calls the service, through its platform. */
export interface DeviceConnection {
  /** Base URL with its version segment. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** The platform's credentials. */
  readonly headers: { readonly [name: string]: string }
  /** The service's name; `Service` by default. */
  readonly serviceName?: string
  readonly now: () => Promise<number>
}

/** The wallet, credentials and keys of a device. Without options it creates a customer of its own. */
export interface DeviceOptions {
  /** Seed of the device's keys; the default combines the seed of the world and the number of the device. */
  readonly seed?: string
  /** An existing wallet; without it, the device creates a customer. */
  readonly accountId?: string
  /** Contacts of the created customer. With an e-mail address, the wallet starts with an `EMAIL_OTP` credential. */
  readonly contacts?: { readonly email?: string; readonly phoneNumber?: string }
  /** An existing session, such as that of a named scenario. */
  readonly session?: { readonly sessionId: string; readonly privateKey: string }
  /** Returns the one-time code that was sent to a contact; the default is the sandbox's fixed code. */
  readonly codeOf?: (contact: string) => string | Promise<string>
  readonly passkey?: Omit<PasskeyDeviceOptions, "seed">
  /** The person at the OIDC provider, and how its tokens are signed; the default tokens are unsigned. */
  readonly person?: Parameters<typeof oidcPerson>[0]
  readonly tokenOf?: (claims: OidcClaims) => string
}

/** A session of a wallet, with the keys that sign its requests. */
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
  /** The ids of the wallet's credentials that the device has registered or found. */
  readonly credentials: { readonly [T in CredentialType]?: string }
  /** The session of the last sign-in or refresh. */
  readonly session: DeviceSession | undefined
  /** Registers a credential and returns its id. If the wallet has one, a session must sign: the device signs in if needed. */
  readonly register: <T extends CredentialType>(
    type: T,
    options?: { readonly wrong?: RegistrationFaults[T] },
  ) => Promise<string>
  /**
   * Signs in and keeps the session. It registers the credential first if needed. With `clientHeld`, the session key is the
   * device's own key.
   */
  readonly signIn: <T extends CredentialType>(
    type: T,
    options?: { readonly wrong?: SignInFaults[T]; readonly clientHeld?: boolean },
  ) => Promise<DeviceSession>
  /** Replaces the session's key. */
  readonly refresh: () => Promise<DeviceSession>
  /** Exports the wallet's seed phrase. */
  readonly exportWords: () => Promise<string>
  /** Returns the signature header of a payload, signed with the session's key. */
  readonly sign: Sign
  /** Sends a request and signs it if the service requires a signature; returns the final response. */
  readonly signedSend: (
    method: string,
    path: string,
    body?: object,
    options?: { readonly wrong?: SignedFault },
  ) => Promise<SignedAnswer>
}

const textOf = ({ body, status }: SignedAnswer, name: string): string => {
  const { [name]: value }: { [member: string]: unknown } = Object(body)
  if (typeof value !== "string") throw new Error(`the response has no ${name}: ${status} ${JSON.stringify(body)}`)
  return value
}

const membersOf = ({ body }: SignedAnswer): ReadonlyArray<{ readonly [member: string]: unknown }> => Object(body).data

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Returns a different code of the same form. */
const otherCode = (code: string): string => code.replace(/.$/u, (last) => (last === "1" ? "2" : "1"))

/** Returns the given wallet and its customer, or creates a customer with a wallet. */
const walletOf = async (
  request: (method: string, path: string, body?: object) => Promise<SignedAnswer>,
  number: string,
  { accountId, contacts }: DeviceOptions,
) => {
  if (accountId !== undefined) {
    return { accountId, customerId: textOf(await request("GET", `/internal-accounts/${accountId}`), "customerId") }
  }
  const reachable = contacts ?? { email: `person-${number}@example.com`, phoneNumber: `+1415${number.slice(0, 7)}` }
  const customer = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", ...reachable }
  const customerId = textOf(await request("POST", "/customers", customer), "id")
  const path = `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`
  return { accountId: String(membersOf(await request("GET", path))[0]?.["id"]), customerId }
}

export const device = async (connection: DeviceConnection, options: DeviceOptions = {}): Promise<Device> => {
  const { baseUrl, headers, serviceName = serviceNameDefault } = connection
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
    const client = new SignedClient({
      baseUrl,
      headers,
      serviceName,
      fetch: more.fetch ?? connection.fetch,
      sign: more.sign ?? sign,
    })
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
      person.claims(await connection.now(), {
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

  /** Keeps the session that was issued to these keys. */
  const keepSession = async (answer: SignedAnswer, keys: KeyPair): Promise<DeviceSession> => {
    const { encryptedSessionSigningKey: sealed }: { encryptedSessionSigningKey?: unknown } = Object(answer.body)
    const sessionKeys = typeof sealed === "string" ? await crypto.openSession(keys, sealed) : keys
    session = { id: textOf(answer, "id"), keys: sessionKeys }
    return session
  }

  const signIn: Device["signIn"] = async (type, { clientHeld = false, wrong } = {}) => {
    const path = `/auth/credentials/${credentials[type] ?? (await register(type))}`
    const keys = await crypto.makeKeys()
    const clientPublicKey = clientHeld ? keys.publicKey.compressed : keys.publicKey.uncompressed
    return keepSession(await signingIn[type](path, keys, clientPublicKey, wrong), keys)
  }

  const signedSend: Device["signedSend"] = async (method, path, body, { wrong } = {}) => {
    if (wrong === undefined) return request(method, path, body)
    const otherRequest = async () => {
      const clientPublicKey = (await crypto.makeKeys()).publicKey.uncompressed
      const response = await connection.fetch(`${baseUrl}/internal-accounts/${accountId}/export`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ clientPublicKey }),
      })
      return String(Object(await response.json()).requestId)
    }
    const signWithUnknownKey: Sign = async (payload) => crypto.stamp(await crypto.makeKeys(), payload)
    return request(
      method,
      path,
      body,
      faultyRequest(wrong, { fetch: connection.fetch, sign, signWithUnknownKey, otherRequest, serviceName }),
    )
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
      return keepSession(await request("POST", `/auth/sessions/${session?.id}/refresh`, { clientPublicKey }), keys)
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
