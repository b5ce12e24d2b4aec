import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { requestTask } from '@draftshelf/core/work/background-tasks';
import { deleteImport } from '@draftshelf/core/work/delete-import';
import { currentRows } from '@draftshelf/core/work/runs';
import { part, relationsXml, workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { zipFile } from '@draftshelf/workbooks/testing/zip-file';
import { type ApiClient, csvForm } from '../support/api-client.ts';
import { editRow } from '../support/edit-row.ts';
import { pictureOf } from '../support/file-pictures.ts';
import { storedUnder, until } from '../support/fixture.ts';
import { askForLook, dropFile } from '../support/folder-steps.ts';
import { importSteps } from '../support/import-steps.ts';
import type { Stack } from '../support/stack.ts';
import { countOpenChunks } from './held-imports.ts';

/** An archive of a workbook with a picture in a row of its first sheet, and of pictures beside it. */
async function archiveOf(label: string): Promise<Uint8Array<ArrayBuffer>> {
  const sheet = (name: string, prices: readonly number[]) => ({
    name,
    rows: [
      ['SKU', 'Title', 'Price'],
      ...prices.map((price, at) => [`${label}-${at + 1}`, `Vase ${label} ${at + 1}`, price]),
    ],
  });
  const anchor =
    '<xdr:oneCellAnchor><xdr:from><xdr:col>3</xdr:col><xdr:row>1</xdr:row></xdr:from>' +
    '<xdr:pic><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill></xdr:pic></xdr:oneCellAnchor>';
  const list = await workbookFile({
    sheets: [sheet('Prices', [10, 11, 12, 13]), sheet('New', [20, 21])],
    parts: [
      part('xl/worksheets/_rels/sheet1.xml.rels', relationsXml([['drawing', '../drawings/drawing1.xml']])),
      part('xl/drawings/drawing1.xml', `<xdr:wsDr>${anchor}</xdr:wsDr>`),
      part('xl/drawings/_rels/drawing1.xml.rels', relationsXml([['image', '../media/image1.png']])),
      { name: 'xl/media/image1.png', data: pictureOf(1) },
    ],
  });
  return zipFile([
    { name: 'list.xlsx', data: list, isStored: true },
    { name: `${label}-2.png`, data: pictureOf(2) },
    { name: `${label}-3.png`, data: pictureOf(3) },
    { name: 'unknown.png', data: pictureOf(4) },
  ]);
}

/** What is done in a story, one after the other. */
export type StoryPart = 'take' | 'another sheet' | 'back';

export type FileStory = {
  label: string;
  /** How the file comes in. */
  way: 'upload' | 'folder';
  /** Begins to interfere with a part; the story goes on when it is over. */
  interfere?: (part: StoryPart) => Promise<void>;
};

/**
 * An archive is taken, a row is edited, another sheet is read and then the first again. Returns what is stored
 * afterwards, with `label` as X, and what is left in storage once the import is deleted. An operator who gets no answer
 * looks whether it was done and does it again.
 */
export async function playFile(stack: Stack, client: ApiClient, story: FileStory): Promise<string[]> {
  const { pool, db } = stack.database;
  const { label, interfere = async () => {} } = story;
  const { read, reach } = importSteps(() => ({ ...stack, api: client }));
  const filename = `${label}.zip`;
  const file = await archiveOf(label);
  const found = async (): Promise<string | undefined> =>
    (await pool.query<{ id: string }>('select id from imports where filename = $1', [filename])).rows[0]?.id;
  const rested = async (id: string) => {
    await reach(id, 'processed', 'queued');
    await until('its tasks have ended', async () => (await countOpenChunks(stack, id)) === 0);
  };
  const interfered = async (name: StoryPart, act: () => Promise<void>, isDone: () => Promise<boolean>) => {
    const over = interfere(name);
    await act().catch(() => {});
    await over;
    if (!(await isDone())) await act();
  };

  await interfered(
    'take',
    async () => {
      if (story.way === 'upload') {
        return accepted(await client.upload(csvForm(file, { filename, before: { supplier: '' } })));
      }
      await dropFile(stack.watchFolder, filename, file);
      await until('it is taken', async () => {
        await askForLook(stack);
        return (await found()) !== undefined;
      });
    },
    async () => (await found()) !== undefined,
  );
  const id = (await found()) ?? '';
  await rested(id);
  await db.transaction().execute((trx) => editRow(trx, id, 3, { price: '99' }));
  const lines = await storedOf(stack, id);
  for (const [name, table] of [
    ['another sheet', 'list.xlsx: New'],
    ['back', 'list.xlsx: Prices'],
  ] as const) {
    const { parse_run: before } = await read(id);
    await interfered(
      name,
      async () => accepted(await client.call('POST', `/api/queue/${id}/dialect`, { body: { table } })),
      async () => (await read(id)).parse_run > before,
    );
    await rested(id);
    lines.push(...(await storedOf(stack, id)));
  }
  await sweep(stack);
  lines.push(...(await objectsOf(stack)));
  await db.transaction().execute((trx) => deleteImport(trx, id));
  await until('the import is deleted', async () => (await found()) === undefined);
  await sweep(stack);
  lines.push('deleted', ...(await objectsOf(stack)));
  return lines.map((line) => line.replaceAll(label, 'X'));
}

function accepted({ status, body }: Awaited<ReturnType<ApiClient['call']>>): void {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}

/** Lets the sweep remove what an upload has left over, as after a day. */
async function sweep({ database: { db, pool } }: Stack): Promise<void> {
  await pool.query('update uploads set sweeps = 24');
  await requestTask(db, 'remove-left-overs');
  await until('nothing is left over', async () => (await pool.query('select from uploads')).rowCount === 0);
}

/** The objects in storage. Photos are named by their content. */
async function objectsOf({ storage }: Stack): Promise<string[]> {
  const objects = await storedUnder(storage, '');
  return objects.map(({ key }) => key.replace(/^files\/[^.]*/, 'files/X')).sort();
}

const inOrder = (values: object) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

/** What an import has in the database: no ids and times. */
async function storedOf({ database: { db, pool } }: Stack, id: string): Promise<string[]> {
  const lines = async (name: string, query: string) => {
    const { rows } = await pool.query<{ line: unknown }>(query, [id]);
    return rows.map(({ line }) => `${name} ${JSON.stringify(line)}`);
  };
  const { rows } = await pool.query('select id, rows_run from imports where id = $1', [id]);
  const shown = await readRowPage(db, currentRows(rows[0]), { after: 0, limit: 100 });
  return [
    ...shown.map(({ row, line, byte_from, values, sources }) =>
      JSON.stringify([row, line, byte_from, inOrder(values), inOrder(sources)]),
    ),
    ...(await lines(
      'import',
      `select json_build_array(status, total_rows, total_products, valid_products, warning_products, error_products,
        pictures, edits_without_row, enriched_rows) as line from import_records where id = $1`,
    )),
    ...(await lines(
      'table',
      `select tables as line from file_tables
      where import_id = $1`,
    )),
    ...(await lines(
      'picture',
      `select json_build_array(n, entry, sheet, line, photo_id, state, reason) as line from file_pictures
      where import_id = $1 order by n`,
    )),
    ...(await lines(
      'match',
      `select json_build_array(n, row, reason) as line from picture_matches
      join imports on imports.id = import_id and rows_run = run where import_id = $1 order by n`,
    )),
  ];
}
