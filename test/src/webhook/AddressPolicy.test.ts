/** The addresses and URLs that a webhook may use: one line per spelling of an address and per form of a URL. */

import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import * as AddressPolicy from "../../../packages/adapter-http/src/webhook/AddressPolicy.ts"

const { addressRefusal, classify, make, parseEndpoint, urlLengthMax } = AddressPolicy

describe("an address", () => {
  it.each([
    // the public internet
    ["8.8.8.8", "public"],
    ["1.1.1.1", "public"],
    ["9.255.255.255", "public"],
    ["11.0.0.0", "public"],
    ["100.63.255.255", "public"],
    ["100.128.0.0", "public"],
    ["126.255.255.255", "public"],
    ["128.0.0.1", "public"],
    ["172.15.255.255", "public"],
    ["172.32.0.0", "public"],
    ["192.167.255.255", "public"],
    ["198.17.255.255", "public"],
    ["198.20.0.0", "public"],
    ["223.255.255.255", "public"],
    ["2606:4700:4700::1111", "public"],
    ["2a00:1450:4001:81b::200e", "public"],
    ["[2606:4700:4700::1111]", "public"],
    // this host
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["::1", "loopback"],
    ["[::1]", "loopback"],
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["::", "unspecified"],
    // other spellings of this host
    ["127.1", "loopback"],
    ["2130706433", "loopback"],
    ["0x7f000001", "loopback"],
    ["0x7f.0.0.1", "loopback"],
    ["0177.0.0.1", "loopback"],
    ["017700000001", "loopback"],
    ["0", "unspecified"],
    // private networks
    ["10.0.0.1", "private"],
    ["0x0a.1", "private"],
    ["167772161", "private"],
    ["10.255.255.255", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["3232235777", "private"],
    ["0300.0250.1.1", "private"],
    ["100.64.0.1", "carrierGradeNat"],
    ["100.127.255.255", "carrierGradeNat"],
    ["fc00::1", "uniqueLocal"],
    ["fd12:3456:789a::1", "uniqueLocal"],
    ["fec0::1", "deprecatedSiteLocal"],
    // the link
    ["169.254.0.1", "linkLocal"],
    ["fe80::1", "linkLocal"],
    ["fe80::1%eth0", "zoned"],
    ["2606:4700::1%1", "zoned"],
    // instance metadata in every notation
    ["169.254.169.254", "metadata"],
    ["2852039166", "metadata"],
    ["0xa9fea9fe", "metadata"],
    ["0251.0376.0251.0376", "metadata"],
    ["::ffff:169.254.169.254", "metadata"],
    ["::ffff:a9fe:a9fe", "metadata"],
    ["64:ff9b::a9fe:a9fe", "metadata"],
    ["2002:a9fe:a9fe::1", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["fd00:ec2:0:0:0:0:0:254", "metadata"],
    ["169.254.170.2", "metadata"],
    ["100.100.100.200", "metadata"],
    ["168.63.129.16", "metadata"],
    // multicast and broadcast
    ["224.0.0.1", "multicast"],
    ["239.255.255.255", "multicast"],
    ["ff02::1", "multicast"],
    ["255.255.255.255", "broadcast"],
    // documentation, benchmarking and other reserved ranges
    ["192.0.2.1", "reserved"],
    ["198.51.100.1", "reserved"],
    ["203.0.113.1", "reserved"],
    ["198.18.0.1", "reserved"],
    ["198.19.255.255", "reserved"],
    ["192.0.0.1", "reserved"],
    ["192.88.99.1", "reserved"],
    ["240.0.0.1", "reserved"],
    ["2001:db8::1", "reserved"],
    ["3fff::1", "reserved"],
    ["2001:2::1", "benchmarking"],
    ["100::1", "discard"],
    ["4000::1", "reserved"],
    ["8000::1", "reserved"],
    // IPv4 in IPv6
    ["::ffff:127.0.0.1", "ipv4Mapped"],
    ["::ffff:7f00:1", "ipv4Mapped"],
    ["::ffff:8.8.8.8", "ipv4Mapped"],
    ["::7f00:1", "reserved"],
    ["::ffff:0:127.0.0.1", "rfc6145"],
    ["64:ff9b::7f00:1", "rfc6052"],
    ["64:ff9b::10.0.0.1", "rfc6052"],
    ["64:ff9b::8.8.8.8", "rfc6052"],
    ["64:ff9b:1::1", "rfc6052"],
    ["2002:7f00:1::", "6to4"],
    ["2002:808:808::1", "6to4"],
    ["2001::1", "teredo"],
    ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "teredo"],
  ])("classifies %s as %s", (address, range) => {
    expect(classify(address)).toBe(range)
    expect(addressRefusal(make("public"), "hooks.example.com", address) === undefined).toBe(range === "public")
    expect(addressRefusal(make("any"), "hooks.example.com", address)).toBeUndefined()
  })

  it.each([
    "",
    "localhost",
    "example.com",
    "256.1.1.1",
    "1.2.3.4.5",
    "08.8.8.8",
    "1::2::3",
    "4294967296",
    "::g",
    "8.8.8.8/8",
  ])("rejects %j, which is not an address", (text) => {
    expect(classify(text)).toBeUndefined()
    expect(addressRefusal(make("public", ["hooks.example.com"]), "hooks.example.com", text)).toBe(
      "the address cannot be read",
    )
  })

  it("has the same class in every spelling that the URL parser accepts", () => {
    const octet = fc.nat(255)
    fc.assert(
      fc.property(octet, octet, octet, octet, (a, b, c, d) => {
        const plain = `${a}.${b}.${c}.${d}`
        const whole = ((a * 256 + b) * 256 + c) * 256 + d
        const octal = `0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`
        for (const spelling of [String(whole), `0x${whole.toString(16)}`, `${a}.${b}.${c * 256 + d}`, octal]) {
          expect(classify(spelling)).toBe(classify(plain))
          expect(classify(new URL(`http://${spelling}/`).hostname)).toBe(classify(plain))
        }
        expect(classify(`::ffff:${plain}`)).not.toBe("public")
      }),
    )
  })
})

describe("the allow list", () => {
  it.each([
    [["127.0.0.1"], "hooks.example.com", "127.0.0.1", true],
    [["127.0.0.1"], "hooks.example.com", "127.0.0.2", false],
    [["127.0.0.1"], "hooks.example.com", "::ffff:127.0.0.1", true],
    [["::ffff:127.0.0.1"], "hooks.example.com", "127.0.0.1", true],
    [["::1"], "hooks.example.com", "0:0:0:0:0:0:0:1", true],
    [["[::1]"], "hooks.example.com", "::1", true],
    [["10.0.0.0/8"], "hooks.example.com", "10.20.30.40", true],
    [["10.0.0.0/8"], "hooks.example.com", "11.0.0.1", true],
    [["10.0.0.0/8"], "hooks.example.com", "192.168.0.1", false],
    [["fd00::/8"], "hooks.example.com", "fd12::1", true],
    [["fd00::/8"], "hooks.example.com", "fe80::1", false],
    [["hooks.example.com"], "hooks.example.com", "10.0.0.1", true],
    [["Hooks.Example.COM."], "hooks.example.com", "10.0.0.1", true],
    [["hooks.example.com"], "HOOKS.example.com.", "10.0.0.1", true],
    [["hooks.example.com"], "evil.example.com", "10.0.0.1", false],
    [["hooks.example.com"], "x.hooks.example.com", "10.0.0.1", false],
    // an allowed name may not resolve to instance metadata; an allowed address may be one
    [["hooks.example.com"], "hooks.example.com", "169.254.169.254", false],
    [["hooks.example.com"], "hooks.example.com", "64:ff9b::a9fe:a9fe", false],
    [["169.254.169.254"], "hooks.example.com", "169.254.169.254", true],
  ] as const)("%j applies to the host %s at %s: %s", (allow, host, address, allowed) => {
    expect(addressRefusal(make("public", allow), host, address)).toBe(
      allowed ? undefined : "the address is not on the public internet",
    )
  })

  it.each(["", "http://x", "10.0.0.0/33", "a b", "*.example.com", "host:80"])("refuses the entry %j", (entry) => {
    expect(() => make("public", [entry])).toThrow("allow list")
  })
})

describe("a URL", () => {
  const refusal = (text: string, mode: AddressPolicy.Mode, allow: ReadonlyArray<string> = []) => {
    const parsed = parseEndpoint(make(mode, allow), text)
    return Result.isFailure(parsed) ? parsed.failure : undefined
  }
  const notPublic = "the address is not on the public internet"
  const local = "the host name is local"
  const notHttps = "the scheme is not https"

  it.each([
    // in both modes
    ["", "it is not a URL", "it is not a URL"],
    ["hooks.example.com", "it is not a URL", "it is not a URL"],
    ["/hooks", "it is not a URL", "it is not a URL"],
    ["https://", "it is not a URL", "it is not a URL"],
    ["https://256.1.1.1/", "it is not a URL", "it is not a URL"],
    ["https://hooks.example.com:99999/", "it is not a URL", "it is not a URL"],
    ["ftp://hooks.example.com/", "the scheme is neither https nor http", "the scheme is neither https nor http"],
    ["file:///etc/passwd", "the scheme is neither https nor http", "the scheme is neither https nor http"],
    ["javascript:alert(1)", "the scheme is neither https nor http", "the scheme is neither https nor http"],
    ["https://user:pass@hooks.example.com/", "the URL contains credentials", "the URL contains credentials"],
    ["https://user@hooks.example.com/", "the URL contains credentials", "the URL contains credentials"],
    ["https://:pass@hooks.example.com/", "the URL contains credentials", "the URL contains credentials"],
    ["https://hooks.example.com/#part", "the URL has a fragment", "the URL has a fragment"],
    ["https://hooks.example.com/#", "the URL has a fragment", "the URL has a fragment"],
    [
      "https://hooks.example.com/a b",
      "the URL has white space or control characters",
      "the URL has white space or control characters",
    ],
    [
      "https://hooks.exa\tmple.com/",
      "the URL has white space or control characters",
      "the URL has white space or control characters",
    ],
    [
      " https://hooks.example.com/",
      "the URL has white space or control characters",
      "the URL has white space or control characters",
    ],
    [
      "https://hooks.example.com/\u0000",
      "the URL has white space or control characters",
      "the URL has white space or control characters",
    ],
    // public hosts
    ["https://hooks.example.com/", undefined, undefined],
    ["https://hooks.example.com:8443/a?b=c", undefined, undefined],
    ["HTTPS://HOOKS.EXAMPLE.COM/", undefined, undefined],
    ["https://8.8.8.8/", undefined, undefined],
    ["https://[2606:4700:4700::1111]/", undefined, undefined],
    ["http://hooks.example.com/", undefined, notHttps],
    ["http://8.8.8.8/", undefined, notHttps],
    // literal addresses
    ["https://127.0.0.1/", undefined, notPublic],
    ["http://127.0.0.1:3000/", undefined, notPublic],
    ["https://127.1/", undefined, notPublic],
    ["https://2130706433/", undefined, notPublic],
    ["https://0x7f.1/", undefined, notPublic],
    ["https://0177.0.0.1/", undefined, notPublic],
    ["https://127.0.0.1./", undefined, notPublic],
    ["https://127%2e0%2e0%2e1/", undefined, notPublic],
    ["https://１２７.0.0.1/", undefined, notPublic],
    ["https://[::1]/", undefined, notPublic],
    ["https://[::ffff:10.0.0.1]/", undefined, notPublic],
    ["https://[::127.0.0.1]/", undefined, notPublic],
    ["https://169.254.169.254/latest/meta-data/", undefined, notPublic],
    ["https://[fd00:ec2::254]/latest/meta-data/", undefined, notPublic],
    // local names
    ["https://localhost/", undefined, local],
    ["https://LOCALHOST./", undefined, local],
    ["https://%6cocalhost/", undefined, local],
    ["https://api.localhost/", undefined, local],
    ["https://printer.local/", undefined, local],
    ["https://db.internal/", undefined, local],
    ["https://metadata.google.internal/computeMetadata/v1/", undefined, local],
    ["https://metadata.goog/", undefined, local],
    ["https://router.home.arpa/", undefined, local],
    ["https://metadata/", undefined, local],
    ["https://intranet/", undefined, local],
    // names that only look local
    ["https://localhost.example.com/", undefined, undefined],
    ["https://mylocal.example.com/", undefined, undefined],
    ["https://notinternal/", undefined, local],
    ["https://xinternal.com/", undefined, undefined],
  ])("is checked under both policies: %j", (text, inAny, inPublic) => {
    expect(refusal(text, "any")).toBe(inAny)
    expect(refusal(text, "public")).toBe(inPublic)
  })

  it.each([
    ["http://localhost:3000/", ["localhost"], undefined],
    ["http://localhost:3000/", ["127.0.0.0/8"], local],
    ["http://127.0.0.1:3000/", ["127.0.0.0/8"], undefined],
    ["http://127.0.0.1:3000/", ["localhost"], notPublic],
    ["http://hooks.corp.internal/", ["hooks.corp.internal"], undefined],
    ["http://hooks.example.com/", ["10.0.0.0/8"], notHttps],
    ["http://[::1]:3000/", ["::1"], undefined],
    ["https://user:pass@localhost/", ["localhost"], "the URL contains credentials"],
  ])("%j is checked against the allow list %j", (text, allow, reason) => {
    expect(refusal(text, "public", allow)).toBe(reason)
  })

  it("is accepted up to the maximum length", () => {
    const start = "https://hooks.example.com/"
    const longest = start + "a".repeat(urlLengthMax - start.length)
    expect(refusal(longest, "public")).toBeUndefined()
    expect(refusal(`${longest}a`, "public")).toBe("the URL is longer than 2048 characters")
    expect(refusal(`${longest}a`, "any")).toBe("the URL is longer than 2048 characters")
  })
})
