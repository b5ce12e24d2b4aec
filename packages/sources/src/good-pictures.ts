import type { SourceAnswer } from '@draftshelf/domain/enrich/sources';
import type { CheckedPicture, ImageChecker } from './image-checker.ts';

/** Pictures of an answer that are checked until one is good. */
const picturesChecked = 3;

/**
 * Checks the pictures of a source's answer in their order until one is good, at most three. Returns the answer without
 * pictures that the store would refuse or that are gone: sources keep dead addresses. When `signal` aborts, pictures
 * that were not checked stay.
 */
export async function withGoodPictures(
  answer: SourceAnswer,
  images: ImageChecker,
  signal?: AbortSignal,
): Promise<{ answer: SourceAnswer; checked: CheckedPicture[] }> {
  const checked: CheckedPicture[] = [];
  for (const url of answer.images.slice(0, picturesChecked)) {
    const image = await images.check(url, signal);
    if (signal?.aborted) break;
    if (image) checked.push(image);
    if (image?.state === 'ok' || !image) break;
  }
  const dead = new Set(checked.filter(({ state }) => state !== 'ok').map(({ url }) => url));
  return { answer: { ...answer, images: answer.images.filter((url) => !dead.has(url)) }, checked };
}
