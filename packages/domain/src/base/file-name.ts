import { cutText } from './cut-text.ts';

const filenameCharsMax = 255;

/** A file's name as imports and screens show it: at most 255 characters, without those that cannot be seen. */
export const shownFilename = (name: string): string => cutText(withoutHidden(name), filenameCharsMax);

/**
 * The name of a file, of a sheet or of an entry of an archive without characters that cannot be seen. Some of them turn
 * the direction of text around: 'x\u202egpj.csv' would look like 'xvsc.jpg'. A database cannot store NUL.
 */
export const withoutHidden = (name: string): string => name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
