/** A picture of transfers from account to account. The numbers of its arcs are those of the list below it, which says the same in words. */
import { box, flowOf, type Transfer } from "./FlowLayout.ts"
import { ownerName, roleName } from "./LedgerNames.tsx"

const describe = (transfers: ReadonlyArray<Transfer>): string =>
  `Flow of money: ${transfers.map(({ from, to }, n) => `${n + 1} from ${roleName(from.role)} to ${roleName(to.role)}`).join(", ")}.`

export const TransferFlow = ({ transfers }: { readonly transfers: ReadonlyArray<Transfer> }) => {
  const { accounts, arcs, height, width } = flowOf(transfers)
  return (
    <div class="panel flow">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={describe(transfers)}>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M 0 0 L 8 4 L 0 8 z" />
          </marker>
        </defs>
        {accounts.map(({ id, y }) => (
          <g key={id}>
            <rect x={box.left} y={y} width={box.width} height={box.height} rx="10" />
            <text x={box.left + 14} y={y + 24} class="name">
              {roleName(id.split(":", 1)[0] ?? "")}
            </text>
            <text x={box.left + 14} y={y + 43} class="owner">
              {ownerName(id)}
            </text>
          </g>
        ))}
        {arcs.map(({ path, x, y }, n) => (
          <g key={path}>
            <path class="arc" d={path} marker-end="url(#arrow)" />
            <circle cx={x} cy={y} r="12" />
            <text x={x} y={y + 4.5} text-anchor="middle" class="number">
              {n + 1}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}
