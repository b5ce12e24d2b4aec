import { existsSync, readFileSync } from 'node:fs';
import type { Container } from '@draftshelf/workbooks/open-container';
import type { CellClass, ExpectedCell, ExpectedSheet } from './workbook-reference.ts';

/** The cells of a table as the product writes them. */
export type ReadTable = { n: number; name: string; rows: string[][] };

/** A cell of a workbook and whether it was read right. `further`: none was expected there. */
export type ScoredCell = { class: CellClass | 'further'; isRight: boolean; sentence: string };

export async function readTables(container: Container): Promise<ReadTable[]> {
  const texts: ReadTable[] = [];
  for (const { n, name } of container.tables) {
    const pieces = await Array.fromAsync(container.read(n));
    texts.push({ n, name, rows: rowsOf(Buffer.concat(pieces).toString()) });
  }
  return texts;
}

/** Cells of CSV with commas, double quotes and LF. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
  }
  return rows;
}

/**
 * What the cells of table `n` of a workbook are, from `<workbook>.<n>.tsv` with the lines `row column class text`,
 * counted from 1, which a person checked; null if there is no such file.
 */
export function trueSheet(workbook: string, n: number): ExpectedSheet | null {
  const file = `${workbook}.${n}.tsv`;
  if (!existsSync(file)) return null;
  const cells = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): ExpectedCell => {
      const [row, column, of, ...text] = line.split('\t');
      const shown = text.join('\t').replaceAll('\\n', '\n');
      const isRight = (found: string) => found === shown;
      return {
        row: Number(row) - 1,
        column: Number(column) - 1,
        class: of as ExpectedCell['class'],
        shown,
        isRight,
      };
    });
  return { name: String(n), width: Math.max(0, ...cells.map(({ column }) => column + 1)), cells };
}

/** Compares the cells of a table with those that are expected. `place`: where, in the sentences. */
export function scoreTable(
  place: string,
  rows: readonly string[][],
  { width, cells }: ExpectedSheet,
): ScoredCell[] {
  const missing = new Map(
    rows.flatMap((row, r) =>
      row.slice(0, width).flatMap((text, c) => (text === '' ? [] : [[`${r} ${c}`, text] as const])),
    ),
  );
  const scored = cells.map(({ row, column, class: of, isRight, shown }): ScoredCell => {
    const found = rows[row]?.[column] ?? '';
    missing.delete(`${row} ${column}`);
    const sentence = `${place} R${row + 1}C${column + 1} ${of}: ‘${found}’ instead of ‘${shown}’`;
    return { class: of, isRight: isRight(found), sentence };
  });
  for (const [cell, text] of missing) {
    scored.push({
      class: 'further',
      isRight: false,
      sentence: `${place} ${cell}: ‘${text}’ is not expected`,
    });
  }
  return scored;
}
