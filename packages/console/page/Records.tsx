/** Records of every type: a list, what belongs to a record, or the record that the address names. Source: D-467. */
import { useHashParts } from "./Hash.ts"
import { RecordList } from "./RecordList.tsx"
import { isRecordType } from "./RecordNames.tsx"
import { RecordView } from "./RecordView.tsx"

export const Records = ({ now, round }: { readonly now: number; readonly round: number }) => {
  const [first = "", type = "", relatedTo = ""] = useHashParts()
  if (first.includes(":")) return <RecordView key={first} id={first} round={round} />
  return <RecordList type={isRecordType(type) ? type : "Customer"} relatedTo={relatedTo} now={now} round={round} />
}
