/** The states of pictures. `waiting`: not extracted from the file yet, or not matched yet. */
export const pictureStates = ['matched', 'unmatched', 'refused', 'waiting'] as const;
export type PictureState = (typeof pictureStates)[number];

export const pictureStateLabels: Record<PictureState, string> = {
  matched: 'Matched',
  unmatched: 'No product',
  refused: 'Could not be read',
  waiting: 'Waiting',
};
