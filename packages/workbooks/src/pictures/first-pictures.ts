import type { FoundPicture, FoundPictures } from '../container.ts';
import { type ContainerLimits, inflateBudget, picturesMax } from '../limits.ts';

/** Returns the pictures to extract: the first ones, if a file has too many or they unpack to too much. */
export function firstPictures(found: FoundPicture[], limits: ContainerLimits): FoundPictures {
  let { left } = inflateBudget(limits);
  const end = found.findIndex(({ bytes }, at) => {
    left -= bytes;
    return at >= picturesMax || left < 0;
  });
  return end === -1 ? { pictures: found, isCut: false } : { pictures: found.slice(0, end), isCut: true };
}
