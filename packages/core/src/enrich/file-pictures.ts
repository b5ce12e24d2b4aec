import { photoAddress } from '@draftshelf/domain/base/photo-address';
import type { PictureKeys } from '@draftshelf/domain/enrich/pictures/picture-names';
import { type PictureState, pictureStates } from '@draftshelf/domain/enrich/pictures/picture-states';
import { fileSource } from '@draftshelf/domain/enrich/sources';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { changeRows, findRow, queryRow, queryRows, queryValues } from '../connection/query-rows.ts';
import type { FilePicturesTable, PicturePosition } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { changeImport } from '../imports/imports.ts';
import { ownValue } from '../review/search/row-sql.ts';
import { hasNul } from '../review/stored-cells.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';

/** A picture inside a workbook or an archive. `sheet` and `line`: the row to which a workbook anchors the picture. */
export type ContainerPicture = PicturePosition & { entry: string; sheet?: number; line?: number };

/** Stores the pictures of an import's file, in their order. */
export async function insertFilePictures(
  db: Db,
  importId: string,
  pictures: readonly ContainerPicture[],
): Promise<void> {
  const rows = pictures.map(({ entry, sheet, line, ...place }, at) => ({
    ...{ n: at + 1, entry, place: storableJson(place), sheet: sheet ?? null, line: line ?? null },
  }));
  await sql`
    insert into file_pictures (import_id, n, entry, place, sheet, line)
    select ${importId}, n, entry, place::json, sheet, line from ${unnestRows('found', rows, {
      ...({ n: 'int', entry: 'text', place: 'text', sheet: 'int', line: 'int' } as const),
    })}`.execute(db);
  await changeImport(db, importId, { pictures: pictures.length });
}

/** Stores a photo added by the operator. Call it in the transaction that marks the photo as used. */
export async function insertAddedPhoto(
  db: Db,
  importId: string,
  { photoId, name }: { photoId: string; name: string },
): Promise<void> {
  await sql`
    insert into file_pictures (import_id, n, entry, place, photo_id, state)
    select ${importId}, least(min(n), 0) - 1, ${name}, '{}'::json, ${photoId}::uuid, 'stored'
    from file_pictures where import_id = ${importId}`.execute(db);
}

/** Reads the original file names of photos of an import, by the photo's address. */
export async function readPhotoNames(
  db: Db,
  importId: string,
  photoIds: readonly string[],
): Promise<Map<string, string>> {
  if (photoIds.length === 0) return new Map();
  const rows = await queryRows<{ id: string; entry: string }>(db)`
    select photo_id as id, entry from file_pictures
    where import_id = ${importId} and photo_id = any(${photoIds}::uuid[])`;
  return new Map(rows.map(({ id, entry }) => [photoAddress(id), entry]));
}

/** Lists the next pictures that have not been extracted from the file yet. */
export const listWaitingPictures = (db: Db, importId: string, limit: number) =>
  queryRows<{ n: number; place: PicturePosition }>(db)`
    select n, place from file_pictures where import_id = ${importId} and state = 'waiting' order by n limit ${limit}`;

/** A picture with its stored photo, or with the reason why there is none. */
export type TakenPicture = { n: number; photoId: string | null; reason: string | null };

export async function saveExtractedPictures(
  db: Db,
  importId: string,
  taken: readonly TakenPicture[],
): Promise<void> {
  await sql`
    update file_pictures set photo_id = taken.photo_id, reason = taken.reason,
      state = case when taken.photo_id is null then 'refused' else 'stored' end
    from ${unnestRows('taken', taken, { n: 'int', photoId: 'uuid', reason: 'text' })}
    where import_id = ${importId} and file_pictures.n = taken.n`.execute(db);
}

export type StoredPicture = {
  n: number;
  entry: string;
  photo: string;
  sheet: number | null;
  /** The first and the last sheet row that the picture covers. */
  line: number | null;
  toLine: number | null;
};

/** Lists the pictures of an import's file that became photos, in their order. */
export async function listStoredPictures(db: Db, importId: string): Promise<StoredPicture[]> {
  const rows = await queryRows<Omit<StoredPicture, 'toLine'> & { place: PicturePosition }>(db)`
    select n, entry, photo_id as photo, sheet, line, place from file_pictures
    where import_id = ${importId} and state = 'stored' and photo_id is not null and n > 0 order by n`;
  return rows.map(({ place, ...row }) => ({ ...row, toLine: place.toLine ?? row.line }));
}

/** The keys and picture cells of a row, by which pictures are matched with the row. */
export type PictureCells = PictureKeys & { byteFrom: number };

const keyFields = ['sku', 'upc', 'itemNumber', 'handle'] as const;
export const pictureFields = ['image', 'moreImages'] as const;

/** Reads rows `after + 1` to `after + rows` in order, except ignored rows. Cells are cut to `charsMax` characters. */
export async function readPictureCells(
  db: Db,
  of: RunOfRows,
  { after, rows: count, charsMax }: { after: number; rows: number; charsMax: number },
): Promise<PictureCells[]> {
  const { mapping } = await readParseRun(db, of);
  const sources = Object.fromEntries(pictureFields.map((field) => [field, mapping.sources[field] ?? []]));
  const columns = [...new Set(Object.values(sources).flat())];
  const cells = columns.map((column) => sql`left(cells ->> ${sql.lit(column)}, ${sql.lit(charsMax)})`);
  type Cells = { row: number; product: number; byte_from: number; keys: (string | null)[]; cells: string[] };
  const rows = await queryRows<Cells>(db)`
    select row, product, byte_from, array[${sql.join(keyFields.map((field) => ownValue(field)))}] as keys,
      case when not ${hasNul} then array[${sql.join(cells)}]::text[] else array[]::text[] end as cells
    from rows where import_id = ${of.import_id} and run = ${of.run} and ignored is null
      and row > ${after} and row <= ${after + count} order by row`;
  return rows.map(({ byte_from: byteFrom, keys, cells: texts, ...row }) => {
    const ofColumns: string[] = [];
    for (const [at, column] of columns.entries()) ofColumns[column] = texts[at] ?? '';
    const said = readRowValues(ofColumns, { ...mapping, sources });
    return {
      ...{ ...row, byteFrom },
      keys: keys.filter((key) => key !== null),
      cells: pictureFields.flatMap((field) => said[field] ?? []),
    };
  });
}

export type FileImageValue = { row: number; field: 'image' | 'moreImages'; value: string };

const imageColumns = { row: 'int', field: 'text', value: 'text' } as const;

/** Stores pictures of the file as found values of the rows, and removes earlier ones. Returns the changed rows. */
export async function replaceFileImages(
  db: Db,
  of: RunOfRows,
  rows: readonly number[],
  images: readonly FileImageValue[],
): Promise<Set<number>> {
  const gone = await queryValues<number>(db)`
    delete from found_values
    where import_id = ${of.import_id} and run = ${of.run} and row = any(${rows}::int[]) and source = ${fileSource}
      and (row, field) not in (select row, field from ${unnestRows('images', images, imageColumns)})
    returning row`;
  const changed = await queryValues<number>(db)`
    insert into found_values (import_id, run, row, field, value, source)
    select ${of.import_id}, ${of.run}, images.*, ${fileSource} from ${unnestRows('images', images, imageColumns)}
    on conflict (import_id, run, row, field) do update
      set value = excluded.value, source = excluded.source, gtin = null, attribution = null, found_at = now()
      where (found_values.value, found_values.source) is distinct from (excluded.value, excluded.source)
    returning row`;
  return new Set([...gone, ...changed]);
}

export type StoredPictureMatch = { n: number; row: number | null; reason: string | null };

export async function replacePictureMatches(
  db: Db,
  { import_id, run }: RunOfRows,
  matches: readonly StoredPictureMatch[],
): Promise<void> {
  await sql`delete from picture_matches where import_id = ${import_id} and run = ${run}`.execute(db);
  await sql`
    insert into picture_matches (import_id, run, n, row, reason)
    select ${import_id}, ${run}, matches.* from ${unnestRows('matches', matches, {
      ...({ n: 'int', row: 'int', reason: 'text' } as const),
    })}`.execute(db);
}

const chosenReason = 'Chosen by you.';

/** SQL condition: the operator chose this picture for a product, but undid or replaced the edit that contained it. */
const isChoiceUndone = (importId: string) => sql`picture_matches.reason = ${chosenReason} and not exists (
  select 1 from (
    select distinct on (field) after from edits
    where edits.import_id = ${importId} and byte_from = rows.byte_from and field in ('image', 'moreImages')
    order by field, id desc
  ) latest where strpos(after, photo_id::text) > 0)`;

/** SQL subquery `picture`: the pictures of an import's file with their state in a run. */
const shownPictures = ({ import_id, run }: RunOfRows) => sql`(
  select file_pictures.n, entry, photo_id, coalesce(rows.product, -1) as product,
    case when not is_undone then picture_matches.row end as row, case when not is_undone then rows.title end as title,
    coalesce(
      file_pictures.reason, case when is_undone then 'Your choice was undone.' else picture_matches.reason end
    ) as reason,
    case when state = 'refused' then 'refused' when state = 'waiting' or picture_matches.n is null then 'waiting'
      when is_undone or picture_matches.row is null then 'unmatched' else 'matched' end as state
  from file_pictures
  left join picture_matches on picture_matches.import_id = file_pictures.import_id and picture_matches.run = ${run}
    and picture_matches.n = file_pictures.n
  left join rows on rows.import_id = file_pictures.import_id and rows.run = ${run} and rows.row = picture_matches.row
  left join lateral (select (${isChoiceUndone(import_id)}) is true as is_undone) choice on true
  where file_pictures.import_id = ${import_id} and file_pictures.n > 0) picture`;

export type ShownPicture = Pick<Selectable<FilePicturesTable>, 'n' | 'entry' | 'photo_id' | 'reason'> & {
  state: PictureState;
  row: number | null;
  title: string | null;
};

/** Lists an import's pictures with numbers above `after`: all of them, or only those in `state`. */
export async function listPictures(
  db: Db,
  of: RunOfRows,
  { state, after, limit }: { state: PictureState | undefined; after: number; limit: number },
): Promise<ShownPicture[]> {
  const inState = state === undefined ? sql`true` : sql`state = ${state}`;
  return queryRows<ShownPicture>(db)`
    select n, entry, photo_id, state, row, title, reason from ${shownPictures(of)}
    where n > ${after} and ${inState} order by n limit ${limit}`;
}

export type PictureCounts = Record<PictureState, number> & { products: number };

/** Counts the pictures of an import by state, and the products with a matched picture. */
export const countPictures = (db: Db, of: RunOfRows) =>
  queryRow<PictureCounts>(db)`
    select ${sql.join(
      pictureStates.map((state) => sql`(count(*) filter (where state = ${state}))::int as ${sql.ref(state)}`),
    )}, (count(distinct product) filter (where state = 'matched'))::int as products
    from ${shownPictures(of)}`;

export async function storePictureChoice(
  db: Db,
  { import_id, run }: RunOfRows,
  { n, row }: { n: number; row: number },
): Promise<void> {
  await sql`
    insert into picture_matches (import_id, run, n, row, reason)
    values (${import_id}, ${run}, ${n}, ${row}, ${chosenReason})
    on conflict (import_id, run, n) do update set row = excluded.row, reason = excluded.reason`.execute(db);
}

/** Restores the operator's choices: matches each picture with the row whose current edits contain the picture. */
export async function restorePictureChoices(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await changeRows(db)`
    update picture_matches set row = chosen.row, reason = ${chosenReason}
    from (
      select distinct on (file_pictures.n) file_pictures.n, rows.row from (
        select distinct on (byte_from, field) byte_from, after from edits
        where import_id = ${import_id} and field in ('image', 'moreImages') order by byte_from, field, id desc
      ) latest
      join file_pictures on file_pictures.import_id = ${import_id} and strpos(latest.after, photo_id::text) > 0
      join rows on rows.import_id = ${import_id} and rows.run = ${run} and rows.byte_from = latest.byte_from
      order by file_pictures.n, rows.row
    ) chosen
    where picture_matches.import_id = ${import_id} and picture_matches.run = ${run} and picture_matches.n = chosen.n
      and (picture_matches.row is null or (reason is not null and picture_matches.row = chosen.row))`;
}

export async function findPicturePhoto(db: Db, importId: string, n: number): Promise<string | undefined> {
  const found = await findRow<{ id: string | null }>(db)`
    select photo_id as id from file_pictures where import_id = ${importId} and n = ${n}`;
  return found?.id ?? undefined;
}
