/**
 * The issuers of OIDC tokens that are supported without being configured, with the address that their discovery document names.
 * Source: wire contract 4.8 (`providerName`), 4.12; D-164.
 */
import * as Table from "../../foundation/kit/Table.ts"

/** One provider may write its name in its tokens in more than one way. */
export const OidcIssuers = Table.make("OidcIssuers", {
  "https://accounts.google.com": { providerName: "Google", address: "https://accounts.google.com" },
  "accounts.google.com": { providerName: "Google", address: "https://accounts.google.com" },
  "https://appleid.apple.com": { providerName: "Apple", address: "https://appleid.apple.com" },
})
