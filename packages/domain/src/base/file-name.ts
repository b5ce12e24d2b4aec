import { cutText } from './cut-text.ts';

const filenameCharsMax = 255;

/**
 * A file's name as imports and screens show it: at most 255 characters, without those that cannot be seen. Some of them
 * turn the direction of text around: 'x\u202egpj.csv' would look like 'xvsc.jpg'.
 */
export function shownFilename(name: string): string {
  return cutText(name.replaceAll(/[\p{Cc}\p{Cf}]/gu, ''), filenameCharsMax);
}
