import type { SourceAnswer } from '@draftshelf/domain/enrich/sources';
import type { CheckedPicture, ImageChecker } from './image-checker.ts';

const picturesChecked = 3;

/** Removes bad and dead pictures before the first good one, of at most three: sources keep dead addresses. */
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
