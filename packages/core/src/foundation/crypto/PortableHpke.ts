/**
 * `Hpke` on @hpke/core and Web Cryptography, for browsers and any other runtime.
 * Source: wire contract 4.9.
 */
import { Effect, Redacted } from "effect"
import { checkExport, Hpke, type HpkeOptions, isEncapsulated, NotOpened, pskOf } from "./Hpke.ts"
import { keyPairOf, primitives, publicKeyOf, suite } from "./PortableSuite.ts"

const agreed = (options: HpkeOptions) => {
  const psk = pskOf(options)
  return { info: options.info, ...(psk === undefined ? {} : { psk }) }
}

interface Exports {
  readonly export: (context: Uint8Array, lengthBytes: number) => Promise<ArrayBuffer>
}

const exporter = (context: Exports) => ({
  export: (exporterContext: Uint8Array, lengthBytes: number) =>
    Effect.promise(async () => {
      checkExport(lengthBytes)
      return Redacted.make(new Uint8Array(await context.export(exporterContext, lengthBytes)))
    }),
})

export const hpke: Hpke["Service"] = Hpke.of({
  sender: (recipient, options) =>
    Effect.promise(async () => {
      const context = await suite.createSenderContext({
        ...agreed(options),
        recipientPublicKey: await publicKeyOf(recipient),
        ...(options.sender === undefined ? {} : { senderKey: await keyPairOf(options.sender) }),
        ...(options.ephemeralForTests === undefined ? {} : { ekm: await keyPairOf(options.ephemeralForTests) }),
      })
      return {
        encapsulated: new Uint8Array(context.enc),
        seal: (plaintext: Uint8Array, aad: Uint8Array) =>
          Effect.promise(async () => new Uint8Array(await context.seal(plaintext, aad))),
        ...exporter(context),
      }
    }),
  recipient: (recipient, encapsulated, options) =>
    Effect.gen(function* () {
      const shared = agreed(options)
      if (!isEncapsulated(encapsulated)) return yield* new NotOpened()
      const context = yield* Effect.tryPromise({
        try: async () =>
          suite.createRecipientContext({
            ...shared,
            recipientKey: await keyPairOf(recipient),
            enc: encapsulated,
            ...(options.sender === undefined ? {} : { senderPublicKey: await publicKeyOf(options.sender) }),
          }),
        catch: () => new NotOpened(),
      })
      return {
        open: (ciphertext: Uint8Array, aad: Uint8Array) =>
          Effect.tryPromise({
            try: async () => new Uint8Array(await context.open(ciphertext, aad)),
            catch: () => new NotOpened(),
          }),
        ...exporter(context),
      }
    }),
  primitives,
})
