/** The rows of CSV files: what is read of them in pieces of any length, where each row ends, and what is refused. */
import { NodeCsv } from "@countersign/adapter-http"
import { CsvReader, rowBytesMax } from "@countersign/core/ports"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const cut = (whole: Uint8Array, lengths: ReadonlyArray<number>): Array<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let at = 0
  for (const length of [...lengths, whole.byteLength]) {
    if (at < whole.byteLength) pieces.push(whole.subarray(at, at + length))
    at += length
  }
  return pieces
}

/** Returns the rows, or the reason for which the file is refused. */
const read = (file: Uint8Array, from = 0, lengths: ReadonlyArray<number> = []) =>
  Effect.runPromise(
    CsvReader.use((reader) =>
      Stream.runCollect(reader.rows(Stream.fromIterable(cut(file.subarray(from), lengths)), from)),
    ).pipe(
      Effect.match({ onSuccess: (rows) => [...rows], onFailure: ({ reason }) => reason }),
      Effect.provide(NodeCsv.layer),
    ),
  )

const cellsOf = async (file: string | Uint8Array, lengths?: ReadonlyArray<number>) => {
  const rows = await read(typeof file === "string" ? bytes(file) : file, 0, lengths)
  return typeof rows === "string" ? rows : rows.map(({ cells }) => cells)
}

describe("a file", () => {
  it.each([
    [
      "lines that end in LF",
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "lines that end in CRLF",
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "both endings, and none at the end",
      'a,b\n1,"2"\r\n3,4',
      [
        ["a", "b"],
        ["1", "2"],
        ["3", "4"],
      ],
    ],
    [
      "a byte order mark",
      "\uFEFFa,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["a byte order mark before a quote", '\uFEFF"a",b\n', [["a", "b"]]],
    ["quotes, commas and lines in quotes", '"a,""x""\r\nb",c\n', [['a,"x"\r\nb', "c"]]],
    ["empty lines", "\n\r\na\n\n\nb\n\n", [["a"], ["b"]]],
    ["rows of other lengths", "a,b,c\n1\n1,2,3,4\n", [["a", "b", "c"], ["1"], ["1", "2", "3", "4"]]],
    ["empty cells, and an empty cell in quotes", ',\n""\n', [["", ""], [""]]],
    [
      "formulas, spaces, CR and U+0000, which stay",
      "=1+1, x \n\u0000,a\rb\n",
      [
        ["=1+1", " x "],
        ["\u0000", "a\rb"],
      ],
    ],
    ["characters of several bytes", "für,漢字,😀\n", [["für", "漢字", "😀"]]],
    ["nothing", "", []],
  ])("with %s is read", async (_what, file, rows) => {
    expect(await cellsOf(file)).toEqual(rows)
    expect(
      await cellsOf(
        file,
        Array.from({ length: bytes(file).byteLength }, () => 1),
      ),
    ).toEqual(rows)
  })

  it.each([
    ["a quote that is never closed", bytes('a\n"b,c\nd\n'), "NOT_CSV"],
    ["text after a closing quote", bytes('"a"b\n'), "NOT_CSV"],
    ["a quote within a cell", bytes('a"b\n'), "NOT_CSV"],
    ["a byte that is not UTF-8", Uint8Array.of(0x61, 0x0a, 0xff, 0x0a), "NOT_UTF8"],
    ["half of a character at its end", Uint8Array.of(0x61, 0x0a, 0xe6, 0xbc), "NOT_UTF8"],
    ["a surrogate", Uint8Array.of(0x61, 0xed, 0xa0, 0x80), "NOT_UTF8"],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x61, 0x00), "NOT_UTF8"],
    ["a row that is too long", bytes(`a\n${"b".repeat(rowBytesMax + 1)}`), "ROW_TOO_LONG"],
    ["a row of too many empty cells", bytes(`a\n${",".repeat(rowBytesMax + 1)}`), "ROW_TOO_LONG"],
  ])("with %s is refused", async (_what, file, reason) => {
    expect(
      await read(
        file,
        0,
        Array.from({ length: 40 }, () => 65_536),
      ),
    ).toBe(reason)
  })
})

const cell = fc.oneof(
  fc.constantFrom("", "a", "x,y", 'say ""hi""', "line\nbreak", "\r\n", "漢", "😀", " ", "\u0000"),
  fc.string({ maxLength: 8 }),
)
const asCsv = (rows: ReadonlyArray<ReadonlyArray<string>>, ending: string) =>
  rows.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(",") + ending).join("")

describe("the end of a row", () => {
  it("is where the rest of the file is read from, however the file is cut", async () => {
    const files = fc.record({
      rows: fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      mark: fc.constantFrom("", "\uFEFF"),
      ending: fc.constantFrom("\n", "\r\n"),
      lengths: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(files, async ({ ending, lengths, mark, rows }) => {
        const file = bytes(mark + asCsv(rows, ending))
        const all = await read(file, 0, lengths)
        if (typeof all === "string") throw new Error(all)
        expect(all.map(({ cells }) => cells)).toEqual(rows)
        expect(all.at(-1)?.end).toBe(file.byteLength)
        for (const [index, { end }] of all.entries()) {
          expect(await read(file, end, lengths)).toEqual(all.slice(index + 1))
        }
      }),
      { numRuns: 150 },
    )
  })
})
