import { judgeAnswer } from '@draftshelf/domain/enrich/judge-answer';
import {
  type LookupField,
  lookupFields,
  type ProposedField,
  storeSource,
} from '@draftshelf/domain/enrich/sources';
import type { Db } from '../../connection/database.ts';
import type { EffectiveRow } from '../../review/effective-rows.ts';
import { addProposals, type NewProposal, removeFilled } from '../../review/proposals/proposals.ts';
import type { RunOfRows } from '../../work/runs.ts';
import type { CoverageChange } from '../coverage.ts';
import { type FoundValue, insertFoundValues, readRuleValues, removeRuleValues } from '../found-values.ts';
import { readBadImages } from '../images.ts';
import { type MissingFields, replaceMissingFields } from '../lacks.ts';
import { queueLookups, readLookupAnswers } from '../lookups.ts';
import { listActiveSources, lockSourcesShared } from '../sources.ts';
import type { CachedAnswer } from '../store-answers.ts';
import { deriveProductFacts, type ProductFacts } from './product-facts.ts';

export type ReconciledProducts = {
  /** First rows of the products that got a value. */
  filled: number[];
  /** First rows of the products that got a picture. */
  pictured: number[];
  /** Changes for `addCoverage`. Call that function late in the transaction, because it locks the import. */
  covered: CoverageChange[];
};

/**
 * Fills empty fields from cached look-ups, proposes differing values, and queues missing look-ups. A type from rules
 * counts as empty, so that rules and look-ups may run in any order. `before`: the rows that coverage has counted.
 */
export async function reconcileProducts(
  db: Db,
  of: RunOfRows,
  products: readonly (readonly EffectiveRow[])[],
  before: readonly (readonly EffectiveRow[])[],
): Promise<ReconciledProducts> {
  await lockSourcesShared(db);
  const all = products.map(deriveProductFacts);
  const gtins = [...new Set(all.flatMap(({ gtin }) => gtin ?? []))];
  const answers = Map.groupBy(await readLookupAnswers(db, gtins), ({ gtin }) => gtin);
  const known = all.map((facts) => ({ facts, answers: answers.get(facts.gtin ?? '') ?? [] }));
  const answered = known.filter((one) => one.answers.length > 0);
  const pictures = answered.flatMap(({ facts }) => facts.pictures);
  const badPictures = await readBadImages(db, pictures);
  const ruled = await typedByRules(db, of, all);
  const judged = known.map(({ facts, answers: those }) =>
    judgeProduct(facts, those, { badPictures, isTypedByRule: ruled.has(facts.row) }),
  );
  const found = judged.flatMap((one) => one.found);
  const replaced = found.filter(({ row, field }) => field === 'type' && ruled.has(row));
  await removeRuleValues(db, of, replaced);
  await insertFoundValues(db, of, found);
  const filled = judged.flatMap(({ facts, found: those }) =>
    those.map((one) => ({ ...one, byteFrom: facts.byteFrom })),
  );
  await removeFilled(db, of.import_id, filled);
  const proposals = judged.flatMap(({ proposals }) => proposals);
  await addProposals(db, of.import_id, proposals);
  const lacks = judged.flatMap(({ lacks: one }) => one ?? []);
  const firsts = all.map(({ row }) => row);
  await replaceMissingFields(db, of, firsts, lacks);
  const lacking = lacks.map(({ gtin }) => gtin);
  await queueLookups(db, lacking, await listActiveSources(db));
  const gained = judged.filter((one) => one.found.length > 0);
  const statesBefore = new Map(before.map(deriveProductFacts).map(({ row, states }) => [row, states]));
  const rowsOf = (some: readonly JudgedProduct[]) => some.map(({ facts }) => facts.row);
  return {
    filled: rowsOf(gained),
    pictured: rowsOf(gained.filter((one) => one.found.some(({ field }) => field === 'image'))),
    covered: coverageChanges(judged, statesBefore),
  };
}

type JudgedProduct = {
  facts: ProductFacts;
  found: FoundValue[];
  proposals: NewProposal[];
  lacks: MissingFields | null;
};

async function typedByRules(
  db: Db,
  of: RunOfRows,
  all: readonly ProductFacts[],
): Promise<ReadonlySet<number>> {
  const typed = all.filter(({ states }) => states.type === 'found').map(({ row }) => row);
  if (typed.length === 0) return new Set();
  const given = await readRuleValues(db, of, typed);
  return new Set(given.filter(({ field }) => field === 'type').map(({ row }) => row));
}

function judgeProduct(
  facts: ProductFacts,
  answers: readonly CachedAnswer[],
  { badPictures, isTypedByRule }: { badPictures: ReadonlyMap<string, unknown>; isTypedByRule: boolean },
): JudgedProduct {
  const { gtin, row } = facts;
  const result: JudgedProduct = { facts, found: [], proposals: [], lacks: null };
  if (gtin === null) return result;
  const isLacking = (field: LookupField) =>
    facts.states[field] === 'none' || (field === 'type' && isTypedByRule);
  const lacking = new Set<LookupField>(lookupFields.filter(isLacking));
  const own = isTypedByRule ? { ...facts.values, type: undefined } : facts.values;
  const picturesAreBad = facts.pictures.length > 0 && facts.pictures.every((url) => badPictures.has(url));
  for (const { source, answer } of answers) {
    const values = judgeAnswer(own, [...lacking], answer, { picturesAreBad });
    for (const { field, value, before, reason } of values) {
      // Values that differ from the store are not proposed, because the push reports the difference.
      if (source === storeSource && reason === 'differs') continue;
      const { attribution } = answer;
      if (reason !== null) {
        const at = { row, byteFrom: facts.byteFrom, gtin, groupKey: groupKeyOf(field, value) };
        // A proposal replaces the value that is shown, which may come from a rule.
        const shown = field === 'type' && isTypedByRule ? (facts.values.type ?? null) : before;
        result.proposals.push({ ...at, field, before: shown, value, source, reason, attribution });
      } else if (field !== 'title') {
        lacking.delete(field);
        result.found.push({ row, field, value, source, gtin, attribution });
      }
    }
  }
  // Drops proposals of values that another source has filled in.
  const isFound = ({ field, value }: NewProposal) =>
    result.found.some((one) => one.field === field && one.value === value);
  result.proposals = result.proposals.filter((proposal) => !isFound(proposal));
  if (isWorthAsking(lacking, answers)) result.lacks = { row, gtin, fields: [...lacking] };
  return result;
}

/** Returns the key that groups equal proposals, for brands and types. Products rarely share values of other fields. */
const groupKeyOf = (field: ProposedField, value: string): string | null =>
  field === 'vendor' || field === 'type' ? value : null;

/** Returns whether to ask sources. If a source has answered, only a missing picture or brand is worth another call. */
function isWorthAsking(lacking: ReadonlySet<LookupField>, answers: readonly CachedAnswer[]): boolean {
  return lacking.has('image') || lacking.has('vendor') || (lacking.size > 0 && answers.length === 0);
}

function coverageChanges(
  judged: readonly JudgedProduct[],
  before: ReadonlyMap<number, ProductFacts['states']>,
): CoverageChange[] {
  return lookupFields.map((field) => {
    const change: CoverageChange = { field, products: 0, filled: 0, found: 0 };
    for (const { facts, found } of judged) {
      const known = before.get(facts.row);
      const now = found.some((value) => value.field === field) ? 'found' : facts.states[field];
      if (known === undefined) change.products += 1;
      else if (known[field] !== 'none') change[known[field]] -= 1;
      if (now !== 'none') change[now] += 1;
    }
    return change;
  });
}
