import { expect, test } from 'vitest';
import { quantityToSend } from '../base/quantity.ts';
import { isQuantityTracked } from '../products/draft-product.ts';
import { findCellIssues } from '../review/cell-issues.ts';
import { issuesIn } from '../review/issue-set.ts';
import { rulesOf, validateRow } from '../review/validate-row.ts';
import { seededRandom } from '../testing/random.ts';
import { createAmountCounter, withReadings } from './column-readings.ts';
import { mapHeaders } from './mapping/header-mapping.ts';
import { readRowValues } from './row-values.ts';

const columns = 2_000;
const cellsMax = 16;

const grouped = (number: number, mark: string) => String(number).replace(/\B(?=(\d{3})+$)/g, mark);

/** Ways to write a number of pieces. */
const notations: readonly ((pieces: number) => string)[] = [
  String,
  (pieces) => grouped(pieces, ','),
  (pieces) => grouped(pieces, '.'),
  (pieces) => grouped(pieces, '\u00a0'),
  (pieces) => grouped(pieces, "'"),
  (pieces) => `${pieces}.0`,
  (pieces) => `${grouped(pieces, '.')},00`,
];
/** Ways to say that there are at least so many. */
const bounds: readonly ((number: string) => string)[] = [
  (number) => `${number}+`,
  (number) => `>${number}`,
  (number) => `> ${number}`,
  (number) => `≥${number}`,
  (number) => `ab ${number}`,
  (number) => `mehr als ${number}`,
  (number) => `More than ${number}`,
  (number) => `plus de ${number}`,
  (number) => `más de ${number}`,
  (number) => `oltre ${number}`,
  (number) => `meer dan ${number}`,
  (number) => `ponad ${number}`,
  (number) => `более ${number}`,
  (number) => `${number} oder mehr`,
];
const available = [
  'In Stock|yes|auf Lager|sofort lieferbar|En stock|disponible|disponibile|em estoque',
  'op voorraad|i lager|dostępny|skladem|raktáron|stokta|в наличии|有货|在庫あり|재고있음',
].flatMap((words) => words.split('|'));
const none = [
  'Out of stock|sold out|no|ausverkauft|nicht lieferbar|rupture|épuisé|agotado|esaurito',
  'esgotado|uitverkocht|slutsåld|udsolgt|loppu|niedostępny|vyprodáno|nincs|tükendi',
  'нет|缺货|在庫切れ|품절',
].flatMap((words) => words.split('|'));
const noise = ['', '-', 'n/a', 'on request', 'auf Anfrage', '?', 'TBD', '12 pcs', 'Mo-Fr', '24 h'];

/** What a cell means: a number, at least one, enough, or nothing that can be sent. */
type Meant = { cell: string; pieces: number | 'enough' | null; isNumber?: true };

test('2,000 columns of numbers, bounds and words are read right, asked about, or said row by row', () => {
  const random = seededRandom(9);
  const one = <T>(of: readonly T[]): T => of[random(of.length)] as T;
  const named = mapHeaders(['Name', 'Price', 'Stock']);
  let asked = 0;
  const said = { numbers: 0, others: 0 };
  for (let nth = 0; nth < columns; nth += 1) {
    const write = notations[nth % notations.length] as (typeof notations)[number];
    const pieces = () => random(10 ** (1 + random(5)));
    const meant = (): Meant => {
      const number = pieces();
      const kind = random(10);
      if (kind === 0) return { cell: one(bounds)(write(number)), pieces: number };
      if (kind === 1) return { cell: one(available), pieces: 'enough' };
      if (kind === 2) return { cell: one(none), pieces: 0 };
      if (kind === 3) return { cell: one(noise), pieces: null };
      return { cell: write(number), pieces: number, isNumber: true };
    };
    const cells = Array.from({ length: 2 + random(cellsMax) }, meant);
    const rows = cells.map(({ cell }, at) => [`Chair ${at}`, '12.50', cell]);
    const counter = createAmountCounter(named);
    for (const row of rows) counter.add({ cell: (column) => row[column] });
    const mapping = withReadings(named, counter);
    if (mapping.questions !== undefined) {
      asked += 1;
      continue;
    }
    for (const [at, { cell, pieces: right, isNumber }] of cells.entries()) {
      const row = rows[at] ?? [];
      const values = readRowValues(row, mapping);
      const { issues } = validateRow(values, {}, { currency: null, ...rulesOf(mapping) });
      const isSaid = issuesIn(issues + findCellIssues((column) => row[column], mapping)).length > 0;
      const sent = isQuantityTracked(values) ? quantityToSend(values.quantity) : 'enough';
      const isRight = right === sent;
      if (isNumber && isSaid) said.numbers += 1;
      else if (isSaid) said.others += 1;
      // Whatever is no number of its own is said, also where it is read right.
      if (isRight ? isNumber || isSaid : isSaid) continue;
      const all = cells.map((other) => other.cell).join(' | ');
      throw new Error(`“${cell}” is sent as ${sent} without a word in ${all}`);
    }
  }
  expect(asked).toBeLessThan(columns * 0.02);
  expect(said.numbers).toBeLessThan(said.others * 0.05);
});
