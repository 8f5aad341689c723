/**
 * OIDC issuers that are supported by default, with the issuer address of their discovery document.
 * Source: wire contract 4.8 (`providerName`), 4.12; D-164.
 */
import * as Table from "../../foundation/kit/Table.ts"

/** A provider may use several issuer names in its tokens. */
export const OidcIssuers = Table.make("OidcIssuers", {
  "https://accounts.google.com": { providerName: "Google", address: "https://accounts.google.com" },
  "accounts.google.com": { providerName: "Google", address: "https://accounts.google.com" },
  "https://appleid.apple.com": { providerName: "Apple", address: "https://appleid.apple.com" },
})
