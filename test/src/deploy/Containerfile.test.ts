/** The container file: without problems by a linter, and with what an orchestrator expects of the image. Source: D-542. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { validate } from "dockerfile-utils"
import { describe, expect, it } from "vitest"
import { repository } from "../packages/Packed.ts"
import { processes } from "./Manifests.ts"

const text = (path: string) => readFileSync(join(repository, path), "utf8")
const file = text("deploy/Containerfile")
const instructions = file
  .replaceAll(/^#.*\n/gmu, "")
  .replaceAll(/\\\n\s*/gu, "")
  .split("\n")
  .filter((line) => line !== "")
const valuesOf = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

describe("the container file", () => {
  it("has no problem by the linter, which finds one in another file", () => {
    expect(validate(file).map(({ message, range }) => [range.start.line + 1, message])).toEqual([])
    expect(validate("FROM node\nCOPY a\nCMD serve\nCMD serve\n")).not.toEqual([])
  })

  it("ends with an empty file system, a user with a number, and no shell between Node and the signals", () => {
    expect(valuesOf("FROM").at(-1)).toBe("scratch")
    expect(valuesOf("USER")).toEqual(["10001:10001"])
    expect(valuesOf("STOPSIGNAL")).toEqual(["SIGTERM"])
    for (const words of [...valuesOf("ENTRYPOINT"), ...valuesOf("CMD"), ...valuesOf("RUN")]) {
      expect(JSON.parse(words)).toEqual(expect.arrayContaining([expect.any(String)]))
    }
    expect(valuesOf("HEALTHCHECK")).toEqual([
      expect.stringMatching(/ CMD \["\/usr\/local\/bin\/node", "-e", ".*\/healthz/u),
    ])
  })

  it("has the user, the port and the command of the manifests", () => {
    for (const { container, template } of processes) {
      const { runAsGroup, runAsUser } = template.spec.securityContext ?? {}
      expect(valuesOf("USER")).toEqual([`${runAsUser}:${runAsGroup}`])
      for (const { containerPort } of container.ports ?? []) expect(valuesOf("EXPOSE")).toEqual([String(containerPort)])
      // The entry point of the image runs the command with the arguments.
      expect(container.command).toBeUndefined()
    }
  })

  it("copies only what the ignore file leaves in the context", () => {
    const ignore = text(".containerignore").split("\n")
    expect(ignore.filter((line) => line !== "" && !line.startsWith("#"))[0]).toBe("*")
    const kept = ignore.flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []))
    const copied = valuesOf("COPY").flatMap((words) =>
      words.startsWith("--from") ? [] : words.split(" ").slice(0, -1),
    )
    expect(kept.toSorted()).toEqual(copied.toSorted())
  })
})
