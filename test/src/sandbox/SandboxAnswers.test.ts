/** Strong authentication, UMA addresses, exchanges and cards of the sandbox: what they answer, and that they answer the same again. */
import { Issuer, SandboxUmaDomains, ScaProvider, UmaDomain, UmaNetwork, VaspDirectory } from "@countersign/core/ports"
import { SandboxIssuer, SandboxSca, SandboxUma, SandboxVasps } from "@countersign/core/sandbox"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { hash } from "../../../packages/core/src/foundation/crypto/Secrets.ts"
import { testCard } from "../../../packages/core/src/sandbox/TestCard.ts"
import { cardholder, cardOf } from "../card/StoredCards.ts"

const sca = Effect.runSync(Effect.provide(ScaProvider.use(Effect.succeed), SandboxSca.layer))
const run = Effect.runSync

describe("the enrolment of a factor", () => {
  it("of codes by an app shows its secret in the three forms of an app", () => {
    const started = run(sca.startEnrollment("Customer:1", "TOTP"))
    const secret = hash("totp Customer:1").slice(0, 20)
    expect(started).toMatchObject({ type: "TOTP", secret })
    const encoded = "secretBase32Encoded" in started ? String(started.secretBase32Encoded) : ""
    expect(started).toMatchObject({
      totpUri: `otpauth://totp/Sandbox:Customer%3A1?secret=${encoded}&issuer=Sandbox`,
    })
    const bits = [...encoded].map((char) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(char).toString(2).padStart(5, "0"),
    )
    const bytes = bits.join("").match(/.{8}/gu) ?? []
    expect(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 2)))).toBe(secret)
  })

  it("of a passkey has the options of its browser, which differ by customer", () => {
    const started = run(sca.startEnrollment("Customer:1", "PASSKEY"))
    expect(started).toEqual({
      type: "PASSKEY",
      options: {
        challenge: hash("enroll Customer:1").slice(0, 43),
        rp: { id: "sandbox.example", name: "Sandbox" },
      },
      allowedOrigins: ["https://sandbox.example"],
      relyingPartyId: "sandbox.example",
    })
    expect(run(sca.startEnrollment("Customer:2", "PASSKEY"))).not.toEqual(started)
  })

  const totp = (code: string) =>
    run(
      sca.confirmEnrollment("Customer:1", {
        type: "TOTP",
        secret: Redacted.make("any"),
        code: Redacted.make(code),
      }),
    )
  const passkey = (credential: Readonly<Record<string, string | number>>) =>
    run(sca.confirmEnrollment("Customer:1", { type: "PASSKEY", origin: "https://sandbox.example", credential }))

  it("is confirmed by the fixed code, with eight different recovery codes", () => {
    const enrolled = totp("123456")
    expect(enrolled).toEqual({
      _tag: "Enrolled",
      credentialId: `totp-${hash("Customer:1").slice(0, 12)}`,
      recoveryCodes: Array.from({ length: 8 }, (_, at) => hash(`Customer:1 recovery ${at}`).slice(0, 10)),
    })
    expect(totp("123457")).toEqual({ _tag: "Refused", field: "code" })
  })

  it("is confirmed by a passkey with an id", () => {
    expect(passkey({ id: "mine" })).toEqual({ _tag: "Enrolled", credentialId: "mine", recoveryCodes: [] })
    for (const credential of [{}, { id: "" }, { id: 1 }])
      expect(passkey(credential)).toEqual({ _tag: "Refused", field: "credential.id" })
  })
})

describe("a challenge", () => {
  const challenge = (factor: "PASSKEY" | "TOTP") =>
    run(sca.challenge({ customerId: "Customer:1", challengeId: "Challenge:1", factor }))
  const check = (answer: object) =>
    run(
      sca.check({
        customerId: "Customer:1",
        challengeId: "Challenge:1",
        factor: "TOTP",
        ...answer,
      }),
    )

  it("has options for a passkey only", () => {
    expect(challenge("PASSKEY")).toEqual({
      passkeyOptions: { challenge: hash("Challenge:1").slice(0, 43), rpId: "sandbox.example" },
      allowedOrigins: ["https://sandbox.example"],
      relyingPartyId: "sandbox.example",
    })
    expect(challenge("TOTP")).toEqual({})
  })

  it("is passed by the fixed code, or by the assertion of a passkey with an id", () => {
    const code = (text: string) => Redacted.make(text)
    expect([check({ code: code("123456") }), check({ code: code("12345") }), check({})]).toEqual([true, false, false])
    const factor = "PASSKEY"
    expect([
      check({ factor, passkeyAssertion: { id: "mine" } }),
      check({ factor, passkeyAssertion: { id: 1 } }),
      check({ factor, code: code("123456") }),
    ]).toEqual([true, false, false])
  })

  it("is needed to trust an account, except one that ends in 108", () => {
    const trust = (accountNumber: string) =>
      run(
        sca.challengesTrust?.({
          customerId: "Customer:1",
          accountInfo: { accountType: "USD_ACCOUNT", accountNumber, routingNumber: "021000021" },
        }) ?? Effect.succeed(undefined),
      )
    expect([trust("12345678108"), trust("12345678107")]).toEqual([false, true])
  })
})

it("a reset has its own link, and its liveness check has passed", () => {
  expect(run(sca.startReset("Customer:1", "Reset:1", "TOTP"))).toEqual({
    verificationLink: `https://verify.sandbox.example/reset/${hash("Reset:1").slice(0, 32)}`,
  })
  expect(run(sca.resetState("Customer:1", "Reset:1"))).toBe("LIVENESS_PASSED")
})

describe("the UMA network", () => {
  const uma = run(
    Effect.provide(
      UmaNetwork.use(Effect.succeed),
      Layer.provide(SandboxUma.layer, Layer.succeed(UmaDomain, "Pay.Example")),
    ),
  )

  it("finds the addresses of its scenarios under its domain, and no others", () => {
    expect(run(uma.find("$success.eur@pay.example", undefined))).toEqual({
      _tag: "Found",
      receiver: {
        currencies: [{ code: "EUR", minAmount: 1, maxAmount: 10_000_000_000 }],
        requiredPayerData: [{ name: "FULL_NAME", mandatory: true }],
        information: { FULL_NAME: "Sandbox Receiver" },
      },
    })
    for (const address of ["$success.gbp@pay.example", "$success.eur@other.example"])
      expect(run(uma.find(address, undefined))).toEqual({ _tag: "NotFound" })
  })

  it("has its scenarios under the first domain of the sandbox, and finds them under each, in any letter case", () => {
    const settings = Layer.merge(
      Layer.succeed(UmaDomain, "Pay.Example"),
      Layer.succeed(SandboxUmaDomains, ["First.Example", "second.example"]),
    )
    const network = run(Effect.provide(UmaNetwork.use(Effect.succeed), Layer.provide(SandboxUma.layer, settings)))
    expect(network.scenarioDomain).toBe("first.example")
    for (const domain of ["first.example", "SECOND.example", "pay.example"])
      expect(run(network.find(`$success.eur@${domain}`, undefined))).toMatchObject({ _tag: "Found" })
  })

  it("has three providers, of which one is not allowed", () => {
    const domain = uma.scenarioDomain
    expect(run(uma.providers)).toEqual([
      {
        name: "Sandbox Provider",
        domain,
        logoUrl: `https://${domain}/logo.svg`,
        lei: "00000000000000000098",
        regions: ["US", "DE", "MX"],
        currencies: ["USD", "EUR", "MXN"],
        isAllowed: true,
      },
      {
        name: "European Sandbox Provider",
        domain: `eu.${domain}`,
        regions: ["DE", "FR"],
        currencies: ["EUR"],
        isAllowed: true,
      },
      {
        name: "Blocked Sandbox Provider",
        domain: `blocked.${domain}`,
        regions: ["US"],
        currencies: ["USD"],
        isAllowed: false,
      },
    ])
  })

  it("needs the full name of both sides in each currency of a scenario", () => {
    const names = { customer: ["FULL_NAME"], counterparty: ["FULL_NAME"] }
    expect(run(uma.requirements ?? Effect.succeed(undefined))).toEqual(
      ["USD", "EUR", "MXN"].map((currency) => ({ currency, ...names })),
    )
  })
})

it("the exchanges have addresses that follow from their names", () => {
  const directory = run(Effect.provide(VaspDirectory.use(Effect.succeed), SandboxVasps.layer))
  const listed = run(directory.entries)
  expect(listed).toHaveLength(5)
  expect(listed[1]).toEqual({
    vaspName: "Harbor Digital Assets",
    url: "https://harbor-digital-assets.sandbox.example",
  })
})

describe("a test card", () => {
  const isValid = (number: string) =>
    [...number].toReversed().reduce((sum, digit, at) => {
      const doubled = Number(digit) * (at % 2 === 0 ? 1 : 2)
      return sum + (doubled > 9 ? doubled - 9 : doubled)
    }, 0) %
      10 ===
    0

  it("has 16 digits of an unassigned range with a valid check digit, the same for the same card", () => {
    for (let card = 0; card < 50; card++) {
      const { last4, number, securityCode } = testCard(`Card:${card}`)
      expect(number).toMatch(/^40000000000\d{5}$/u)
      expect([number.slice(-4), isValid(number)]).toEqual([last4, true])
      expect(securityCode).toMatch(/^\d{3}$/u)
    }
    expect(testCard("Card:1")).toEqual(testCard("Card:1"))
    expect(testCard("Card:1").number).not.toBe(testCard("Card:2").number)
  })

  it("is refused by the suffix of its own name, or of its cardholder where the service has named it", () => {
    const issuer = run(Effect.provide(Issuer.use(Effect.succeed), SandboxIssuer.layer))
    const outcome = (reference: string, platformCardId: string, cardholderId: string) =>
      run(
        issuer.provision({
          reference,
          card: { ...cardOf().data, platformCardId },
          cardholderId,
          cardholder: cardholder.data,
          issuedAt: 0,
        }),
      )._tag
    expect(outcome("Card:002", "Card:002", "Customer:100")).toBe("Done")
    expect(outcome("Card:100", "Card:100", "Customer:002")).toBe("Refused")
    expect(outcome("Card:100", "own 002", "Customer:100")).toBe("Refused")
    expect(outcome("Card:100", "own 100", "Customer:002")).toBe("Done")
  })

  it("is funded by any account, because suffixes of account ids are off", () => {
    const issuer = run(Effect.provide(Issuer.use(Effect.succeed), SandboxIssuer.layer))
    expect([issuer.isOffered, issuer.needsDelegatedKeys, issuer.takesThreeDSecurePassword]).toEqual([
      true,
      false,
      false,
    ])
    expect(run(issuer.admits("InternalAccount:002"))).toBe(true)
    const withSuffixes = Layer.provide(SandboxIssuer.layer, Layer.succeed(SandboxIssuer.FundingSourceSuffixesOn, true))
    const magic = run(Effect.provide(Issuer.use(Effect.succeed), withSuffixes))
    expect(["002", "003", "004"].map((suffix) => run(magic.admits(`InternalAccount:${suffix}`)))).toEqual([
      false,
      false,
      true,
    ])
  })
})
