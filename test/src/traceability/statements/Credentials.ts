/** Statements of the specification about credentials, sessions and what has to be signed. */
import type { Section } from "../Statement.ts"

export const credentials: Section = {
  title: "Credentials, sessions and signing payloads",
  statements: [
    { id: "RES-CRED-01", says: "A credential is an `EMAIL_OTP`, an `SMS_OTP`, a `PASSKEY` or an `OAUTH` one." },
    { id: "RES-CRED-02", says: "A credential has an identifier of the type `AuthMethod`." },
    {
      id: "RES-CRED-03",
      says: "A listed session shows its id, its account, its type, its nickname, when it was made and changed, and its end.",
    },
    { id: "RES-CRED-04", says: "The `type` of a session is that of the credential by which it was made." },
    { id: "RES-CRED-05", says: "Only active sessions are listed." },
    { id: "RES-CRED-06", says: "The sealed key of a session is given with the verification that made it." },
    { id: "RES-CRED-07", says: "The sealed key of a session is given with its refresh." },
    { id: "RES-CRED-08", says: "The sealed key is given once, and never in the list." },
    { id: "RES-CRED-09", says: "A session of an `EMAIL_OTP` has no sealed key, as the client's own pair is its key." },
    {
      id: "RES-CRED-10",
      says: "A 202 that asks for a signature carries the payload, the id of the request and its end.",
    },
    { id: "RES-CRED-11", says: "The 202 of a session's revocation names the credential type, too." },
    {
      id: "RES-CRED-12",
      says: "The challenge of an e-mail or text message code carries the bundle to which the code is sealed.",
    },
    { id: "RES-CRED-13", says: "The challenge of a passkey carries the WebAuthn challenge and the credential id." },
  ],
}
