import type { KeptPart } from '@draftshelf/domain/push/push-undo';
import type { FileSetInput } from '../documents.ts';
import type { LiveMedia } from '../product-state.ts';
import { byId, inEarlierOrder, isInOrder, isSame, keptPart, type UndoSides } from './undo-sides.ts';

export type RestoredImages = {
  /** The complete list to set; null: the images stay. */
  set: FileSetInput[] | null;
  kept: KeptPart[];
  /** Images that can only be restored if the store still has their files, which must be asked first. */
  filesToFind: string[];
};

const altOf = ({ alt }: LiveMedia) => alt ?? '';
const comparable = (media: readonly LiveMedia[]) => media.map((one) => ({ id: one.id, alt: altOf(one) }));
const countOf = (media: readonly LiveMedia[]) => `${media.length} ${media.length === 1 ? 'image' : 'images'}`;

/** Images by id: those that we added go, those that we removed come back if the store still has them. */
export function restoreImages({ before, after, live, sentAfter, filesInStore }: UndoSides): RestoredImages {
  const stay = { set: null, kept: [], filesToFind: [] };
  if (isSame(comparable(before.media), comparable(after.media))) return stay;
  const counts = { before: countOf(before.media), ours: countOf(after.media), now: countOf(live.media) };
  const keepAll = (reason: KeptPart['reason']) => ({
    ...stay,
    kept: [keptPart('images', '', counts, reason)],
  });
  if (![before, after, live].every(({ complete }) => complete.media)) return keepAll('cannot-restore');
  if (isSame(comparable(live.media), comparable(before.media))) return stay;
  const [was, ours, is] = [byId(before.media), byId(after.media), byId(live.media)];
  const added = after.media.filter(({ id }) => !was.has(id));
  const isMoved = ![before, after].some(({ media }) => isInOrder(live.media, media));
  // More than we sent: somebody added some before our write was read.
  if (isMoved || added.length > sentAfter.images.length) return keepAll('changed');
  const removed = before.media.filter(({ id }) => !ours.has(id) && !is.has(id));
  if (removed.length > 0 && filesInStore === undefined) {
    return { ...stay, filesToFind: removed.map(({ id }) => id) };
  }
  const back = removed.filter(({ id }) => filesInStore?.has(id));
  const lost = removed.filter(({ id }) => !filesInStore?.has(id));
  const kept = lost.map((one) =>
    keptPart(
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
    kept.push(keptPart('images', `${imageName(one, live.media)} · alt text`, values));
    return [one];
  });
  const next = inEarlierOrder(rows, before.media, back);
  if (isSame(comparable(next), comparable(live.media))) return { ...stay, kept };
  const alts = new Map([...live.media, ...back].map((one) => [one.id, altOf(one)]));
  const set = next.map((one) =>
    alts.get(one.id) === altOf(one) ? { id: one.id } : { id: one.id, alt: altOf(one) },
  );
  return { set, kept, filesToFind: [] };
}

const imageName = (one: LiveMedia, media: readonly LiveMedia[]) =>
  `image ${media.findIndex(({ id }) => id === one.id) + 1}`;

const shownOf = (one: LiveMedia) => altOf(one) || one.url || 'an image';
