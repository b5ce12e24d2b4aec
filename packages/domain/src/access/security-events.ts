/** Recorded events: access, changes of rights, and what is sent, destroyed or changed in bulk. */
export const securityEventKinds = [
  'signed-in',
  'sign-in-failed',
  'locked-out',
  'sign-ins-slowed',
  'signed-out',
  'sessions-ended',
  'credentials-saved',
  'credentials-removed',
  'settings-changed',
  'push-begun',
  'undo-begun',
  'import-deleted',
  'product-deleted',
  'work-given-up',
  'work-retried',
  'rows-changed',
  'connection-begun',
  'requests-refused',
] as const;
export type SecurityEventKind = (typeof securityEventKinds)[number];

/** The newest events of each kind are kept. A kind of its own, so that guessed keys do not displace the others. */
export const keptPerKind = 200;

/** This many events are shown, newest first. */
export const shownEventsMax = 200;
