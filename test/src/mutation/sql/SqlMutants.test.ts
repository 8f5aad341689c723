/** The mutants of a function are those of its code, and of nothing else. */
import { expect, it } from "vitest"
import { functionFiles, mutantsOf } from "./SqlMutants.ts"

const text = `create or replace function countersign.pay(a int) returns boolean language plpgsql as $body$
begin
  -- a comment with a = b and c
  if a <= 3 and 'x = y' = 'z' then
    perform 1 from t where t.b is null order by t.b desc for update skip locked;
  end if;
  return true;
end $body$`

it("turn comparisons round, negate conditions, and leave out orders, locks and statements", () => {
  expect(mutantsOf(text).map(({ change, where }) => `${where} ${change}`)).toEqual([
    "pay:4 <= => <",
    "pay:4 and => or",
    "pay:4 = => <>",
    "pay:5 perform 1 from t where t.b is null order by t.b desc for upd => null;",
    "pay:5 is null => is not null",
    "pay:5 desc => nothing",
    "pay:5 for update => nothing",
    "pay:5 skip locked => nothing",
    "pay:7 true => false",
  ])
})

it("exist of every function, and each differs from it", () => {
  const all = functionFiles.map((original) => ({ original, mutants: mutantsOf(original) }))
  for (const { mutants, original } of all) {
    expect(mutants.length).toBeGreaterThan(0)
    expect(mutants.filter(({ text: mutant }) => mutant === original)).toEqual([])
  }
  expect(all.flatMap(({ mutants }) => mutants).length).toBeGreaterThan(400)
})
