import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { FileSetInput } from '../../documents.ts';
import type { IntendedProduct } from '../intended-product.ts';
import type { LiveMedia, LiveProduct } from '../live-product.ts';
import { isEqual, isInSameOrder, mapById, sortAsBefore, toKeptPart, type UndoStates } from '../undo-sides.ts';

export type RestoredImages = {
  /** The complete list to set. Null if the images stay. */
  set: FileSetInput[] | null;
  kept: KeptPart[];
  /** Images that can only be restored if the store still has their files, which must be looked up first. */
  filesToFind: string[];
};

const altOf = ({ alt }: LiveMedia) => alt ?? '';
const comparable = (media: readonly LiveMedia[]) => media.map((one) => ({ id: one.id, alt: altOf(one) }));
const countOf = (media: readonly LiveMedia[]) => `${media.length} ${media.length === 1 ? 'image' : 'images'}`;

/** Restores images by id: removes those that we added and puts back removed ones if the store still has their files. */
export function restoreImages({ before, after, live, sentAfter, filesInStore }: UndoStates): RestoredImages {
  const stay = { set: null, kept: [], filesToFind: [] };
  if (isEqual(comparable(before.media), comparable(after.media))) return stay;
  const counts = { before: countOf(before.media), ours: countOf(after.media), now: countOf(live.media) };
  const keepAll = (reason: KeptPart['reason']) => ({
    ...stay,
    kept: [toKeptPart('images', '', counts, reason)],
  });
  if (![before, after, live].every(({ complete }) => complete.media)) return keepAll('cannot-restore');
  if (isEqual(comparable(live.media), comparable(before.media))) return stay;
  const [was, ours, is] = [mapById(before.media), mapById(after.media), mapById(live.media)];
  const added = after.media.filter(({ id }) => !was.has(id));
  const isMoved = ![before, after].some(({ media }) => isInSameOrder(live.media, media));
  // Keep all images if others moved some, or if more were added than we sent: then others added some before our read.
  if (isMoved || added.length > sentAfter.images.length) return keepAll('changed');
  const removed = before.media.filter(({ id }) => !ours.has(id) && !is.has(id));
  if (removed.length > 0 && filesInStore === undefined) {
    return { ...stay, filesToFind: removed.map(({ id }) => id) };
  }
  const back = removed.filter(({ id }) => filesInStore?.has(id));
  const lost = removed.filter(({ id }) => !filesInStore?.has(id));
  const kept = lost.map((one) =>
    toKeptPart(
      'images',
      imageName(one, before.media),
      { before: shownOf(one), ours: null, now: null },
      'cannot-restore',
    ),
  );
  const rows = live.media.flatMap((one): LiveMedia[] => {
    const [written, earlier] = [ours.get(one.id), was.get(one.id)];
    if (!written) return [one];
    const isUntouched = altOf(one) === altOf(written);
    if (earlier && (isUntouched || altOf(one) === altOf(earlier))) return [{ ...one, alt: altOf(earlier) }];
    if (earlier && altOf(earlier) === altOf(written)) return [one];
    if (!earlier && isUntouched) return [];
    const values = { before: earlier && altOf(earlier), ours: altOf(written), now: altOf(one) };
    kept.push(toKeptPart('images', `${imageName(one, live.media)} · alt text`, values));
    return [one];
  });
  const next = sortAsBefore(rows, before.media, back);
  if (isEqual(comparable(next), comparable(live.media))) return { ...stay, kept };
  const alts = new Map([...live.media, ...back].map((one) => [one.id, altOf(one)]));
  const set = next.map((one) =>
    alts.get(one.id) === altOf(one) ? { id: one.id } : { id: one.id, alt: altOf(one) },
  );
  return { set, kept, filesToFind: [] };
}

const imageName = (one: LiveMedia, media: readonly LiveMedia[]) =>
  `image ${media.findIndex(({ id }) => id === one.id) + 1}`;

const shownOf = (one: LiveMedia) => altOf(one) || one.url || 'an image';

/** Returns the input for an image that the store lacks. The store downloads the image from its URL. */
export function toNewFileInput(image: IntendedProduct['images'][number]): FileSetInput {
  return {
    originalSource: image.src,
    contentType: 'IMAGE',
    ...(image.alt === null ? {} : { alt: image.alt }),
  };
}

type Sides = Record<'next' | 'sent', Pick<IntendedProduct, 'images'>> &
  Record<'live', Pick<LiveProduct, 'media'>> & {
    seen: Pick<LiveProduct, 'media'> | null;
    /** Whether our images are sent although we did not change them. */
    isForced: boolean;
  };

/**
 * Returns the files to send. Existing images are sent by id, because every originalSource creates a file. The store
 * does not keep an image's URL, so our images are found by position, if the store has as many images as we sent.
 */
export function mergeImages(sides: Sides): FileSetInput[] {
  const { next, sent, live } = sides;
  const forced = sides.isForced ? forcedFiles(sides) : null;
  if (forced) return forced;
  const positionsMatch = live.media.length === sent.images.length;
  const idBySource = new Map(
    positionsMatch ? sent.images.map((image, index) => [image.src, live.media[index]?.id]) : [],
  );
  const sentSources = new Set(sent.images.map((image) => image.src));
  const ours = next.images.flatMap((image): FileSetInput[] => {
    const id = idBySource.get(image.src);
    if (id) return [existingFile(id, image)];
    return positionsMatch || !sentSources.has(image.src) ? [toNewFileInput(image)] : [];
  });
  return positionsMatch ? ours : [...live.media.map(({ id }) => ({ id })), ...ours];
}

const existingFile = (id: string, { alt }: IntendedProduct['images'][number]): FileSetInput =>
  alt === null ? { id } : { id, alt };

/** Returns our images in our order, then those added in the store. Null if it is unknown which images are ours. */
function forcedFiles({ next, sent, live, seen }: Sides): FileSetInput[] | null {
  if (seen?.media.length !== sent.images.length) return null;
  const inStore = new Set(live.media.map(({ id }) => id));
  const idBySource = new Map(sent.images.map(({ src }, at) => [src, seen.media[at]?.id ?? '']));
  const ours = next.images.map((image) => {
    const id = idBySource.get(image.src) ?? '';
    return inStore.has(id) ? existingFile(id, image) : toNewFileInput(image);
  });
  const known = new Set(idBySource.values());
  return [...ours, ...live.media.flatMap(({ id }) => (known.has(id) ? [] : [{ id }]))];
}
