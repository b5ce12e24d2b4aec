import {
  type CandidateSupplier,
  hasOwnSign,
  proposeSupplier,
  type SupplierProposal,
  type SupplierSign,
} from '@draftshelf/domain/suppliers/propose-supplier';
import type { Db } from '../connection/database.ts';
import { countAlike, findKnownItems, findSigns, type SampledItem, type SampledRow } from './evidence.ts';
import { findLeftSuppliers } from './suppliers.ts';

/** `except`: a supplier that is excluded. */
type Proposed = {
  rows: readonly Omit<SampledRow, 'vendor'>[];
  signs: readonly SupplierSign[];
  /** The name for a new supplier. */
  name: string | null;
  /** The supplier of an earlier file with the same bytes. */
  sameBytes: number | null;
  except: number | null;
};

const comparedMax = 3;

/** Proposes a list's supplier by a sample of its rows and its signs. `sampled`: keys of the sample. */
export async function proposeByEvidence(
  db: Db,
  { rows, signs: ownSigns, name, sameBytes, except }: Proposed,
): Promise<{ proposal: SupplierProposal; candidates: readonly CandidateSupplier[]; sampled: number }> {
  const items = itemsOf(rows);
  const known = await findKnownItems(db, items);
  const signs = await findSigns(db, ownSigns);
  const left = await findLeftSuppliers(db, [...new Set(signs.map(({ supplier }) => supplier))], name);
  const suppliers = new Set([...known, ...signs, ...left].map(({ supplier }) => supplier));
  if (sameBytes !== null) suppliers.add(sameBytes);
  if (except !== null) suppliers.delete(except);
  const found = [...suppliers].map((supplier) => ({
    ...{ hasFile: supplier === sameBytes, known: 0, comparable: 0, agreeing: 0, alike: 0, equalGtins: 0 },
    ...(known.find((one) => one.supplier === supplier) ?? { supplier }),
    signs: signs.filter((sign) => sign.supplier === supplier),
    left: leftOf(left.find((one) => one.supplier === supplier)),
  }));
  const sampled = items.length;
  const evidence = { rows: rows.length, keyed: rows.filter(({ key }) => key !== null).length, sampled };
  const proposal = proposeSupplier({ ...evidence, candidates: found });
  if (proposal.is !== 'new') return { proposal, candidates: found, sampled };
  const candidates = await compareTitles(db, items, found);
  return { proposal: proposeSupplier({ ...evidence, candidates }), candidates, sampled };
}

const leftOf = (found: { hasName: boolean } | undefined): CandidateSupplier['left'] =>
  found ? (found.hasName ? 'named' : 'unnamed') : null;

function itemsOf(rows: Proposed['rows']): SampledItem[] {
  const byKey = new Map(
    rows.flatMap((row) => (row.key === null ? [] : [[row.key, { ...row, key: row.key }]])),
  );
  return [...byKey.values()];
}

/** Counts equal titles and GTINs of candidates that may have other keys, first of those with a sign of their own. */
async function compareTitles(
  db: Db,
  items: readonly SampledItem[],
  candidates: readonly CandidateSupplier[],
): Promise<CandidateSupplier[]> {
  const signed = candidates.filter(({ signs }) => signs.length > 0);
  const compared = signed
    .toSorted((a, b) => Number(hasOwnSign(b)) - Number(hasOwnSign(a)))
    .slice(0, comparedMax);
  const found: CandidateSupplier[] = [];
  for (const candidate of compared) {
    found.push({ ...candidate, ...(await countAlike(db, candidate.supplier, items)) });
  }
  return [...candidates.filter((candidate) => !compared.includes(candidate)), ...found];
}
