/** A file, a chunk or a task fails after it was lost so often with the process that did nothing else. */
export const deathsMax = 3;

/** Of a file of a watched folder whose process has died. */
export const fileSentences = {
  again: 'The folder worker ended while it read this file.',
  failed:
    'The folder worker ended three times while it read only this file. Save it as CSV or split it, then choose Try Again.',
};

/** Why a chunk that was lost too often has failed. */
export const deathsSentence = (place: string): string =>
  `The ${place} ended three times while it did only this. Read the end of its log, then retry it.`;
