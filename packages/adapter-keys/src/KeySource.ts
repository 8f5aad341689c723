/**
 * The secrets of a deployment, derived by a key that stays in a token or in a key service: a process asks for them at its start, keeps them in
 * memory only, and no file or variable contains them.
 * Source: D-533.
 */
import { isHttpSource, macOverHttp } from "./HttpMac.ts"
import { KeySourceError } from "./KeySourceError.ts"
import { createInToken, macInToken } from "./Pkcs11Token.ts"
import { parsePkcs11Uri, scheme } from "./Pkcs11Uri.ts"
import { privateKeyOf } from "./PrivateKey.ts"

/** Whether the text names a key: `pkcs11:token=LABEL;object=LABEL?module-path=PATH`, or an https address. */
export const isKeySource = (source: string): boolean => source.startsWith(scheme) || isHttpSource(source)

/** HMAC-SHA-256 of the text under the key of the source. */
const macOf = async (source: string, credential: string | undefined, text: string): Promise<Uint8Array> => {
  if (source.startsWith(scheme)) return macInToken(parsePkcs11Uri(source), credential, text)
  if (isHttpSource(source)) return macOverHttp(source, credential, text)
  throw new KeySourceError("the source is neither pkcs11: nor an https address without credentials")
}

/**
 * Returns the wallet secret of a key: 64 characters, the same at each call. `credential`: the PIN of the token, or the bearer token of the
 * service. Rejects with `KeySourceError`.
 */
export const walletSecretFrom = async (source: string, credential?: string): Promise<string> =>
  Buffer.from(await macOf(source, credential, "countersign wallet secret")).toString("hex")

/** Returns the webhook key of a key: an EC private key on P-256 in PEM, the same at each call. Rejects with `KeySourceError`. */
export const webhookKeyFrom = async (source: string, credential?: string): Promise<string> =>
  privateKeyOf(
    Buffer.concat([
      await macOf(source, credential, "countersign webhook key 1"),
      await macOf(source, credential, "countersign webhook key 2"),
    ]),
  )

/** Generates a key in a token, which it never leaves. A key service creates its keys itself. Throws `KeySourceError`. */
export const createKey = (source: string, credential?: string): void => {
  if (!source.startsWith(scheme)) throw new KeySourceError("only a key of a token can be created: pkcs11:")
  createInToken(parsePkcs11Uri(source), credential)
}
