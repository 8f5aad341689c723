/** Rows by what they are of, as the functions read them: what is empty is left out. */
export class Parts<Row> {
  readonly rows: Record<string, Array<Row>> = {}

  add(part: string | number, row: Row): void {
    const known = this.rows[part]
    if (known === undefined) this.rows[part] = [row]
    else known.push(row)
  }
}
