/** The addresses of the nodes of a cluster. Source: D-517. */
import { expect, it } from "vitest"
import { addressOf } from "../../../packages/adapter-postgres/src/connection/Hosts.ts"

it.each([
  ["postgres://u:p%40ss@a:5432/data?sslmode=require", "postgres://u:p%40ss@b:6543/data?sslmode=require"],
  ["postgres://u@a,c:5433/data?target_session_attrs=read-write", "postgres://u@b:6543/data"],
  ["postgres:///data?host=/run/postgresql&port=5433&user=u", "postgres://b:6543/data?user=u"],
  [undefined, "postgres://b:6543"],
])("of a node beside %s has its user, its database and its options", (address, expected) => {
  expect(addressOf(address, { host: "b", port: 6543 })).toBe(expected)
})

it("of a node of version 6 is in brackets", () => {
  expect(addressOf("postgres://u@a/data", { host: "fd00::1", port: 1 })).toBe("postgres://u@[fd00::1]:1/data")
})

it("that is not valid is refused without the password", () => {
  expect(() => addressOf("postgres://u:secret@a/data", { host: "a b", port: 1 })).toThrow(
    "a node of the cluster has the host a b, which is no address",
  )
})
