import { type CategoryRule, type RuleField, ruleFields } from '@draftshelf/domain/enrich/rules/category-rule';
import {
  createRuleMatcher,
  findRuleChanges,
  type RuleChange,
  type RuleMatcher,
  type RuleProduct,
  type RuleTrialResult,
} from '@draftshelf/domain/enrich/rules/match-rules';
import type { Db } from '../../connection/database.ts';
import type { EffectiveRow } from '../../review/effective-rows.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { type RuleValue, readRuleValues } from '../found-values.ts';
import { readProductNumbers, readRowsByProduct } from '../lookups/look-up-range.ts';

export type RuledProduct = {
  rows: readonly EffectiveRow[];
  /** Number and offset of the first row, under which the product's values are stored. */
  row: number;
  byteFrom: number;
  title: string | null;
  /** The product's values, except those from rules. */
  values: RuleProduct;
  /** Fields emptied by the operator, which rules leave empty. */
  emptied: ReadonlySet<RuleField>;
  /** Values from rules. */
  given: readonly RuleValue[];
};

/** Reads the products that begin in a range of rows, in order. */
export async function readRuledProducts(
  db: Db,
  of: RunOfRows,
  range: { firstRow: number; rows: number },
): Promise<RuledProduct[]> {
  const products = await readRowsByProduct(db, of, await readProductNumbers(db, of, range));
  const firsts = products.flatMap(([first]) => first?.row ?? []);
  const given = Map.groupBy(await readRuleValues(db, of, firsts), ({ row }) => row);
  return products.map((rows) => ruledProduct(rows, given.get(rows[0]?.row ?? 0) ?? []));
}

function ruledProduct(rows: readonly EffectiveRow[], given: readonly RuleValue[]): RuledProduct {
  const [first] = rows;
  if (!first) throw new Error('A product has no rows');
  const isGiven = (field: RuleField) =>
    first.sources[field] === 'found' && given.some((value) => value.field === field);
  const own = (field: RuleField) => (isGiven(field) ? undefined : first.values[field]);
  const title = rows.find(({ values }) => values.title?.trim())?.values.title;
  const { vendor, description } = first.values;
  return {
    row: first.row,
    byteFrom: first.byte_from,
    title: title ?? null,
    ...{ rows, given },
    values: {
      ...{ title, vendor, description, price: rows.find(({ values }) => values.price?.trim())?.values.price },
      ...{ type: own('type'), tags: own('tags'), collections: own('collections') },
    },
    emptied: new Set(
      ruleFields.filter((field) => first.sources[field] === 'edit' && !first.values[field]?.trim()),
    ),
  };
}

/** Returns the rules that match a product, and the changes that they make. */
export function matchRules(
  matcher: RuleMatcher,
  { values, emptied }: RuledProduct,
): { matching: CategoryRule[]; changes: RuleChange[] } {
  const matching = matcher(values);
  if (matching.length === 0) return { matching, changes: [] };
  return { matching, changes: findRuleChanges(matching, values).filter(({ field }) => !emptied.has(field)) };
}

const examplesMax = 5;
const rowsPerRead = 500;
/** Limits of a trial in rows and milliseconds. The trial ends after the read that exceeds a limit. */
const triedRowsMax = 20_000;
const tryMsMax = 2_000;

/** Tries rules on the first products of an import without changing them. Matches are in the order of the rules. */
export async function tryRules(
  db: Db,
  of: RunOfRows,
  rules: readonly CategoryRule[],
  totalRows: number,
): Promise<{ products: number; isAll: boolean; matches: RuleTrialResult[] }> {
  const matcher = createRuleMatcher(rules);
  const matches = rules.map(({ id }): RuleTrialResult => ({ rule: id, count: 0, changed: 0, examples: [] }));
  const byRule = new Map(matches.map((match) => [match.rule, match]));
  const until = performance.now() + tryMsMax;
  let products = 0;
  let tried = 0;
  while (tried < totalRows && tried < triedRowsMax && performance.now() < until) {
    for (const product of await readRuledProducts(db, of, { firstRow: tried + 1, rows: rowsPerRead })) {
      products += 1;
      const { matching, changes } = matchRules(matcher, product);
      for (const match of matching.flatMap(({ id }) => byRule.get(id) ?? [])) {
        const own = changes.filter(({ rules: by }) => by.includes(match.rule));
        match.count += 1;
        if (own.length > 0) match.changed += 1;
        if (match.examples.length >= examplesMax) continue;
        const values = own.map(({ field, before, value }) => ({ field, before, value }));
        match.examples.push({ row: product.row, title: product.title, values });
      }
    }
    tried += rowsPerRead;
  }
  return { products, isAll: tried >= totalRows, matches };
}
