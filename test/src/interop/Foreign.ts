/**
 * Independent client: a published client library of the same wire formats, and its stamper.
 * Both are loaded without their types, which would add browser globals to every test. The types below cover what is used.
 */
import { createRequire } from "node:module"

interface ForeignClient {
  readonly generateP256KeyPair: () => {
    readonly privateKey: string
    readonly publicKey: string
    readonly publicKeyUncompressed: string
  }
  readonly decryptCredentialBundle: (bundle: string, privateKey: string) => string
  readonly encryptOtpCodeToBundle: (
    code: string,
    targetBundle: string,
    publicKey: string,
    signerPublicKey: string,
  ) => Promise<string>
  readonly decryptExportBundle: (options: {
    readonly exportBundle: string
    readonly embeddedKey: string
    readonly organizationId: string
    readonly dangerouslyOverrideSignerPublicKey: string
    readonly returnMnemonic: boolean
  }) => Promise<string>
  readonly verifyStampSignature: (publicKey: string, signature: string, payload: string) => Promise<boolean>
  readonly hpkeEncrypt: (options: {
    readonly plainTextBuf: Uint8Array
    readonly targetKeyBuf: Uint8Array
  }) => Uint8Array
  readonly formatHpkeBuf: (sealed: Uint8Array) => string
  readonly hpkeDecrypt: (options: {
    readonly ciphertextBuf: Uint8Array
    readonly encappedKeyBuf: Uint8Array
    readonly receiverPriv: string
  }) => Uint8Array
}

interface ForeignStamper {
  readonly stamp: (payload: string) => Promise<{ readonly stampHeaderValue: string }>
}

interface ForeignStampers {
  readonly ApiKeyStamper: new (options: {
    readonly apiPublicKey: string
    readonly apiPrivateKey: string
    readonly runtimeOverride: "node" | "browser" | "purejs"
  }) => ForeignStamper
}

const require = createRequire(import.meta.url)

export const client = require("@turnkey/crypto") as ForeignClient
export const { ApiKeyStamper } = require("@turnkey/api-key-stamper") as ForeignStampers
