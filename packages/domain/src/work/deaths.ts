/** A file, chunk or task fails after this many processes died while they processed nothing else. */
export const workerDeathsMax = 3;

/** Sentences about a file of a watched folder, if the process that read the file has died. */
export const fileDeathSentences = {
  again: 'The folder worker ended while it was reading this file.',
  failed:
    'The folder worker ended three times while it read only this file. Save the file as CSV or split it, then choose Try Again.',
};

/** The sentence about a chunk that failed because its workers died. */
export const workerDeathsSentence = (place: string): string =>
  `The ${place} ended three times while it did only this work. Read the end of its log, then retry the work.`;
