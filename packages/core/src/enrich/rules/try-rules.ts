import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { type RuleChange, ruleMatcher } from '@draftshelf/domain/enrich/rules/match-rules';
import type { Db } from '../../connection/database.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { applyMatcher, readRuledProducts } from './rule-products.ts';

const examplesMax = 5;
const rowsPerRead = 500;
/** A trial ends with the read that exceeds a limit. */
const triedRowsMax = 20_000;
const tryMsMax = 2_000;

export type RuleExample = { row: number; title: string | null; changes: RuleChange[] };

export type RuleTrial = {
  products: number;
  isAll: boolean;
  /** By rule, in order: `count` products, of which `changed` get a value from it. */
  matches: { rule: string; count: number; changed: number; examples: RuleExample[] }[];
};

/** Tries rules on the first products of an import of `totalRows`. Changes nothing. */
export async function tryRules(
  db: Db,
  of: RunOfRows,
  rules: readonly CategoryRule[],
  totalRows: number,
): Promise<RuleTrial> {
  const matcher = ruleMatcher(rules);
  const matches = rules.map(({ id }) => ({ rule: id, count: 0, changed: 0, examples: [] as RuleExample[] }));
  const byRule = new Map(matches.map((match) => [match.rule, match]));
  const until = performance.now() + tryMsMax;
  let products = 0;
  let tried = 0;
  while (tried < totalRows && tried < triedRowsMax && performance.now() < until) {
    for (const product of await readRuledProducts(db, of, { firstRow: tried + 1, rows: rowsPerRead })) {
      products += 1;
      const { matching, changes } = applyMatcher(matcher, product);
      for (const { id } of matching) {
        const match = byRule.get(id);
        if (!match) continue;
        const own = changes.filter((change) => change.rules.includes(id));
        match.count += 1;
        if (own.length > 0) match.changed += 1;
        const { row, title } = product;
        if (match.examples.length < examplesMax) match.examples.push({ row, title, changes: own });
      }
    }
    tried += rowsPerRead;
  }
  return { products, isAll: tried >= totalRows, matches };
}
