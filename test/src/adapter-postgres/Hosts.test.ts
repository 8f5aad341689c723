/** Addresses with several hosts. Source: D-508. */
import { hostsOf } from "@countersign/adapter-postgres/preflight"
import { describe, expect, it } from "vitest"

describe("an address", () => {
  it.each([
    ["postgres://db/pay", ["postgres://db/pay"]],
    ["postgresql://me:secret@db:5433/pay", ["postgresql://me:secret@db:5433/pay"]],
    ["postgres://a,b:5433/pay", ["postgres://a/pay", "postgres://b:5433/pay"]],
    [
      "postgres://me:s%2Cx@a:1,b:2/pay?sslmode=require",
      ["postgres://me:s%2Cx@a:1/pay?sslmode=require", "postgres://me:s%2Cx@b:2/pay?sslmode=require"],
    ],
    ["postgres://a,b/pay?target_session_attrs=read-write", ["postgres://a/pay", "postgres://b/pay"]],
    [
      "postgres://a,b/pay?target_session_attrs=primary&sslmode=require",
      ["postgres://a/pay?sslmode=require", "postgres://b/pay?sslmode=require"],
    ],
    ["postgres://[::1]:1,[::2]:2/pay", ["postgres://[::1]:1/pay", "postgres://[::2]:2/pay"]],
    ["postgres://%2Frun%2Fa,%2Frun%2Fb/pay", ["postgres://%2Frun%2Fa/pay", "postgres://%2Frun%2Fb/pay"]],
    ["postgres:///pay?host=/run/a", ["postgres:///pay?host=/run/a"]],
    ["postgres://a,b,c", ["postgres://a", "postgres://b", "postgres://c"]],
  ])("%s names its hosts", (address, hosts) => {
    expect(hostsOf(address)).toEqual(hosts)
  })

  it.each([
    ["no address of PostgreSQL", "mysql://db/pay"],
    ["a word", "memory"],
    ["a port that is no number", "postgres://a:x,b/pay"],
    ["a port that is too large", "postgres://a:1,b:70000/pay"],
    ["an empty host", "postgres://a,,b/pay"],
    ["a comma at the end", "postgres://a,/pay"],
    ["sessions that only read", "postgres://a,b/pay?target_session_attrs=read-only"],
    ["sessions of a standby", "postgres://a,b/pay?target_session_attrs=prefer-standby"],
    ["sessions of any host", "postgres://a,b/pay?target_session_attrs=any"],
  ])("with %s is refused", (_, address) => {
    expect(hostsOf(address)).toBeUndefined()
  })
})
