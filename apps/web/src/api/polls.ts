/** Milliseconds between repeated reads while their screen is shown. */
export const pollMs = {
  import: 2000,
  report: 2000,
  pushSeries: 5000,
  /** A preview of few products takes seconds. */
  preview: 500,
  undo: 2000,
  plan: 1000,
  corrections: 500,
  /** Others may undo a command at any time. */
  commands: 10_000,
  pictures: 2000,
  asking: 2000,
  storeBudget: 5000,
  storeSync: 2000,
  /** A store that does not answer is checked this often until it is back. */
  unreachedStore: 10_000,
  /** As specified. */
  dashboard: 5000,
  current: 2000,
  suppliers: 2000,
  folders: 5000,
  signIn: 2000,
  conditions: 15_000,
  workers: 5000,
  work: 5000,
  audit: 3000,
} as const;
