import { cutText } from './cut-text.ts';

const filenameCharsMax = 255;

/** A file's name without control characters, at most 255 characters long, as imports and screens show it. */
export function shownFilename(name: string): string {
  return cutText(name.replaceAll(/\p{Cc}/gu, ''), filenameCharsMax);
}
