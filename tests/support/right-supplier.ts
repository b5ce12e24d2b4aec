import type { Db } from '@draftshelf/core/connection/database';
import {
  bytesOf,
  type Format,
  insertWithLists,
  type ListTable,
  proposalFor,
  randomFrom,
} from './list-pairs.ts';

/** Pairs of lists by what was proposed for the second one. `wrong`: a supplier or none, without a question. */
export type PairCounts = { right: number; unsure: number; wrong: string[]; asked: string[] };

type Random = () => number;

/** What becomes of the next list of a supplier. */
const usualChanges = ['reformatted', 'fewer rows', 'more rows', 'other columns', 'renamed file'] as const;
const changes = [...usualChanges, ...usualChanges, ...usualChanges, 'renumbered'] as const;
/** Whose the second list is: most are of a supplier that is known. */
const cases = [
  'next',
  'next',
  'next',
  'next',
  'next',
  'next',
  'of the other',
  'of the other',
  'first',
  'first of others',
] as const;

/**
 * Makes pairs of lists from tables, the same for the same number, and counts what is proposed. Each pair has a supplier
 * with a part of a table, another one with other rows of it, and one with another table, often all with item numbers
 * from 1001 on.
 */
export async function countPairs(db: Db, sources: readonly ListTable[], pairs: number): Promise<PairCounts> {
  const counts: PairCounts = { right: 0, unsure: 0, wrong: [], asked: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    await db.deleteFrom('suppliers').execute();
    const { name, expected, proposal } = await tryPair(db, sources, pair);
    const proposed = proposal.is === 'certain' ? proposal.supplier : proposal.is;
    if (proposed === expected) counts.right += 1;
    else if (proposal.is === 'unsure') {
      counts.unsure += 1;
      counts.asked.push(name);
    } else counts.wrong.push(`${name}: ${proposed} instead of ${expected}`);
  }
  return counts;
}

async function tryPair(db: Db, sources: readonly ListTable[], pair: number) {
  const random = randomFrom(pair + 1);
  const source = sources[pair % sources.length] as ListTable;
  const other = sources[
    (pair + 1 + Math.floor(random() * (sources.length - 1))) % sources.length
  ] as ListTable;
  const isNumbered = pair % 3 === 0;
  const numbered = (table: ListTable) => (isNumbered ? renumbered(table, (at) => String(1001 + at)) : table);
  const third = (at: number) => numbered(part(source, at, 3));
  const [first, second, unknown] = [third(0), third(1), third(2)];
  const outside = numbered(other);
  const write = (table: ListTable, filename: string) => ({
    filename,
    bytes: bytesOf(table, anyFormat(random)),
  });
  const acme = await insertWithLists(db, 'Acme', [write(first, 'acme march.csv')]);
  const beta = await insertWithLists(db, 'Beta', [write(second, 'beta march.csv')]);
  const is = cases[pair % cases.length];
  const change = changes[(Math.floor(pair / cases.length) + pair) % changes.length] ?? 'reformatted';
  const name = `${pair} ${is}, ${change}${isNumbered ? ', item numbers' : ''}`;
  if (is !== 'first of others') await insertWithLists(db, 'Gamma', [write(outside, 'gamma march.csv')]);
  const next = (table: ListTable, filename: string) => {
    const changed = changedTable(table, unknown, change, random);
    return write(changed, change === 'renamed file' ? 'list (4).csv' : filename);
  };
  const [expected, file] =
    is === 'next'
      ? [acme, next(first, 'acme april.csv')]
      : is === 'of the other'
        ? [beta, next(second, 'beta april.csv')]
        : ['new', write(is === 'first' ? unknown : outside, 'delta.csv')];
  return { name, expected, proposal: await proposalFor(db, file) };
}

const anyFormat = (random: Random): Format => ({
  delimiter: [',', ';', '\t'][Math.floor(random() * 3)] ?? ',',
  comma: random() < 0.5,
  encoding: (['utf8', 'bom', 'latin1'] as const)[Math.floor(random() * 3)] ?? 'utf8',
});

/** A part of the rows, without those that have a title of an earlier part: variants of a product stand together. */
function part(table: ListTable, at: number, of: number): ListTable {
  const length = Math.floor(table.rows.length / of);
  const titleOf = (row: readonly string[]) => table.titles.map((column) => row[column]).join(' ');
  const before = new Set(table.rows.slice(0, at * length).map(titleOf));
  const rows = table.rows.slice(at * length, (at + 1) * length);
  return { ...table, rows: rows.filter((row) => titleOf(row).trim() === '' || !before.has(titleOf(row))) };
}

const renumbered = (table: ListTable, key: (at: number, old: string) => string): ListTable => ({
  ...table,
  rows: table.rows.map((row, at) =>
    row.map((cell, column) => (column === table.keys[0] ? key(at, cell) : cell)),
  ),
});

function changedTable(
  table: ListTable,
  more: ListTable,
  change: (typeof changes)[number],
  random: Random,
): ListTable {
  const priced = table.rows.map((row) =>
    row.map((cell, at) =>
      table.prices.includes(at) && random() < 0.3 ? String(Number(cell) + 1 || cell) : cell,
    ),
  );
  const shuffled = { ...table, rows: priced.toSorted(() => random() - 0.5) };
  switch (change) {
    case 'fewer rows':
      return { ...shuffled, rows: shuffled.rows.filter(() => random() < 0.7) };
    case 'more rows': {
      const added = more.rows.slice(0, Math.floor(table.rows.length * 0.4));
      const key = (at: number) => `N-${at}`;
      return { ...shuffled, rows: [...shuffled.rows, ...renumbered({ ...more, rows: added }, key).rows] };
    }
    case 'other columns':
      return {
        ...shuffled,
        headers: [...table.headers, 'Note'],
        rows: shuffled.rows.map((row) => [...row, 'x']),
      };
    case 'renumbered':
      return renumbered(shuffled, (_, old) => `AC-${old}`);
    default:
      return shuffled;
  }
}
