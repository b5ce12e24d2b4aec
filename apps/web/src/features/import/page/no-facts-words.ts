/** Facts that end by themselves, perhaps a moment after they were shown: nobody has settled them. */
const endedWords: Readonly<Record<string, string>> = {
  'looking-up': 'Look-ups have ended.',
  'applying-rules': 'Applying your rules has ended.',
  'asking-ai': 'Asking AI has ended.',
};

/** What stands in the place of the facts of an import once there are none; `lastKind` was the last one. */
export const noFactsWords = (lastKind = ''): string => endedWords[lastKind] ?? 'Nothing to know any more.';
