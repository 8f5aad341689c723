/** Collects rows by a key; a key without rows does not appear. */
export class RowsByKey<Row> {
  readonly rows: Record<string, Array<Row>> = {}

  add(key: string | number, row: Row): void {
    const known = this.rows[key]
    if (known === undefined) this.rows[key] = [row]
    else known.push(row)
  }
}
