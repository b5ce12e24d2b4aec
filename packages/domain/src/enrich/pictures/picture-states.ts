/** A `waiting` picture has not been extracted from its file or not been matched yet. */
export const pictureStates = ['matched', 'unmatched', 'refused', 'waiting'] as const;
export type PictureState = (typeof pictureStates)[number];

export const pictureStateLabels: Record<PictureState, string> = {
  matched: 'Matched',
  unmatched: 'No product',
  refused: 'Could not be read',
  waiting: 'Waiting',
};
