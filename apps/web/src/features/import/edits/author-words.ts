import type { Author } from '@draftshelf/contract/review/edit-history';

/** Who made a change. */
export const authorWords: Record<Author, string> = {
  'this-browser': 'You, in this browser',
  'another-browser': 'Signed in elsewhere',
  call: 'An API call',
  worker: 'Draftshelf',
  unknown: 'Not recorded',
};
