/** Statements of the specification about how the sandbox authenticates. */
import type { Section } from "../Statement.ts"

export const sandboxAuthentication: Section = {
  title: "Sandbox authentication behavior",
  statements: [
    { id: "SBXAUTH-01", says: "The sandbox's code is `000000`, and it is sealed like every code." },
    { id: "SBXAUTH-02", says: "Another code is a 401 `UNAUTHORIZED` with the reason `Invalid OTP code`." },
    { id: "SBXAUTH-03", says: "Passkeys are registered and used by WebAuthn as it is." },
    { id: "SBXAUTH-04", says: "The credential id of a passkey is checked." },
    { id: "SBXAUTH-05", says: "The challenge of a passkey is checked." },
    { id: "SBXAUTH-06", says: "The origin and the relying party of a passkey are checked." },
    { id: "SBXAUTH-07", says: "The user presence of a passkey is verified." },
    { id: "SBXAUTH-08", says: "The signature of a passkey is checked." },
    { id: "SBXAUTH-09", says: "The counter of a passkey is checked." },
    {
      id: "SBXAUTH-10",
      says: "`sandbox-valid-passkey-signature` still stands for the signature of a passkey, which is not verified then.",
    },
    { id: "SBXAUTH-11", says: "An OIDC token has the form of a JWT, and its signature may be a dummy." },
    { id: "SBXAUTH-12", says: "The issuer of a token is a supported one." },
    { id: "SBXAUTH-13", says: "The audience of a token is a text that is not empty, or a list of one such text." },
    { id: "SBXAUTH-14", says: "The subject of a token is not empty." },
    {
      id: "SBXAUTH-15",
      says: "A token's time of issue is a number, at most 60 seconds old and not in the future, give or take 5 seconds.",
    },
    { id: "SBXAUTH-16", says: "A token's expiry is a number, and later than the request." },
    {
      id: "SBXAUTH-17",
      says: "A credential keeps issuer, audience and subject, and a verification has to show the same three.",
    },
    {
      id: "SBXAUTH-18",
      says: "The nonce of a verification is the SHA-256, in hex, of the exact text of `clientPublicKey`.",
    },
    { id: "SBXAUTH-19", says: "`sandbox-valid-oidc-token` is no token any more." },
    { id: "SBXAUTH-20", says: "What is no JWT is a 400 `INVALID_INPUT` before anything else is checked." },
    { id: "SBXAUTH-21", says: "A wallet's signature is a P-256 signature over exactly the payload that is pending." },
    { id: "SBXAUTH-22", says: "The key of a wallet's signature belongs to an active session of that wallet." },
    { id: "SBXAUTH-23", says: "`sandbox-valid-signature` still stands for a wallet's signature." },
    { id: "SBXAUTH-24", says: "A failed authentication is a 401 `UNAUTHORIZED`, and `reason` names the check." },
  ],
}
