import { sheetPlace, tableOfPlace } from '@draftshelf/csv/place';
import { photoAddress } from '@draftshelf/domain/base/photo-address';
import {
  comparePictures,
  createPictureMatcher,
  type PicturedRow,
  type PictureMatch,
  parsePictureName,
} from '@draftshelf/domain/enrich/pictures/picture-names';
import { picturesOf } from '@draftshelf/domain/products/images';
import type { Kysely } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, ImportRecord, Schema } from '../../connection/schema.ts';
import { changeImport, findImport, lockImport } from '../../imports/imports.ts';
import type { EffectiveRow } from '../../review/effective-rows.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { lockHeldChunk, markDone } from '../../work/claim-chunk.ts';
import { currentRows } from '../../work/runs.ts';
import { storeTaskProgress, type TaskProgress } from '../../work/tasks.ts';
import {
  type FileImageValue,
  listStoredPictures,
  pictureFields,
  readPictureCells,
  replaceFileImages,
  replacePictureMatches,
  restorePictureChoices,
  type StoredPicture,
} from '../file-pictures.ts';
import { refreshFoundProducts } from '../lookups/apply-answers.ts';
import { readRowsByProduct } from '../lookups/look-up-range.ts';

/** Limits memory to 12 MB of cells for six picture columns. Cells with file names have fewer than 4,000 characters. */
const rowsPerRead = 500;
const cellCharsMax = 4_000;
const productsPerPart = 200;

const placeOf = ({ sheet, line }: StoredPicture): number | null =>
  sheet === null || line === null ? null : sheetPlace(sheet, line);

/** The maximum number of rows that a picture of one product may cover. */
const coveredMax = 50;

/** Returns the places of the rows that a picture covers, at most `coveredMax` + 1 of them. */
function placesOf(picture: StoredPicture): number[] {
  const place = placeOf(picture);
  if (place === null) return [];
  const rows = (picture.toLine ?? 0) - (picture.line ?? 0) + 1;
  return Array.from({ length: Math.min(rows, coveredMax + 1) }, (_row, at) => place + at);
}

/** Gives pictures of the file to products without pictures. Reads without a lock, writes in parts. Safe to repeat. */
export async function matchPictures(
  db: Kysely<Schema>,
  chunk: ChunkRecord,
  signal: AbortSignal,
): Promise<TaskProgress> {
  const record = await findImport(db, chunk.import_id);
  const pictures = await listStoredPictures(db, chunk.import_id);
  const matches = record ? await findMatches(db, record, pictures, signal) : [];
  if (matches === null) return 'more';
  const products = [...picturedProducts(matches, pictures)];
  const pictured = new Set<number>();
  for (let from = 0; from < products.length; from += productsPerPart) {
    if (signal.aborted) return 'more';
    const part = new Map(products.slice(from, from + productsPerPart));
    const own = await db.transaction().execute((trx) => givePictures(trx, chunk, part));
    for (const product of own) pictured.add(product);
  }
  await db.transaction().execute(async (trx) => {
    await changeImport(trx, chunk.import_id, {});
    await lockHeldChunk(trx, chunk);
    const stored = matches.map((match) => storedMatch(match, pictured));
    await replacePictureMatches(trx, chunk, stored);
    await restorePictureChoices(trx, chunk);
    await storeTaskProgress(trx, chunk, pictures.length);
    await markDone(trx, chunk);
  });
  return 'done';
}

function storedMatch({ n, rows, reason }: PictureMatch, pictured: ReadonlySet<number>) {
  const isUsed = rows.some(({ product }) => !pictured.has(product));
  const unused = isUsed ? null : 'Not used: the list has a picture of this product.';
  return { n, row: rows[0]?.row ?? null, reason: reason ?? unused };
}

/** Returns null if the task was stopped. */
async function findMatches(
  db: Db,
  record: ImportRecord,
  pictures: readonly StoredPicture[],
  signal: AbortSignal,
): Promise<PictureMatch[] | null> {
  const of = currentRows(record);
  const matcher = createPictureMatcher(pictures.filter((picture) => placeOf(picture) === null));
  const anchors = new Map<number, PicturedRow | null>(
    pictures.flatMap(placesOf).map((place) => [place, null]),
  );
  let firstPlace: number | undefined;
  for (let after = 0; after < record.total_rows; after += rowsPerRead) {
    if (signal.aborted) return null;
    const part = { after, rows: rowsPerRead, charsMax: cellCharsMax };
    for (const { byteFrom, ...found } of await readPictureCells(db, of, part)) {
      const { row, product } = found;
      matcher.addRow(found);
      firstPlace ??= byteFrom;
      if (anchors.has(byteFrom)) anchors.set(byteFrom, { product, row });
    }
  }
  return [...matcher.matches(), ...pictures.flatMap((picture) => anchored(picture, anchors, firstPlace))];
}

/** Matches a picture with the row to which the picture is anchored. `anchors`: rows by place. */
function anchored(
  picture: StoredPicture,
  anchors: ReadonlyMap<number, PicturedRow | null>,
  firstPlace: number | undefined,
): PictureMatch[] {
  const places = placesOf(picture);
  const [place] = places;
  if (place === undefined) return [];
  const covered = places.flatMap((at) => anchors.get(at) ?? []);
  const products = new Set(covered.map(({ product }) => product));
  const coversHeader = covered.length > 0 && place < (firstPlace ?? 0);
  if (products.size > 1 || coversHeader || places.length > coveredMax) {
    return [{ n: picture.n, rows: [], reason: 'The picture covers several rows.' }];
  }
  if (covered.length > 0) return [{ n: picture.n, rows: covered.slice(0, 1), reason: null }];
  return [{ n: picture.n, rows: [], reason: whyNoRow(place, firstPlace) }];
}

function whyNoRow(place: number, firstPlace = 0): string {
  if (tableOfPlace(place) !== tableOfPlace(firstPlace)) return 'The picture is on another sheet.';
  return place < firstPlace
    ? 'The picture is above the list (a logo?).'
    : 'There’s no product in the picture’s row.';
}

type GivenPicture = PicturedRow & { address: string };

/** Groups the pictures by product, sorted by picture name. */
function picturedProducts(matches: readonly PictureMatch[], pictures: readonly StoredPicture[]) {
  const stored = new Map(pictures.map((picture) => [picture.n, picture]));
  const given = matches
    .filter(({ rows }) => rows.length > 0)
    .map(({ n, rows }) => ({
      rows,
      picture: stored.get(n),
      name: parsePictureName(stored.get(n)?.entry ?? ''),
    }))
    .sort((one, other) => comparePictures(one.name, other.name))
    .flatMap(({ rows, picture }): GivenPicture[] =>
      picture ? rows.map((at) => ({ ...at, address: photoAddress(picture.photo) })) : [],
    );
  return Map.groupBy(given, ({ product }) => product);
}

/** Stores the pictures of the next products. Skips and returns products that already have their own picture. */
async function givePictures(
  db: Db,
  chunk: ChunkRecord,
  part: ReadonlyMap<number, readonly GivenPicture[]>,
): Promise<number[]> {
  await lockRows(db, chunk.import_id);
  const record = await lockImport(db, chunk.import_id);
  await lockHeldChunk(db, chunk);
  if (!record || record.rows_run !== chunk.run) return [];
  const of = currentRows(record);
  const products = await readRowsByProduct(db, of, [...part.keys()]);
  const own = products.filter(hasOwnPicture);
  const images = products
    .filter((rows) => !own.includes(rows))
    .flatMap(([first]) => [...Map.groupBy(part.get(first?.product ?? 0) ?? [], ({ row }) => row)])
    .flatMap(([row, given]) => imagesOf(row, given));
  const rows = products.flat().map(({ row }) => row);
  const changed = await replaceFileImages(db, of, rows, images);
  const refreshed = products.filter((rows) => rows.some(({ row }) => changed.has(row)));
  await refreshFoundProducts(db, record, { before: refreshed, gained: refreshed.length });
  return own.flatMap(([first]) => first?.product ?? []);
}

/** Returns whether the file or the operator gives one of these rows a picture. */
const hasOwnPicture = (rows: readonly EffectiveRow[]): boolean =>
  rows.some(({ values, sources }) =>
    pictureFields.some(
      (field) => sources[field] !== 'found' && picturesOf({ image: values[field] }).length > 0,
    ),
  );

function imagesOf(row: number, given: readonly GivenPicture[]): FileImageValue[] {
  const [image, ...more] = new Set(given.map(({ address }) => address));
  return [
    ...(image === undefined ? [] : [{ row, field: 'image' as const, value: image }]),
    ...(more.length === 0 ? [] : [{ row, field: 'moreImages' as const, value: more.join('\n') }]),
  ];
}
