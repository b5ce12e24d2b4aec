import { setImmediate } from 'node:timers/promises';
import { findGtin } from '@draftshelf/domain/base/gtin';
import { issueText, sharedKeyText } from '@draftshelf/domain/review/issue-texts';
import type { CommandPreview } from '@draftshelf/domain/review/operations/command-preview';
import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { describeOperations } from '@draftshelf/domain/review/operations/operations-sentence';
import { createPreviewCounter } from '@draftshelf/domain/review/operations/preview-counter';
import { areOnlyPastes, findRefusedCells } from '@draftshelf/domain/review/operations/refused-cells';
import { compareClasses } from '@draftshelf/domain/review/operations/row-classes';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { currentRows, readRowRules } from '../../work/runs.ts';
import { findSharedKeys, type KeyedRow } from '../duplicates.ts';
import { readMatchingRows } from './command-targets.ts';
import { type ChangedProduct, operateOnProducts } from './operate.ts';
import { findProtectedCells, readLastEditId, readOperatorCells } from './stored-edits.ts';
import { readWholeProducts, type WholeProduct } from './whole-products.ts';

const readMsMax = 150;

/**
 * Previews operations on a target, or on a sample of up to 1,000 of its rows. Checks all pasted values. `orderedAt`:
 * given for a recipe, which keeps the operator's own cells. The caller's transaction reads one snapshot.
 */
export async function previewCommand(
  db: Db,
  record: ImportRecord,
  given: { target: CommandTarget; operations: readonly Operation[]; orderedAt?: string },
): Promise<CommandPreview> {
  const { target, operations, orderedAt } = given;
  const of = currentRows(record);
  const rules = await readRowRules(db, of);
  const sinceEdit = await readLastEditId(db, record.id);
  const sample = await sampleTarget(db, record, target);
  const { isInTarget } = sample;
  const products = await readSample(db, record, sample);
  const offsets = products.flat().map(({ byte_from }) => byte_from);
  const leaves = orderedAt && {
    left: findProtectedCells(await readOperatorCells(db, record.id, null, offsets), orderedAt),
  };
  const counter = createPreviewCounter();
  const counted: WholeProduct[] = [];
  const keyed: KeyedRow[] = [];
  const isSpent = workBudget();
  for await (const applied of operateOnProducts(db, record, operations, {
    products,
    isInTarget,
    ...leaves,
  })) {
    counter.add(applied, compareClasses(applied.rows, applied.changes, rules));
    counted.push(applied.rows);
    keyed.push(...keyedBy(applied));
    if (isSpent(applied.rows)) break;
    // Lets other requests run between two products.
    await setImmediate();
  }
  const read = new Set(counted.flat().map(({ row }) => row));
  counter.addLeft(findRefusedCells(operations, (row) => isInTarget(row) && !read.has(row)));
  const rows = [...read].filter(isInTarget).length;
  const isAll = rows === sample.rows;
  const { gained, left, ...counts } = counter.counts();
  const upTo = counted.length < products.length ? lastRowOf(counted) : null;
  return {
    sentence: describeOperations(operations),
    rows: sample.rows,
    products: isAll ? counted.length : countProducts(record, sample.rows),
    sample: { rows, products: counted.length, isAll, upTo },
    ...counts,
    left: left.map((one) => ({
      ...one,
      isAll: isAll || (one.refused !== null && areOnlyPastes(operations)),
    })),
    problems: [
      ...gained.map(({ code, ...where }) => ({ text: issueText(code), ...where })),
      ...sharedProblems(await findSharedKeys(db, of, keyed)),
    ],
    sinceEdit,
  };
}

function keyedBy({ rows: [first], changes }: ChangedProduct): KeyedRow[] {
  return changes.flatMap(({ row, field, after }): KeyedRow[] => {
    if (first === undefined || !after || (field !== 'sku' && field !== 'upc')) return [];
    const text = field === 'sku' ? after : findGtin(after)?.gtin;
    return text === undefined ? [] : [{ row, product: first.product, field, text }];
  });
}

const sharedProblems = (shared: readonly KeyedRow[]): CommandPreview['problems'] =>
  [...Map.groupBy(shared, ({ field }) => field)].map(([field, rows]) => ({
    text: sharedKeyText(field),
    rows: rows.length,
    row: rows[0]?.row ?? 0,
  }));

const workCharsMax = 2 * 1024 * 1024;
const workMsMax = 200;

function workBudget() {
  const begun = process.threadCpuUsage();
  let chars = 0;
  return (rows: WholeProduct): boolean => {
    for (const { values } of rows) for (const text of Object.values(values)) chars += text.length;
    const { user, system } = process.threadCpuUsage(begun);
    return chars > workCharsMax || (user + system) / 1_000 > workMsMax;
  };
}

const lastRowOf = (products: readonly WholeProduct[]): number =>
  products.flat().reduce((last, { row }) => Math.max(last, row), 0);

/** Returns null if only a query could count the products. */
function countProducts(
  { total_rows, total_products }: Pick<ImportRecord, 'total_rows' | 'total_products'>,
  rows: number,
): number | null {
  if (total_rows === total_products) return rows;
  return rows === total_rows ? total_products : null;
}

/** Reads the products of a sample in file order. If time runs out, reads only some stretches, spread evenly. */
async function readSample(db: Db, record: ImportRecord, { stretches }: Pick<TargetSample, 'stretches'>) {
  const deadline = performance.now() + readMsMax;
  const read = new Map<number, WholeProduct>();
  for (const [at, stretch] of spread(stretches).entries()) {
    if (at >= 2 && performance.now() > deadline) break;
    for (const product of await readWholeProducts(db, currentRows(record), stretch, stretch.length)) {
      if (product[0]) read.set(product[0].row, product);
    }
  }
  return [...read].sort(([a], [b]) => a - b).map(([, product]) => product);
}

/** Reorders items so that the first ones are spread evenly: both ends, the middle, then the middles of the halves. */
function spread<Item>(items: readonly Item[]): Item[] {
  const last = items.length - 1;
  const places = new Set([0, last]);
  for (let step = last / 2; places.size < items.length && step > 0.4; step /= 2) {
    for (let at = step; at < last; at += step) places.add(Math.round(at));
  }
  return [...places].map((at) => items[at]).filter((item) => item !== undefined);
}

/** A sample of a target's rows, in stretches of neighboring rows that are read together. */
type TargetSample = { stretches: number[][]; isInTarget: (row: number) => boolean; rows: number };

const sampledRowsMax = 1_000;
const stretchesMax = 20;
const stretchRows = sampledRowsMax / stretchesMax;

/** Samples a target: all rows, or, if there are over 1,000, stretches spread evenly from the first row to the last. */
async function sampleTarget(db: Db, record: ImportRecord, target: CommandTarget): Promise<TargetSample> {
  const numbers = await readMatchingRows(db, record, 'rows' in target ? target.rows : target);
  const matches = new Uint8Array((numbers.at(-1) ?? 0) + 1);
  for (const row of numbers) matches[row] = 1;
  const stretches = ranksOf(numbers.length).map(([from, to]) => [...numbers.slice(from, to)]);
  return { stretches, isInTarget: (row) => matches[row] === 1, rows: numbers.length };
}

function ranksOf(total: number): [number, number][] {
  const stretches = Math.min(stretchesMax, Math.ceil(total / stretchRows));
  const step = total <= sampledRowsMax ? stretchRows : (total - stretchRows) / (stretches - 1);
  return Array.from({ length: stretches }, (_, at) => {
    const from = Math.round(at * step);
    return [from, Math.min(total, from + stretchRows)];
  });
}
