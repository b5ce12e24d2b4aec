import { createReadStream } from 'node:fs';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { readFile } from '@draftshelf/csv/read-file';
import { parse as csvParse } from 'csv-parse';
import { parse as fastCsvParse } from 'fast-csv';
import Papa from 'papaparse';

/** A digest of the data rows as a parser read them, to compare parsers. */
export type Cells = { rows: number; cells: number; characters: number; sum: number };

type Parser = { name: string; parse(file: string): Promise<Cells> };

/** Each parser streams a file as its documentation recommends and reads every cell. */
export const parsers: readonly Parser[] = [
  { name: 'draftshelf', parse: byDraftshelf },
  { name: 'papaparse', parse: byPapaparse },
  { name: 'csv-parse', parse: byCsvParse },
  { name: 'fast-csv', parse: byFastCsv },
];

function counting(): Cells & { add(row: readonly string[]): void } {
  return {
    rows: 0,
    cells: 0,
    characters: 0,
    sum: 0,
    add(row) {
      this.rows += 1;
      for (const cell of row) {
        this.cells += 1;
        this.characters += cell.length;
        const last = cell.length === 0 ? 0 : cell.charCodeAt(cell.length - 1);
        this.sum = (this.sum * 31 + cell.length * 7 + last) | 0;
      }
    },
  };
}

const result = ({ rows, cells, characters, sum }: Cells): Cells => ({ rows, cells, characters, sum });

async function byDraftshelf(file: string): Promise<Cells> {
  const counted = counting();
  const reading = readFile({
    limits: readLimitsDefault,
    onHeader: () => {},
    onRow: ({ record }) => counted.add(record.cells()),
  });
  for await (const piece of createReadStream(file)) reading.push(piece);
  reading.end();
  return result(counted);
}

/** Its input must be decoded text: given bytes, it breaks characters at chunk boundaries. */
function byPapaparse(file: string): Promise<Cells> {
  const counted = counting();
  let header = true;
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(createReadStream(file, 'utf8'), {
      skipEmptyLines: true,
      chunk({ data }) {
        for (const row of header ? data.slice(1) : data) counted.add(row);
        header = false;
      },
      complete: () => resolve(result(counted)),
      error: reject,
    });
  });
}

async function byCsvParse(file: string): Promise<Cells> {
  const counted = counting();
  const parser = createReadStream(file).pipe(csvParse({ from_line: 2 }));
  for await (const row of parser) counted.add(row);
  return result(counted);
}

function byFastCsv(file: string): Promise<Cells> {
  const counted = counting();
  return new Promise((resolve, reject) => {
    createReadStream(file)
      .pipe(fastCsvParse<Record<string, string>, Record<string, string>>({ headers: true }))
      .on('error', reject)
      .on('data', (row: Record<string, string>) => counted.add(Object.values(row)))
      .on('end', () => resolve(result(counted)));
  });
}
