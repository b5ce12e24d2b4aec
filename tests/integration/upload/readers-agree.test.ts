import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFileScanner } from '@draftshelf/csv/encoding/transcriber';
import { readLimitsDefault as limits } from '@draftshelf/csv/limits';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { findCellIssues } from '@draftshelf/domain/review/cell-issues';
import { decodeRecordIssues, issuesIn, toIssueSet } from '@draftshelf/domain/review/issue-set';
import { type RowClass, rowClasses, worstClass } from '@draftshelf/domain/review/row-rule';
import {
  createProductValidator,
  type FileRules,
  rulesOf,
  type ValidatedRow,
} from '@draftshelf/domain/review/validate-row';
import { type ParsedRow, readChunk } from '@draftshelf/reading/read-chunk';
import { readProducts } from '@draftshelf/reading/read-products';
import { type SplitFile, splitStream } from '@draftshelf/reading/split-stream';
import { afterAll, expect, test } from 'vitest';
import { createPreviewer, readPreviewPage } from '../../../apps/web/src/features/upload/preview/preview.ts';
import type { PreviewRow } from '../../../apps/web/src/features/upload/preview/preview-rows.ts';
import { inspectFile, readWhole, writeRecords } from '../../../scripts/inspect.ts';
import { isLong } from '../../support/queue-backend.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'draftshelf-agree-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixtures = path.join(import.meta.dirname, '../../fixtures');
const csvFiles = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.csv'));
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at));
const slips = lines(60, (at) => {
  const cells = [`L-${at >> 1}`, 'Oak lamp', 'S', `${at}.50`];
  if (at % 9 === 8) return ['', ...cells].join(',');
  return at % 20 === 19 ? 'Total,,,12.00' : cells.join(',');
});
const [long, longest] = ['ö'.repeat(256), 'ö'.repeat(255)];
const issues = [
  'Title,Price,Brand,Type,Tags,SKU,Item #,UPC,Qty,Track Quantity,Compare Price,Cost,Product Image',
  `Bowl,5,Acme,Bowls,"${lines(251, (at) => `t${at}`).join()}",B-1,,,1,,,,`,
  'Bowl,5,Acme,Bowls,brass,B-2,,"036000291452, 4006381333931",2,,4.99,5.01,bowl.jpg',
  'Bowl,5,Acme,Bowls,brass,B-3,,,2,,10,5,https://example.com/bowl.jpg',
  `Lamp,5,${long},Lamps,brass,L-1,,036000291452,many,`,
  `Lamp,0,${longest},${longest},"brass,${longest}",${longest},,036000291453,-2,`,
  `${long},5,Acme,${long},"brass,${long}",,${long},8.85E+11,many,none`,
  `${longest},call,Acme,Lamps,brass,${long},,${long},3 pcs,shopify`,
  ',5,Acme,Lamps,brass,L-5,,"036000291453, 036000291452",3,',
  `,,"${'""'.repeat(255)}",Lamps,brass,L-6,,,"default=1,annex=2",`,
  'Vase,#N/A,Acme,Vases,brass,1-Feb,,,#REF!,,,,',
  'Vase,=B2*1.2,Acme,Vases,#N/A,2026-03-01,,, #N/A,,,,"=IMAGE(""https://example.com/vase.jpg"")"',
  'Err:502,5,Acme,Vases,brass,V-3,,,Err:504,,Err:504,,',
  'Salt &amp; Pepper,5,CafÃ© &amp; Co,Vases,brass,V-\u200b4,,036000 291452,3,,,,',
  'Vase\u0007,5\u200b,\u200b,Vases,"brass,\u200btall",,,n/a,\ufeff3,,,"color=A &amp; B",',
];
const variants = [
  'Handle,Title,Option1 Value,Variant SKU,Variant Price,Currency,Variant Barcode,Image Src',
  `lamp,${long},S,L-S,10,USD,036000291452,`,
  'vase,,S,V-S,call,USD,036000291453,',
  'jug,Jug,,JUG,0,USD,,',
  'jug,,S,JUG-S,0,USD,,',
  'lamp,,,,,,,https://example.com/lamp.jpg',
  'vase,,,,,,,https://example.com/vase.jpg',
  'bowl,Bowl,,B,,USD,,',
  'bowl,,,B,9,EUR,,',
  'bowl,,,,,,,https://example.com/bowl.jpg',
  `vase,Vase,${long},V-M,,USD,,`,
  'lamp,Lamp,M,L-M,12,USD,8.85E+11,',
  'vase,,L,V-L,12,USD,,',
];
const largeRow = `mug,Mug,10,${'x'.repeat(900_000)}`;

const files: [string, Uint8Array][] = [
  ...csvFiles(fixtures).map((name): [string, Uint8Array] => [name, readFileSync(path.join(fixtures, name))]),
  [
    'rows with a separator too many, and totals',
    Buffer.from(['Handle,Title,Option1 Value,Price', ...slips].join('\n')),
  ],
  [
    'many rows, windows-1252 known late',
    Buffer.from(
      ['Title;Price', ...lines(50_000, (at) => `Plain vase ${at};1.50`), 'Große Vase;9.90'].join('\r\n'),
      'latin1',
    ),
  ],
  ['rows with every issue of a value', Buffer.from(issues.join('\n'))],
  ['rows with issues that others inherit, also where they stand apart', Buffer.from(variants.join('\n'))],
  ['UTF-16 without a mark', Buffer.from('sku;name;price\n1;Kissenhülle;2,50\n2;茶;\n\n3;;\n', 'utf16le')],
  ['no header', Buffer.from('101,Chair,9.99\n102,Table,19.99\n103,Lamp,5.00\n')],
  [
    'a product that is too large for a chunk',
    Buffer.from(
      ['Handle,Title,Price,Option1 Value', ...lines(18, () => largeRow), 'Total,,12,', largeRow].join('\n'),
    ),
  ],
];

function split(bytes: Uint8Array): SplitFile {
  const splitter = splitStream({ limits });
  for (let at = 0; at < bytes.length; at += 65_536) splitter.push(bytes.subarray(at, at + 65_536));
  const found = splitter.end();
  if (!found) throw new Error('no header');
  return found;
}

/** The bytes that the offsets of rows refer to: the file's own or those of its transcript. */
function scannedBytes(bytes: Uint8Array, { dialect }: SplitFile): Buffer {
  const pieces: Uint8Array[] = [];
  const scanner = createFileScanner(dialect.encoding, {
    push: (piece) => void pieces.push(piece.slice()),
    end: () => {},
  });
  scanner.push(bytes);
  scanner.end();
  return Buffer.concat(pieces);
}

function parsed(bytes: Uint8Array, found: SplitFile): { rows: ParsedRow[]; classes: number[] } {
  const rows: ParsedRow[] = [];
  const classes = [0, 0, 0];
  for (const cut of found.whole.cuts) {
    const reading = readChunk(bytes.subarray(cut.byteFrom, cut.byteTo), cut, found, limits);
    rows.push(...reading.rows());
    const { valid, warning, error } = reading.totals().classes;
    for (const [at, count] of [valid, warning, error].entries()) classes[at] = (classes[at] ?? 0) + count;
  }
  return { rows, classes };
}

function previewed(bytes: Uint8Array, scanned: Uint8Array) {
  const previewer = createPreviewer();
  previewer.push(bytes);
  const preview = previewer.end();
  if (preview === null) throw new Error('no rows');
  const rows: PreviewRow[] = [];
  for (let page = 0; ; page += 1) {
    const range = previewer.pageRange(page);
    if (range === null) return { preview, rows };
    rows.push(...readPreviewPage(scanned.subarray(range.byteFrom, range.byteTo), range, preview));
  }
}

type Validated = ValidatedRow & { product: number };

/** The rows as finalize validates them: product by product, also where the rows of one stand apart. */
function validated(bytes: Uint8Array): (Validated | null)[] {
  const validators = new Map<number, ReturnType<typeof createProductValidator>>();
  const rows: (Validated | null)[] = [];
  let rules: FileRules;
  let ofFile: HeaderMapping;
  let lastProduct = 0;
  let isApart = false;
  const reading = readProducts({
    limits,
    onHeader({ mapping }) {
      rules = { currency: null, ...rulesOf(mapping) };
      ofFile = mapping;
    },
    valuesOf: (mapping) => (record) => readRowValues(record.cells(), mapping),
    onRow({ record }, { values, group, product }) {
      // The preview keeps no options of rows that are not adjacent.
      if (product !== lastProduct) isApart = validators.has(product);
      lastProduct = product;
      const validator = validators.get(product) ?? createProductValidator(rules);
      validators.set(product, validator);
      const { issues: ofRow, ...row } = validator(values);
      const issues = isApart ? toIssueSet(issuesIn(ofRow).filter((code) => code !== 'same-options')) : ofRow;
      const ofCells = findCellIssues((column) => record.cell(column), ofFile);
      rows.push(group === null ? null : { ...row, issues: issues + ofCells, product });
    },
  });
  reading.push(bytes);
  reading.end();
  return rows;
}

/** Products by the class of their worst row. */
function classCounts(rows: readonly (Validated | null)[]): number[] {
  const worst = new Map<number, RowClass>();
  for (const row of rows) {
    if (row) worst.set(row.product, worstClass(worst.get(row.product) ?? 'valid', row.class));
  }
  const all = [...worst.values()];
  return rowClasses.map((name) => all.filter((one) => one === name).length);
}

/** Only in the long form. */
const large = ['many rows, windows-1252 known late', 'a product that is too large for a chunk'];

const shown = (cell: string) => (cell.length > 300 ? `${cell.slice(0, 300)}…` : cell);

test.each(isLong ? files : files.filter(([name]) => !large.includes(name)))(
  'upload, worker, preview and inspect read the same: %s',
  (_name, bytes) => {
    const file = path.join(folder, 'file.csv');
    writeFileSync(file, bytes);

    const found = split(bytes);
    const { dialect, headers, mapping, whole } = found;
    const scanned = scannedBytes(bytes, found);
    const { rows, classes } = parsed(scanned, found);
    expect(rows).toHaveLength(whole.rows);
    expect(new Set(rows.map(({ product }) => product).filter(Boolean)).size).toBe(whole.productNumbers);
    expect(whole.productNumbers).toBeGreaterThan(1);

    const { preview, rows: previewRows } = previewed(bytes, scanned);
    expect(preview).toMatchObject({ dialect, headers, mapping });
    expect(preview).toMatchObject({ totalRows: whole.rows, products: whole.products });
    const checks = validated(bytes);
    const expected = rows.map(({ row, issues }, at) => {
      const check = checks[at];
      if (!check) return { row, class: null, issues: [] };
      return {
        row,
        class: check.class,
        issues: issuesIn(toIssueSet(decodeRecordIssues(issues)) + check.issues),
      };
    });
    expect(
      previewRows.map(({ row, class: rowClass, issues }) => ({
        row,
        class: rowClass,
        issues: issuesIn(toIssueSet(issues)),
      })),
    ).toEqual(expected);
    expect(preview.problems).toBe(expected.filter(({ issues }) => issues.length > 0).length);
    expect([preview.valid, preview.warnings, preview.errors]).toEqual(classCounts(checks));
    // Finalize validates products again whose rows stand apart.
    if (whole.products === whole.productNumbers) {
      expect([preview.valid, preview.warnings, preview.errors]).toEqual(classes);
      const ofWorker = rows.map(({ row, class: rowClass, ignored, issues }) =>
        ignored === null
          ? { row, class: rowClass, issues: issuesIn(issues) }
          : { row, class: null, issues: [] },
      );
      // The preview reads on: it says equal options only of later rows.
      const withoutOptions = (all: typeof expected) =>
        all.map(({ issues, ...one }) => ({
          ...one,
          issues: issues.filter((code) => code !== 'same-options'),
        }));
      expect(withoutOptions(ofWorker)).toEqual(withoutOptions(expected));
    }
    expect(previewRows).toEqual(
      rows.map(({ row, line, ignored, cells }) =>
        expect.objectContaining({ row, line, ignored, cells: cells.map(shown) }),
      ),
    );

    const { rows: rowCount, products } = whole;
    expect(readWhole(file)).toMatchObject({ dialect, headers, mapping, rows: rowCount, products });
    const inspection = inspectFile(file);
    if ('error' in inspection) throw new Error(inspection.error);
    expect(inspection.dataRows).toBe(rowCount);
    const firstColumns = new Set(Object.values(mapping.sources).map(([first]) => first));
    expect(inspection.mapping.map((field) => mapping.sources[field as CanonicalField]?.[0])).toEqual(
      headers.map((_, column) => (firstColumns.has(column) ? column : undefined)),
    );
    let text = '';
    writeRecords(file, (part) => {
      text += part;
    });
    const records: string[][] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const filled = records.filter((cells) => cells.some((cell) => cell.trim() !== ''));
    expect(filled.slice(-rowCount)).toEqual(rows.map(({ cells }) => cells));
  },
);
