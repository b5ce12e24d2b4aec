import { joinBytes } from '@draftshelf/csv/joined';
import { pick as pickOf, seededRandom } from '@draftshelf/csv/testing/random';
import { toBlobSource } from '@draftshelf/workbooks/byte-source';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import type { ContainerLimits } from '@draftshelf/workbooks/limits';
import { openContainer } from '@draftshelf/workbooks/open-container';
import { hostileFiles } from '@draftshelf/workbooks/testing/hostile-files';
import {
  type SheetContent,
  type WorkbookContent,
  workbookParts,
} from '@draftshelf/workbooks/testing/workbook-file';
import { eventsOf, eventsOfSaxes } from '@draftshelf/workbooks/testing/xml-events';
import { compressed, type ZipPart, zipFile } from '@draftshelf/workbooks/testing/zip-file';

// npm run fuzz:workbooks -- [MINUTES] [SEED]: feeds the reader with hostile files, then with broken workbooks and
// archives until the time is over. It must not crash or hang: it reads them within its limits, or refuses them with a
// sentence. Parts that saxes accepts must be read as saxes reads them, or be refused.

const minutes = Number(process.argv[2] ?? 1);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_007);
/** A file of at most 1 MB takes milliseconds; this long is a hang, even on a busy machine. */
const fileMsMax = 20_000;
const limits = { fileBytesMax: 2 ** 20, archiveBytesMax: 2 ** 22, columnsMax: 200, cellBytesMax: 2 ** 16 };
/** A hostile archive has thousands. */
const tablesMax = 50;
const attributes = ['r', 's', 't', 'id', 'Id', 'ref', 'name', 'Target', 'state'];

const below = seededRandom(seed);
const pick = <T>(from: readonly T[]): T => pickOf(below, from);
const many = <T>(max: number, make: (at: number) => T): T[] =>
  Array.from({ length: below(max + 1) }, (_one, at) => make(at));

const texts = ['Chair', 'a, "b"', 'Größe\n2', '_x000D_', '<&>', '🪑', '', ' ', '=1+1', 'https://a.example/1'];
const formats = ['14', '9', '44', '00000', '0.00 "€"', '[h]:mm', 'yyyy-mm-dd hh:mm', '[$€-407] 0.00', '@'];
const splinters = [
  '<',
  '>',
  '</c>',
  '<c r="B2">',
  '&amp;',
  '&',
  ';',
  '"',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<?',
  '?>',
].concat([
  '<row r="1">',
  '<v>',
  '</v>',
  '1e999',
  '-1',
  'A1:XFD1048576',
  '<is><t>',
  '<x:y z="1"/>',
  '\r\n',
  '\0',
]);

function randomSheet(at: number): SheetContent {
  const cell = () =>
    pick([
      pick(texts),
      below(100_000) / 7,
      null,
      true,
      { value: below(50_000) / 3, format: pick(formats) },
      { formula: 'A1*2' },
    ]);
  const merged = many(4, () => `<mergeCell ref="${pick(['A2:A5', 'B1:C1', 'A1:A1048576', 'x'])}"/>`).join('');
  const links = many(6, (row) => `<hyperlink ref="B${row + 1}" r:id="rId1"/>`).join('');
  return {
    name: `Sheet ${at}`,
    rows: many(30, () => many(8, cell)),
    before: pick(['', '<dimension ref="A1:C9"/>', '<cols><col min="2" max="3" hidden="1"/></cols>']),
    after: `<mergeCells>${merged}</mergeCells><hyperlinks>${links}</hyperlinks>`,
    links: ['https://a.example/picture'],
  };
}

const randomWorkbook = (): WorkbookContent => ({
  sheets: [randomSheet(0), ...many(2, (at) => randomSheet(at + 1))],
  texts: pick(['shared', 'inline']),
  is1904: below(4) === 0,
});

/** Takes out, doubles or adds a part of a text, or changes a character. */
function brokenText(text: string): string {
  const from = below(text.length + 1);
  const to = Math.min(text.length, from + below(pick([2, 20, 500])));
  const [before, part, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  return pick([
    before + after,
    before + part + part + after,
    before + pick(splinters) + part + after,
    before,
  ]);
}

function brokenBytes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const from = below(bytes.length);
  const copy = bytes.slice();
  const kind = below(4);
  if (kind === 0) return copy.slice(0, from);
  if (kind === 1) return joinBytes([copy.subarray(0, from), copy.subarray(from + below(64))]);
  if (kind === 2)
    return joinBytes([copy.subarray(0, from), copy.subarray(below(from + 1), from), copy.subarray(from)]);
  for (const _change of many(8, () => null)) copy[below(copy.length)] = below(256);
  return copy;
}

async function randomFile(): Promise<Uint8Array<ArrayBuffer>> {
  const parts = workbookParts(randomWorkbook());
  const kind = below(4);
  if (kind === 0) return brokenBytes(await zipFile(parts));
  const changed = parts.map(
    (part): ZipPart => (below(5) === 0 ? { ...part, data: brokenText(String(part.data)) } : part),
  );
  for (const { data } of changed) compareWithSaxes(String(data));
  const workbook = await zipFile(changed);
  if (kind === 1) return workbook;
  const list = many(200, () => many(5, () => pick(texts)).join(pick([',', '\t']))).join('\n');
  if (kind === 2) return brokenBytes(await compressed(new TextEncoder().encode(list), 'gzip'));
  const archive = await zipFile([
    { name: 'list.csv', data: list },
    { name: 'book.xlsx', data: workbook, isStored: below(2) === 0 },
  ]);
  return below(2) === 0 ? archive : brokenBytes(archive);
}

function compareWithSaxes(text: string): void {
  let expected: unknown;
  try {
    expected = eventsOfSaxes(text, attributes);
  } catch {
    return;
  }
  try {
    const found = eventsOf(new TextEncoder().encode(text), 1 + below(300), attributes);
    // XML makes all line breaks one character; the product does so when it writes a cell.
    const plain = (events: unknown) => JSON.stringify(events).replace(/\\r\\n|\\r|\\n|\\t/g, ' ');
    if (plain(found) !== plain(expected))
      throw new Error(`another reading than that of saxes: ${JSON.stringify(text)}`);
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error;
  }
}

async function readAll(bytes: Uint8Array<ArrayBuffer>, limits: ContainerLimits): Promise<'read' | 'refused'> {
  try {
    const container = await openContainer(toBlobSource(new Blob([bytes])), limits);
    for (const { n } of container.tables.slice(0, tablesMax)) {
      let length = 0;
      for await (const piece of container.read(n, pick([undefined, { headBytes: 500 }])))
        length += piece.length;
      if (length > 4 * limits.fileBytesMax + 2 ** 20) throw new Error('more text than a table may have');
    }
    await container.pictures();
    return 'read';
  } catch (error) {
    if (error instanceof ContainerError) return 'refused';
    throw error;
  }
}

console.log(`seed ${seed}, ${minutes} minutes`);
for (const [name, { make }] of hostileFiles) {
  const bytes = await make();
  const begun = performance.now();
  const end = await readAll(bytes, { ...limits, fileBytesMax: 2 ** 26, archiveBytesMax: 2 ** 26 });
  const ms = Math.round(performance.now() - begun);
  console.log(`${name}: ${end} in ${ms} ms`);
  if (ms > fileMsMax) throw new Error(`took longer than ${fileMsMax} ms`);
}
const end = performance.now() + minutes * 60_000;
const counts = { read: 0, refused: 0 };
while (performance.now() < end) {
  const begun = performance.now();
  try {
    counts[await readAll(await randomFile(), limits)] += 1;
    if (performance.now() - begun > fileMsMax) throw new Error(`took longer than ${fileMsMax} ms`);
  } catch (error) {
    console.error(`seed ${seed}, file ${counts.read + counts.refused}`);
    throw error;
  }
}
console.log(
  `${counts.read} files read, ${counts.refused} refused: no crash, no hang, parts as saxes reads them`,
);
