/** A self-signed certificate for one host name, generated per run (RFC 5280, with the fields that a TLS client requires). */
import { generateKeyPairSync, sign } from "node:crypto"

const tlv = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const value = Buffer.concat(parts)
  const length =
    value.length < 0x80
      ? [value.length]
      : value.length < 0x100
        ? [0x81, value.length]
        : [0x82, value.length >> 8, value.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), value])
}
const sequence = (...parts: ReadonlyArray<Buffer>) => tlv(0x30, ...parts)
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, "hex"))
const time = (text: string) => tlv(0x17, Buffer.from(text))

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))

/** Key and certificate as PEM. */
export const selfSigned = (host: string): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const name = sequence(tlv(0x31, sequence(oid("550403"), tlv(0x0c, Buffer.from(host)))))
  const extension = (id: string, value: Buffer) => sequence(oid(id), tlv(0x04, value))
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time("200101000000Z"), time("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(
      0xa3,
      sequence(
        extension("551d13", sequence(tlv(0x01, Buffer.from([0xff])))),
        extension("551d11", sequence(tlv(0x82, Buffer.from(host)))),
      ),
    ),
  )
  const signature = tlv(0x03, Buffer.from([0]), sign("sha256", body, privateKey))
  const der = sequence(body, ecdsaWithSha256, signature).toString("base64").replaceAll(/.{64}/gu, "$&\n")
  return {
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    cert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
  }
}
