/**
 * Secrets of every operation of the contract: what is kept of a request and its answer contains none of them. The table is written by hand.
 * Source: D-464.
 */
import { Api, endpointsOf } from "@countersign/client/api"
import { tenant } from "@countersign/core"
import { Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { keptRequest } from "../../../packages/adapter-http/src/middleware/KeptRequest.ts"
import { samples } from "./SchemaSamples.ts"

/** The members that are masked, of the request's body and of the answer's. */
const secrets: { readonly [operation: string]: { readonly request?: string; readonly response?: string } } = {
  createAgent: { response: "deviceCode.code" },
  regenerateAgentDeviceCode: { response: "code" },
  rotateAgentToken: { response: "accessToken" },
  getAgentDeviceCodeStatus: { response: "code" },
  redeemAgentDeviceCode: { response: "accessToken" },
  listCustomers: { response: "data.beneficialOwners.personalInfo.identifier data.businessInfo.taxId" },
  createCustomer: {
    request: "businessInfo.taxId identifier",
    response: "beneficialOwners.personalInfo.identifier businessInfo.taxId",
  },
  getCustomerById: { response: "beneficialOwners.personalInfo.identifier businessInfo.taxId" },
  updateCustomerById: {
    request: "businessInfo.taxId identifier",
    response: "beneficialOwners.personalInfo.identifier businessInfo.taxId",
  },
  deleteCustomerById: { response: "beneficialOwners.personalInfo.identifier businessInfo.taxId" },
  listBeneficialOwners: { response: "data.personalInfo.identifier" },
  createBeneficialOwner: { request: "personalInfo.identifier", response: "personalInfo.identifier" },
  getBeneficialOwner: { response: "personalInfo.identifier" },
  updateBeneficialOwner: { request: "personalInfo.identifier", response: "personalInfo.identifier" },
  createCustomerKycLink: { response: "kycUrl token" },
  confirmCustomerEmailVerification: {
    request: "code",
    response: "beneficialOwners.personalInfo.identifier businessInfo.taxId",
  },
  confirmCustomerPhoneVerification: {
    request: "code",
    response: "beneficialOwners.personalInfo.identifier businessInfo.taxId",
  },
  startScaFactorEnrollment: { response: "secret secretBase32Encoded totpUri" },
  confirmScaFactorEnrollment: { request: "code credential secret", response: "recoveryCodes" },
  startTwoFactorReset: { response: "livenessAccessToken verificationLink" },
  completeScaLogin: { request: "code passkeyAssertion" },
  confirmBeneficiaryTrust: { request: "code passkeyAssertion" },
  confirmBeneficiaryUntrust: { request: "code passkeyAssertion" },
  exportInternalAccount: { response: "encryptedWalletCredentials" },
  createExternalAccountOwnershipChallenge: { response: "token verificationLink" },
  verifyExternalAccountOwnership: { request: "signature" },
  createPlatformExternalAccountOwnershipChallenge: { response: "token verificationLink" },
  verifyPlatformExternalAccountOwnership: { request: "signature" },
  authorizeQuote: { request: "code passkeyAssertion" },
  listTokens: { response: "data.clientSecret data.secrets.clientSecret" },
  createToken: { response: "clientSecret secrets.clientSecret" },
  getTokenById: { response: "clientSecret secrets.clientSecret" },
  createTokenSecret: { response: "clientSecret" },
  revealWebhookSecret: { response: "secret" },
  createAuthCredential: { request: "attestation oidcToken" },
  verifyAuthCredential: {
    request: "assertion encryptedOtpBundle oidcToken",
    response: "encryptedSessionSigningKey",
  },
  refreshAuthSession: { response: "encryptedSessionSigningKey" },
  createCard: { request: "threeDSecurePassword" },
  revealCard: { response: "panEmbedUrl" },
  linkStablecoinProviderAccount: { request: "apiClientSecret" },
  createInvitation: { response: "code url" },
  getInvitation: { response: "code url" },
  claimInvitation: { response: "code url" },
  cancelInvitation: { response: "code url" },
}

/** Names that sound like secrets and are none. */
const harmless = new Set(
  `bankCode branchCode countryCode challengeId code credentialId currencyCode logoUrl naicsCode paymentUrl postalCode receivingCurrencyCode
  redirectUri sortCode swiftCode url issuerTransactionToken networkTokenIdentifier providerTokenIdentifier sourceTokenIdentifier
  otpEncryptionTargetBundle passkeyAllowedOrigins qrCode`.split(/\s+/u),
)
const soundsSecret =
  /secret|token|password|otp|passcode|code$|signature|private|credential|assertion|attestation|pin$|^pan|cvv|link|url|uri$|mnemonic|recovery/iu

const keptOf = (endpoint: HttpApiEndpoint.Top, body: unknown, answer: unknown, status = 200) => {
  const request = new Request("http://localhost/", { method: "POST" })
  return keptRequest({
    request: HttpServerRequest.fromWeb(request).modify({ url: endpoint.path }),
    response: HttpServerResponse.jsonUnsafe(answer, { status }),
    requestId: "request",
    trace: { rules: [], commits: [] },
    notes: {
      endpoint,
      caller: tenant("Platform:1"),
      ...(body === undefined ? {} : { text: JSON.stringify(body) }),
    },
    at: 0,
    receivedAt: 0,
    durationMillis: 0,
    neutralOf: (name) => name,
  }).request
}

const withoutIndexes = (paths: ReadonlyArray<string> = []) =>
  paths.map((path) => path.replaceAll(/\.\d+(?=\.|$)/gu, ""))

const all = endpointsOf(Api).map(({ endpoint }) => ({ name: endpoint.identifier, endpoint }))

describe("what is kept of an operation", () => {
  it("is described for operations that exist", () => {
    const names = all.map(({ name }) => name)
    expect(Object.keys(secrets).filter((name) => !names.includes(name))).toEqual([])
  })

  it.each(all)("has masks for exactly the secrets of $name", ({ endpoint, name }) => {
    const bodies = [...endpoint.payload.values()].flatMap(({ schemas }) =>
      schemas.flatMap(({ ast }) => samples(ast, "")),
    )
    const answers = [...endpoint.success].filter(Schema.isSchema).flatMap(({ ast }) => samples(ast, ""))
    const masked = { request: new Set<string>(), response: new Set<string>() }
    const shown = new Set<string>()
    for (let index = 0; index < Math.max(bodies.length, answers.length); index++) {
      const kept = keptOf(endpoint, bodies[index % bodies.length], answers[index % answers.length] ?? {})
      for (const path of withoutIndexes(kept.requestBody?.masked)) masked.request.add(path)
      for (const path of withoutIndexes(kept.responseBody?.masked)) masked.response.add(path)
      const texts = `${kept.requestBody?.text ?? ""} ${kept.responseBody?.text ?? ""}`
      for (const [, place = ""] of texts.matchAll(/canary:([\w.]+)/gu)) shown.add(place.split(".").at(-1) ?? "")
    }
    expect({
      request: [...masked.request].toSorted().join(" "),
      response: [...masked.response].toSorted().join(" "),
    }).toEqual({ request: "", response: "", ...secrets[name] })
    expect([...shown].filter((each) => soundsSecret.test(each) && !harmless.has(each))).toEqual([])
  })

  it.each(all.filter(({ endpoint }) => endpoint.payload.size > 0))(
    "has masks for members that $name does not know, whatever their type",
    ({ endpoint }) => {
      const body = { clientSecrt: "canary-text", kode: 123456, list: ["canary-text"], inner: { deep: "canary-text" } }
      const kept = keptOf(endpoint, body, { status: 400, code: "INVALID_INPUT", message: "unknown members" }, 400)
      expect(JSON.stringify(kept)).not.toMatch(/canary|123456/u)
      expect(kept.code).toBe("INVALID_INPUT")
    },
  )

  it.each([
    ["a text where an object belongs", "canary-text"],
    ["a list where an object belongs", ["canary-text"]],
    ["a number where an object belongs", 424_242],
  ])("has a mask for %s", (_, body) => {
    const endpoint = all.find(({ name }) => name === "createCustomer")?.endpoint
    if (endpoint === undefined) throw new Error("no such operation")
    expect(JSON.stringify(keptOf(endpoint, body, {}))).not.toMatch(/canary|424242/u)
  })
})
