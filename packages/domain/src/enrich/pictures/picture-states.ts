/** What became of a picture of an import's file; 'waiting': not taken out of it, or not matched yet. */
export const pictureStates = ['matched', 'unmatched', 'refused', 'waiting'] as const;
export type PictureState = (typeof pictureStates)[number];

/** The words of a state in lists. */
export const pictureStateLabels: Record<PictureState, string> = {
  matched: 'Matched',
  unmatched: 'No product',
  refused: 'Could not be read',
  waiting: 'Waiting',
};
