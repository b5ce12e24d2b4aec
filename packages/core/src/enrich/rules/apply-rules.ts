import type { RuleField } from '@draftshelf/domain/enrich/rules/category-rule';
import {
  createRuleMatcher,
  type RuleChange,
  type RuleMatcher,
} from '@draftshelf/domain/enrich/rules/match-rules';
import { ruleSource } from '@draftshelf/domain/enrich/sources';
import { productTypeOf } from '@draftshelf/domain/products/draft-product';
import { sql } from 'kysely';
import { readPreferences } from '../../access/preferences.ts';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { lockImport } from '../../imports/imports.ts';
import { addProposals } from '../../review/proposals/proposals.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { lockHeldChunk, markDone } from '../../work/claim-chunk.ts';
import { currentRows, type RunOfRows } from '../../work/runs.ts';
import { storeTaskProgress, type TaskPartHandler } from '../../work/tasks.ts';
import { lockRulesShared, readRules } from '../category-rules.ts';
import { insertFoundValues, type RuleValue, removeRuleValues } from '../found-values.ts';
import { refreshFoundProducts } from '../lookups/apply-answers.ts';
import { lockSourcesShared } from '../sources.ts';
import { matchRules, type RuledProduct, readRuledProducts } from './rule-products.ts';

/** Rows in memory at a time. A single row may have a megabyte. */
const rowsPerRead = 500;
/** Milliseconds after which a part reads no more rows, because a part locks the import and its rows. */
const partMs = 200;

/** Task 'apply-rules': sets values from the saved rules and removes values of earlier rules. Safe to repeat. */
export const applyRules: TaskPartHandler = (db, chunk) =>
  db.transaction().execute(async (trx) => {
    await lockRows(trx, chunk.import_id);
    const record = await lockImport(trx, chunk.import_id);
    const { done } = await lockHeldChunk(trx, chunk);
    if (!record || record.rows_run !== chunk.run || done >= record.total_rows) {
      return markDone(trx, chunk);
    }
    await lockRulesShared(trx);
    const { rules: saved } = await readRules(trx);
    const names = new Map(saved.map(({ id, name }) => [id, name]));
    const rules = { matcher: createRuleMatcher(saved), names };
    const { rulesFillEmpty: fillsEmpty } = await readPreferences(trx);
    await lockSourcesShared(trx);
    const until = performance.now() + partMs;
    let applied = done;
    do {
      const range = { firstRow: applied + 1, rows: rowsPerRead };
      await applyToRange(trx, record, { range, rules, fillsEmpty });
      applied += rowsPerRead;
    } while (applied < record.total_rows && performance.now() < until);
    await storeTaskProgress(trx, chunk, applied);
    return 'more';
  });

type Application = {
  range: { firstRow: number; rows: number };
  rules: { matcher: RuleMatcher; names: ReadonlyMap<string, string> };
  /** True if rules fill empty fields. False if rules only propose the values. */
  fillsEmpty: boolean;
};

async function applyToRange(db: Db, record: ImportRecord, { range, rules, fillsEmpty }: Application) {
  const of = currentRows(record);
  const { matcher, names } = rules;
  const products = await readRuledProducts(db, of, range);
  const ruled = products.map((product) => {
    const { changes } = matchRules(matcher, product);
    const isFilled = ({ before }: RuleChange) => fillsEmpty && before === null;
    const proposals = changes.filter((change) => !isFilled(change));
    return { product, proposals, ...differencesOf(product, changes.filter(isFilled)) };
  });
  await propose(db, of, names, ruled);
  const changed = ruled.filter(({ gone, added }) => gone.length + added.length > 0);
  const gone = changed.flatMap(({ gone }) => gone);
  await removeRuleValues(db, of, gone);
  const added = changed.flatMap(({ added: values }) => values);
  const found = added.map((value) => ({ ...value, source: ruleSource }));
  await insertFoundValues(db, of, found);
  const before = changed.map(({ product }) => product.rows);
  const gained = changed.filter(({ added: values }) => values.length > 0).length;
  await refreshFoundProducts(db, record, { before, gained });
}

async function propose(
  db: Db,
  { import_id }: RunOfRows,
  names: ReadonlyMap<string, string>,
  ruled: readonly { product: RuledProduct; proposals: readonly RuleChange[] }[],
): Promise<void> {
  const proposals = ruled.flatMap(({ product: { row, byteFrom }, proposals: changes }) =>
    changes.map(({ field, before, value, added, rules }) => ({
      ...{ row, byteFrom, field, before, value, source: ruleSource },
      reason: reasonOf(field, rules, names),
      groupKey: added.join(', '),
    })),
  );
  const offsets = ruled.map(({ product }) => product.byteFrom);
  await removeRuleProposals(db, import_id, offsets, proposals);
  await addProposals(db, import_id, proposals);
}

/**
 * Removes open proposals of rules, except for the fields in `kept`. Searches record by record: the planner has no
 * statistics on proposals that were just inserted, so it would read all proposals of the import.
 */
async function removeRuleProposals(
  db: Db,
  importId: string,
  records: readonly number[],
  kept: readonly { byteFrom: number; field: string }[],
): Promise<void> {
  await sql`
    delete from proposals where state = 'open' and id = any(array(
      select of_record.id from unnest(${records}::bigint[]) as record (byte_from) cross join lateral (
        select id, byte_from, field, source, state from proposals
        where import_id = ${importId} and byte_from = record.byte_from
        offset 0
      ) of_record
      where of_record.source = ${ruleSource} and of_record.state = 'open'
        and (of_record.byte_from, of_record.field) not in (
          select * from ${unnestRows('kept', kept, { byteFrom: 'bigint', field: 'text' })})))`.execute(db);
}

/** Returns a sentence with the names of the rules and, for a type, the type that is sent if the product has none. */
function reasonOf(field: RuleField, rules: readonly string[], names: ReadonlyMap<string, string>): string {
  const quoted = rules.map((id) => `“${names.get(id) ?? ''}”`);
  const by = `By ${rules.length === 1 ? 'the rule' : 'the rules'} ${quoted.join(', ')}.`;
  return field === 'type' ? `${by} Without a type, “${productTypeOf(undefined, {})}” is sent.` : by;
}

function differencesOf({ row, given }: RuledProduct, filled: readonly RuleChange[]) {
  const isSame = (one: Pick<RuleValue, 'field' | 'value'>) => (other: Pick<RuleValue, 'field' | 'value'>) =>
    one.field === other.field && one.value === other.value;
  return {
    gone: given.filter((value) => !filled.some(isSame(value))),
    added: filled
      .filter((change) => !given.some(isSame(change)))
      .map(({ field, value }) => ({ row, field, value })),
  };
}
