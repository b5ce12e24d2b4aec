import { cutText } from './cut-text.ts';

const filenameCharsMax = 255;

/** Returns a file's name for imports and screens: at most 255 characters, without invisible ones. */
export const toShownFilename = (name: string): string => cutText(removeInvisible(name), filenameCharsMax);

/**
 * Removes invisible characters from the name of a file, a sheet or an archive entry. Some of them reverse the
 * direction of text: 'x\u202egpj.csv' would look like 'xvsc.jpg'. A database cannot store NUL.
 */
export const removeInvisible = (name: string): string => name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
